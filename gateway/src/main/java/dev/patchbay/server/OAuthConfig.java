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
        OAuthClient client,
        String issuer,
        List<String> scopes,
        int redirectPort,
        GrantType grantType) {
    public static final OAuthConfig DISCOVER =
            new OAuthConfig(OAuthClient.NONE, "", List.of(), 0, GrantType.AUTHORIZATION_CODE);

    /** What the right to come in is given for. */
    public enum GrantType {
        /** A person signs in, in a browser. */
        AUTHORIZATION_CODE,
        /** The gateway has a secret of its own, and nobody is asked. */
        CLIENT_CREDENTIALS
    }

    /**
     * A client that the authorization server knows already.
     *
     * @param metadataUrl where it can read about us, instead of having us registered
     */
    public record OAuthClient(String id, String secret, String metadataUrl) {
        public static final OAuthClient NONE = new OAuthClient("", "", "");

        @Override
        public String toString() {
            return "client";
        }
    }

    public OAuthConfig {
        scopes = List.copyOf(scopes);
    }

    @Override
    public String toString() {
        return "oauth";
    }
}
