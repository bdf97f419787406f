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
public record SignIn(
        Client client, String issuer, List<String> scopes, int redirectPort, Grant grant) {
    public static final SignIn FOUND_OUT =
            new SignIn(Client.NONE, "", List.of(), 0, Grant.AUTHORIZATION_CODE);

    /** What the right to come in is given for. */
    public enum Grant {
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
    public record Client(String id, String secret, String metadataUrl) {
        public static final Client NONE = new Client("", "", "");

        @Override
        public String toString() {
            return "client";
        }
    }

    public SignIn {
        scopes = List.copyOf(scopes);
    }

    @Override
    public String toString() {
        return "oauth";
    }
}
