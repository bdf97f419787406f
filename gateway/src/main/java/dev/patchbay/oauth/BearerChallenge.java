package dev.patchbay.oauth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** A scheme, or the name of a parameter. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]++");

    /** The value of a parameter. */
    private static final Pattern VALUE =
            Pattern.compile("\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++))");

    /**
     * Parses all challenges of a response, joined by commas. If there are several for bearer
     * tokens, the first that names metadata counts, or else the first.
     */
    static BearerChallenge parse(String header) {
        String text = header.length() > CHARS_MAX ? header.substring(0, CHARS_MAX) : header;
        List<Map<String, String>> found = parseBearers(text);
        if (found.isEmpty()) {
            return new BearerChallenge(text.isBlank(), "", "", "");
        }
        Map<String, String> chosen =
                found.stream()
                        .filter(it -> it.containsKey("resource_metadata"))
                        .findFirst()
                        .orElse(found.getFirst());
        return new BearerChallenge(
                true,
                chosen.getOrDefault("resource_metadata", ""),
                chosen.getOrDefault("scope", ""),
                chosen.getOrDefault("error", ""));
    }

    /** The parameters of each bearer challenge. A word without a value is a scheme. */
    private static List<Map<String, String>> parseBearers(String text) {
        var bearers = new ArrayList<Map<String, String>>();
        Map<String, String> parameters = new LinkedHashMap<>();
        Matcher word = WORD.matcher(text);
        Matcher value = VALUE.matcher(text);
        int at = 0;
        while (word.find(at)) {
            at = word.end();
            String name = word.group().toLowerCase(Locale.ROOT);
            if (value.region(at, text.length()).lookingAt()) {
                String quoted = value.group(1);
                parameters.putIfAbsent(
                        name, quoted == null ? value.group(2) : quoted.replaceAll("\\\\(.)", "$1"));
                at = value.end();
            } else {
                parameters = new LinkedHashMap<>();
                if (name.equals("bearer")) {
                    bearers.add(parameters);
                }
            }
        }
        return bearers;
    }

    boolean isInsufficientScope() {
        return error.equals("insufficient_scope");
    }
}
