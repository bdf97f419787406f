package dev.patchbay.config;

import dev.patchbay.config.Fields.Range;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.server.SignIn;
import dev.patchbay.server.SignIn.Client;
import dev.patchbay.server.SignIn.Grant;

import java.util.Map;

/** Reads how to sign in to a server. */
final class SignInReader {
    private static final Range PORT = new Range(1, 65_535);

    private final Fields fields;

    SignInReader(Fields fields) {
        this.fields = fields;
    }

    SignIn read() {
        var client = new Client(text("clientId"), text("clientSecret"), address());
        Grant grant = fields.word("grant", Grant.class, Grant.AUTHORIZATION_CODE);
        if (grant == Grant.CLIENT_CREDENTIALS
                && (client.id().isEmpty() || client.secret().isEmpty())) {
            fields.add(
                    Kind.DOUBTFUL,
                    fields.spot("grant"),
                    "Nobody is asked to sign in, but there is no client with a secret",
                    "Write clientId and clientSecret, or remove grant");
        }
        var signIn =
                new SignIn(
                        client,
                        text("issuer"),
                        fields.texts("scopes"),
                        (int) fields.number("redirectPort", PORT, 0),
                        grant);
        fields.warnOfUnknown(
                Map.of("callbackPort", "redirectPort", "scope", "scopes", "client_id", "clientId"));
        return signIn;
    }

    private String text(String key) {
        String text = fields.text(key);
        return text == null ? "" : text;
    }

    private String address() {
        String text = fields.text("clientMetadataUrl");
        if (text != null && TransportReader.parsed(text) == null) {
            fields.add(
                    Kind.WRONG_VALUE,
                    fields.spot("clientMetadataUrl"),
                    "This is no URL",
                    "Write a whole URL, as in \"https://example.com/client.json\"");
        }
        return text == null ? "" : text;
    }
}
