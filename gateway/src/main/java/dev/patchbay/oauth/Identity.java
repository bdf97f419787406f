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
record Identity(String id, String secret, Way way, String redirectUri) {
    /** How the token endpoint is told who we are. */
    enum Way {
        NONE("none"),
        BASIC("client_secret_basic"),
        POST("client_secret_post");

        private final String word;

        Way(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        /** The way for a client with a secret, of those that are taken; untold means the usual. */
        static Way withSecret(List<String> taken) {
            if (taken.isEmpty() || taken.contains(BASIC.word)) {
                return BASIC;
            }
            return taken.contains(POST.word) ? POST : NONE;
        }

        /** The way of that word; another one if there is none such. */
        static Way of(String word, Way other) {
            for (Way way : values()) {
                if (way.word.equals(word)) {
                    return way;
                }
            }
            return other;
        }
    }

    /** Says who we are in a request for a token: in its form, or in its headers. */
    void sign(Map<String, String> form, Map<String, String> headers) {
        switch (way) {
            case NONE -> form.put("client_id", id);
            case POST -> {
                form.put("client_id", id);
                form.put("client_secret", secret);
            }
            case BASIC -> {
                byte[] pair =
                        (encoded(id) + ":" + encoded(secret)).getBytes(StandardCharsets.UTF_8);
                headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
            }
        }
    }

    /** The same without the secret, where that is kept elsewhere. */
    Identity withoutSecret() {
        return new Identity(id, "", way, redirectUri);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return way.word;
    }
}
