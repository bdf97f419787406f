package dev.patchbay.http;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Encodes values in the headers {@code Mcp-Name} and {@code Mcp-Param-*}: as plain text if
 * possible, else as {@code =?base64?…?=}.
 */
public final class HeaderValueCodec {
    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";
    private static final int NUMBER_CHARS_MAX = 40;

    private HeaderValueCodec() {}

    public static String encode(String value) {
        return isPlain(value)
                ? value
                : PREFIX
                        + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
                        + SUFFIX;
    }

    /** Encodes a string, a number or a boolean. */
    public static String encode(Json value) {
        return value.isString() ? encode(value.text()) : value.toString();
    }

    /** Decodes a header; null if its base64 is malformed. */
    static @Nullable String decode(String header) {
        if (!isBase64Marked(header)) {
            return header;
        }
        String coded = header.substring(PREFIX.length(), header.length() - SUFFIX.length());
        try {
            byte[] bytes = Base64.getDecoder().decode(coded);
            boolean padded = coded.length() % 4 == 0;
            return padded ? new String(bytes, StandardCharsets.UTF_8) : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** Whether a header has the same value as the message. */
    public static boolean matches(String header, Json value) {
        String said = decode(header);
        if (said == null) {
            return false;
        }
        if (value.isString()) {
            return said.equals(value.text());
        }
        return said.equals(value.toString()) || (value.isNumber() && isSameNumber(said, value));
    }

    private static boolean isSameNumber(String said, Json value) {
        if (said.length() > NUMBER_CHARS_MAX || value.length() > NUMBER_CHARS_MAX) {
            return false;
        }
        try {
            return new BigDecimal(said).compareTo(new BigDecimal(value.toString())) == 0;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static boolean isPlain(String value) {
        if (value.isEmpty() || isBase64Marked(value)) {
            return false;
        }
        if (isBlank(value.charAt(0)) || isBlank(value.charAt(value.length() - 1))) {
            return false;
        }
        return value.chars().allMatch(c -> (c >= 0x20 && c <= 0x7E) || c == '\t');
    }

    private static boolean isBase64Marked(String value) {
        return value.length() >= PREFIX.length() + SUFFIX.length()
                && value.startsWith(PREFIX)
                && value.endsWith(SUFFIX);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
