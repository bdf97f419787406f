package dev.patchbay.oauth;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What an authorization server knows us by. As text it is the way only, for it holds a secret.
 *
 * @param secret empty for a client without one
 * @param redirectUri where its browsers come back to; empty if nobody was registered for it
 */
record ClientRegistration(
        String clientId, String secret, ClientAuthMethod authMethod, String redirectUri) {
    /** How the token endpoint is told who we are. */
    enum ClientAuthMethod {
        NONE("none"),
        BASIC("client_secret_basic"),
        POST("client_secret_post");

        private final String wireName;

        ClientAuthMethod(String word) {
            this.wireName = word;
        }

        String wireName() {
            return wireName;
        }

        /** The way for a client with a secret, of those that are taken; untold means the usual. */
        static ClientAuthMethod withSecret(List<String> taken) {
            if (taken.isEmpty() || taken.contains(BASIC.wireName)) {
                return BASIC;
            }
            return taken.contains(POST.wireName) ? POST : NONE;
        }

        /** The way of that word; another one if there is none such. */
        static ClientAuthMethod of(String word, ClientAuthMethod other) {
            for (ClientAuthMethod way : values()) {
                if (way.wireName.equals(word)) {
                    return way;
                }
            }
            return other;
        }
    }

    /** Says who we are in a request for a token: in its form, or in its headers. */
    void authenticate(Map<String, String> form, Map<String, String> headers) {
        switch (authMethod) {
            case NONE -> form.put("client_id", clientId);
            case POST -> {
                form.put("client_id", clientId);
                form.put("client_secret", secret);
            }
            case BASIC -> {
                byte[] pair =
                        (urlEncode(clientId) + ":" + urlEncode(secret))
                                .getBytes(StandardCharsets.UTF_8);
                headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
            }
        }
    }

    /** The same without the secret, where that is kept elsewhere. */
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
