package dev.patchbay.server;

import java.util.List;

/**
 * What is configured of how to sign in to a server by OAuth; texts are empty where nothing is. All
 * of it can be found out from most servers. As text it is a word only, for it holds a secret.
 *
 * @param client what the authorization server knows us by
 * @param issuer the one authorization server that may be used; empty for the one the server names
 * @param scopes what to ask for; empty for what the server wants
 * @param redirectPort the port on which the browser comes back; 0 for any that is free
 */
public record OAuthConfig(
        OAuthClient client, String issuer, List<String> scopes, int redirectPort, Grant grant) {
    public static final OAuthConfig DISCOVER =
            new OAuthConfig(OAuthClient.NONE, "", List.of(), 0, new Grant.AuthorizationCode());

    /** What the right to come in is given for. */
    public sealed interface Grant {
        /** A person signs in, in a browser. */
        record AuthorizationCode() implements Grant {}

        /** The gateway has a secret or a key of its own, and nobody is asked. */
        record ClientCredentials() implements Grant {}

        /**
         * The platform on which the gateway runs vouches for it (RFC 7523).
         *
         * @param assertionFile the file with the JWT, which the platform renews
         */
        record JwtBearer(String assertionFile) implements Grant {}

        /**
         * The identity provider of a company vouches for a person.
         *
         * @param idTokenFile the file with the ID token of the person
         * @param tokenUrl the token endpoint of the identity provider
         * @param clientId the gateway's client there; empty for none
         */
        record IdentityAssertion(String idTokenFile, String tokenUrl, String clientId)
                implements Grant {}
    }

    /**
     * A client that the authorization server knows already.
     *
     * @param metadataUrl where it can read about us, instead of having us registered
     * @param privateKeyFile the file with the key that proves who we are, instead of a secret
     */
    public record OAuthClient(String id, String secret, String metadataUrl, String privateKeyFile) {
        public static final OAuthClient NONE = new OAuthClient("", "", "", "");

        @Override
        public String toString() {
            return "client";
        }
    }

    public OAuthConfig {
        scopes = List.copyOf(scopes);
    }

    /** Whether a person must sign in. */
    public boolean needsPerson() {
        return grant instanceof Grant.AuthorizationCode;
    }

    @Override
    public String toString() {
        return "oauth";
    }
}
