package dev.patchbay.oauth;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bearer part of a {@code WWW-Authenticate} header; missing texts are empty.
 *
 * @param acceptsBearer whether bearer tokens are accepted, as far as is known
 * @param resourceMetadata the URL of the server's metadata
 */
record BearerChallenge(boolean acceptsBearer, String resourceMetadata, String scope, String error) {
    private static final int CHARS_MAX = 8 * 1024;

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "([A-Za-z0-9_-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++))");

    /** The start of the bearer part. */
    private static final Pattern BEARER = Pattern.compile("(?i)(?:^|,)\\s*bearer(?=\\s|,|$)");

    /** The start of another scheme: a word that is followed by another word. */
    private static final Pattern NEXT_SCHEME =
            Pattern.compile(",\\s*[A-Za-z0-9_-]+\\s+[A-Za-z0-9_-]+\\s*=");

    static BearerChallenge parse(String header) {
        String text = header.length() > CHARS_MAX ? header.substring(0, CHARS_MAX) : header;
        Matcher begin = BEARER.matcher(text);
        if (!begin.find()) {
            return new BearerChallenge(text.isBlank(), "", "", "");
        }
        String own = text.substring(begin.end());
        Matcher next = NEXT_SCHEME.matcher(own);
        Map<String, String> found =
                parseParameters(next.find() ? own.substring(0, next.start()) : own);
        return new BearerChallenge(
                true,
                found.getOrDefault("resource_metadata", ""),
                found.getOrDefault("scope", ""),
                found.getOrDefault("error", ""));
    }

    private static Map<String, String> parseParameters(String text) {
        var found = new LinkedHashMap<String, String>();
        Matcher each = PARAMETER.matcher(text);
        while (each.find()) {
            String quoted = each.group(2);
            String value = quoted == null ? each.group(3) : quoted.replaceAll("\\\\(.)", "$1");
            found.putIfAbsent(each.group(1).toLowerCase(Locale.ROOT), value);
        }
        return found;
    }

    boolean isInsufficientScope() {
        return error.equals("insufficient_scope");
    }
}
