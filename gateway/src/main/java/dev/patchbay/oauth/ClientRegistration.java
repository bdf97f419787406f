package dev.patchbay.oauth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A client registration. Its text omits the secret.
 *
 * @param secret empty for a public client; a signed assertion for a client with a key
 * @param redirectUri the registered redirect URI; empty if none was registered
 */
record ClientRegistration(
        String clientId, String secret, ClientAuthMethod authMethod, String redirectUri) {
    /** How the client authenticates at the token endpoint. */
    enum ClientAuthMethod {
        NONE("none"),
        BASIC("client_secret_basic"),
        POST("client_secret_post"),
        PRIVATE_KEY("private_key_jwt");

        private final String wireName;

        ClientAuthMethod(String word) {
            this.wireName = word;
        }

        String wireName() {
            return wireName;
        }

        /**
         * The method for a client with a secret, out of the supported ones; the default if unknown.
         */
        static ClientAuthMethod withSecret(List<String> taken) {
            if (taken.isEmpty() || taken.contains(BASIC.wireName)) {
                return BASIC;
            }
            return taken.contains(POST.wireName) ? POST : NONE;
        }

        /** The method with this name, or the other one if it is unknown. */
        static ClientAuthMethod of(String word, ClientAuthMethod other) {
            for (ClientAuthMethod way : values()) {
                if (way.wireName.equals(word)) {
                    return way;
                }
            }
            return other;
        }
    }

    /** Adds the client authentication to the form or to the headers of a token request. */
    void authenticate(Map<String, String> form, Map<String, String> headers) {
        switch (authMethod) {
            case NONE -> {
                if (!clientId.isEmpty()) {
                    form.put("client_id", clientId);
                }
            }
            case POST -> {
                form.put("client_id", clientId);
                form.put("client_secret", secret);
            }
            case PRIVATE_KEY -> {
                form.put("client_id", clientId);
                form.put("client_assertion_type", ClientAssertion.TYPE);
                form.put("client_assertion", secret);
            }
            case BASIC -> {
                byte[] pair =
                        (urlEncode(clientId) + ":" + urlEncode(secret))
                                .getBytes(StandardCharsets.UTF_8);
                headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
            }
        }
    }

    /** The registration without its secret, which is stored elsewhere. */
    ClientRegistration withoutSecret() {
        return new ClientRegistration(clientId, "", authMethod, redirectUri);
    }

    static String urlEncode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return authMethod.wireName;
    }
}
