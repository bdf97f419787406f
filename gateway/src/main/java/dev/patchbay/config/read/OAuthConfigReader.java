package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.read.ObjectReader.Range;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.OAuthConfig.GrantType;
import dev.patchbay.server.OAuthConfig.OAuthClient;

import java.util.Map;

/** Reads the {@code oauth} settings of a server. */
final class OAuthConfigReader {
    private static final Range PORT = new Range(1, 65_535);

    private final ObjectReader oauth;

    OAuthConfigReader(ObjectReader fields) {
        this.oauth = fields;
    }

    OAuthConfig read() {
        var client =
                new OAuthClient(
                        readStringOrEmpty("clientId"),
                        readStringOrEmpty("clientSecret"),
                        readClientMetadataUrl());
        GrantType grant =
                oauth.readConstant("grant", GrantType.class, GrantType.AUTHORIZATION_CODE);
        if (grant == GrantType.CLIENT_CREDENTIALS
                && (client.id().isEmpty() || client.secret().isEmpty())) {
            oauth.addFinding(
                    Kind.DOUBTFUL,
                    oauth.locationOf("grant"),
                    "The client_credentials grant needs a client with a secret",
                    "Write clientId and clientSecret, or remove grant");
        }
        var signIn =
                new OAuthConfig(
                        client,
                        readStringOrEmpty("issuer"),
                        oauth.readStrings("scopes"),
                        (int) oauth.readInteger("redirectPort", PORT, 0),
                        grant);
        oauth.warnOfUnknownKeys(
                Map.of("callbackPort", "redirectPort", "scope", "scopes", "client_id", "clientId"));
        return signIn;
    }

    private String readStringOrEmpty(String key) {
        String text = oauth.readString(key);
        return text == null ? "" : text;
    }

    private String readClientMetadataUrl() {
        String text = oauth.readString("clientMetadataUrl");
        if (text != null && TransportReader.parseUrl(text) == null) {
            oauth.addFinding(
                    Kind.WRONG_VALUE,
                    oauth.locationOf("clientMetadataUrl"),
                    "Not a valid URL",
                    "Write a complete URL, such as \"https://example.com/client.json\"");
        }
        return text == null ? "" : text;
    }
}
