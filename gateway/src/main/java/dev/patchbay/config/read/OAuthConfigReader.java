package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.read.ObjectReader.Range;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.OAuthConfig.Grant;
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
                        readUrl("clientMetadataUrl"),
                        readPath("privateKeyFile"));
        Grant grant = readGrant(client);
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

    private enum GrantName {
        AUTHORIZATION_CODE,
        CLIENT_CREDENTIALS,
        JWT_BEARER,
        IDENTITY_ASSERTION
    }

    private Grant readGrant(OAuthClient client) {
        GrantName name = oauth.readConstant("grant", GrantName.class, GrantName.AUTHORIZATION_CODE);
        String assertionFile = readPath("assertionFile");
        ObjectReader provider = oauth.readObject("identityProvider");
        String tokenUrl = readUrl(provider, "tokenUrl");
        String providerClient = provider.readString("clientId");
        provider.warnOfUnknownKeys(Map.of());
        boolean hasSecret = !(client.secret() + client.privateKeyFile()).isEmpty();
        return switch (name) {
            case AUTHORIZATION_CODE -> new Grant.AuthorizationCode();
            case CLIENT_CREDENTIALS -> {
                requireFor(
                        !client.id().isEmpty() && hasSecret,
                        "The client_credentials grant needs a client with a secret",
                        "Write clientId and clientSecret or privateKeyFile, or remove grant");
                yield new Grant.ClientCredentials();
            }
            case JWT_BEARER -> {
                requireFor(
                        !assertionFile.isEmpty(),
                        "The jwt_bearer grant needs the file with the JWT",
                        "Write assertionFile, or remove grant");
                yield new Grant.JwtBearer(assertionFile);
            }
            case IDENTITY_ASSERTION -> {
                requireFor(
                        !assertionFile.isEmpty() && !tokenUrl.isEmpty() && !client.id().isEmpty(),
                        "The identity_assertion grant needs an ID token, an identity provider and"
                                + " a client",
                        "Write assertionFile, identityProvider.tokenUrl and clientId, or remove"
                                + " grant");
                yield new Grant.IdentityAssertion(
                        assertionFile, tokenUrl, providerClient == null ? "" : providerClient);
            }
        };
    }

    private void requireFor(boolean isComplete, String problem, String remedy) {
        if (!isComplete) {
            oauth.addFinding(Kind.DOUBTFUL, oauth.locationOf("grant"), problem, remedy);
        }
    }

    private String readPath(String key) {
        String text = oauth.readString(key);
        if (text != null && !text.startsWith("/")) {
            oauth.addFinding(
                    Kind.WRONG_VALUE,
                    oauth.locationOf(key),
                    "Not an absolute path",
                    "Write a path that begins with /, such as \"${HOME}/keys/gateway.pem\"");
        }
        return text == null ? "" : text;
    }

    private String readUrl(String key) {
        return readUrl(oauth, key);
    }

    private static String readUrl(ObjectReader fields, String key) {
        String text = fields.readString(key);
        if (text != null && TransportReader.parseUrl(text) == null) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf(key),
                    "Not a valid URL",
                    "Write a complete URL, such as \"https://example.com/client.json\"");
        }
        return text == null ? "" : text;
    }
}
