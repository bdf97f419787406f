package dev.patchbay.oauth.resource;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A JWT in compact form, whose signature was not verified yet.
 *
 * @param signedText the text that the signature covers
 * @param signature in base64url
 */
record SignedJwt(Json header, Json claims, String signedText, String signature) {
    private static final int PARTS = 3;
    private static final int ENCRYPTED_PARTS = 5;

    /** Whether a token has the form of a signed JWT. */
    static boolean hasForm(String token) {
        return countParts(token) == PARTS && token.startsWith("e");
    }

    /** Whether a token has the form of an encrypted JWT. */
    static boolean hasEncryptedForm(String token) {
        return countParts(token) == ENCRYPTED_PARTS && token.startsWith("e");
    }

    private static int countParts(String token) {
        int parts = 1;
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) == '.') {
                parts++;
            }
        }
        return parts;
    }

    /** Parses a token; null if it is not well-formed, for example if it has a claim twice. */
    static @Nullable SignedJwt parse(String token) {
        int first = token.indexOf('.');
        int last = token.lastIndexOf('.');
        if (countParts(token) != PARTS || token.indexOf('=') >= 0) {
            return null;
        }
        Json header = parseObject(token.substring(0, first));
        Json claims = parseObject(token.substring(first + 1, last));
        return header == null || claims == null
                ? null
                : new SignedJwt(
                        header, claims, token.substring(0, last), token.substring(last + 1));
    }

    private static @Nullable Json parseObject(String base64) {
        try {
            byte[] text =
                    Base64.getUrlDecoder().decode(base64.getBytes(StandardCharsets.ISO_8859_1));
            Json json = Json.parse(text);
            return json.isObject() ? json : null;
        } catch (IllegalArgumentException | JsonException _) {
            return null;
        }
    }
}
