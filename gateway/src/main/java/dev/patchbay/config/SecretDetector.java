package dev.patchbay.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Detects values that look like secrets, so that they are reported and never displayed. */
public final class SecretDetector {
    public static final String MASK = "***";

    /** Prefixes of the tokens of well-known services. */
    private static final List<String> TOKEN_PREFIXES =
            List.of(
                    "ghp_",
                    "gho_",
                    "ghs_",
                    "ghu_",
                    "ghr_",
                    "github_pat_",
                    "glpat-",
                    "sk-",
                    "sk_live_",
                    "sk_test_",
                    "rk_live_",
                    "xoxb-",
                    "xoxp-",
                    "xoxa-",
                    "xapp-",
                    "AKIA",
                    "ASIA",
                    "AIza",
                    "ya29.",
                    "hf_",
                    "npm_",
                    "pypi-",
                    "eyJ",
                    "ntn_",
                    "secret_",
                    "lin_api_",
                    "SG.",
                    "dop_v1_",
                    "figd_",
                    "shpat_",
                    "tvly-",
                    "gsk_",
                    "r8_",
                    "pat-",
                    "dckr_pat_");

    private static final int RANDOM_CHARS_MIN = 32;
    private static final double RANDOM_BITS_PER_CHAR_MIN = 4.0;

    private static final int TOKEN_CHARS_MIN = 16;
    private static final Pattern TOKEN =
            Pattern.compile("[A-Za-z0-9_.+~-]{" + TOKEN_CHARS_MIN + ",}");
    private static final Pattern WORD_START = Pattern.compile("([a-z0-9])([A-Z])");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^a-z0-9]+");
    private static final Pattern URL_PASSWORD = Pattern.compile("://[^/?#@\\s:]*:[^/?#@\\s]+@");

    private static final Set<String> SECRET_WORDS =
            Set.of(
                    "token",
                    "secret",
                    "password",
                    "passwd",
                    "passphrase",
                    "apikey",
                    "credential",
                    "credentials",
                    "bearer",
                    "authorization",
                    "pat");

    private SecretDetector() {}

    /** Whether a text looks like a secret or contains one. */
    public static boolean looksSecret(String text) {
        if (text.startsWith("Bearer ") || text.startsWith("Basic ")) {
            return !text.contains("${");
        }
        if (hasUrlPassword(text)) {
            return true;
        }
        if (text.length() < TOKEN_CHARS_MIN) {
            return false; // most arguments are short
        }
        var tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            if (isToken(tokens.group())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the name of a variable or an option is typical of secrets. */
    public static boolean isSecretName(String name) {
        String separated = WORD_START.matcher(name).replaceAll("$1-$2").toLowerCase(Locale.ROOT);
        String[] words = BETWEEN_WORDS.split(separated, -1);
        for (int i = 0; i < words.length; i++) {
            boolean key = words[i].equals("key") && i > 0 && isKeyQualifier(words[i - 1]);
            if (SECRET_WORDS.contains(words[i]) || key) {
                return true;
            }
        }
        return false;
    }

    /** Whether an argument contains a secret, or follows an option for one. */
    public static boolean isSecretArgument(String before, String argument) {
        if (looksSecret(argument) || usesSecretVariable(argument)) {
            return true;
        }
        int equals = argument.indexOf('=');
        if (argument.startsWith("-") && equals > 0) {
            return isSecretName(argument.substring(0, equals)) && equals + 1 < argument.length();
        }
        boolean isValue = !argument.startsWith("-") && !argument.isEmpty();
        return isValue && before.startsWith("-") && !before.contains("=") && isSecretName(before);
    }

    /** Whether a URL contains a secret in its query or before its host. */
    public static boolean hasSecretInUrl(String url) {
        if (hasUrlPassword(url)) {
            return true;
        }
        int query = url.indexOf('?');
        if (query < 0) {
            return false;
        }
        for (String pair : url.substring(query + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && (isSecretName(pair.substring(0, equals)) || looksSecret(pair))) {
                return true;
            }
        }
        return false;
    }

    /** A URL that is safe to display: no user, and no query values. */
    public static String maskUrl(String url) {
        try {
            var uri = URI.create(url);
            if (uri.getHost() != null) {
                String query = uri.getRawQuery() == null ? "" : "?" + MASK;
                String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
                String path = uri.getRawPath() == null ? "" : maskPathSegments(uri.getRawPath());
                return uri.getScheme() + "://" + uri.getHost() + port + path + query;
            }
        } catch (IllegalArgumentException e) {
            // Not a URL: treated as plain text.
        }
        return looksSecret(url) || hasSecretInUrl(url) ? MASK : SanitizedText.sanitize(url);
    }

    private static String maskPathSegments(String path) {
        var shown = new StringBuilder();
        for (String segment : path.split("/", -1)) {
            shown.append(shown.isEmpty() && segment.isEmpty() ? "" : "/");
            shown.append(looksSecret(segment) ? MASK : segment);
        }
        return shown.isEmpty() || shown.charAt(0) == '/' ? shown.toString() : "/" + shown;
    }

    private static boolean usesSecretVariable(String text) {
        int at = text.indexOf("${");
        while (at >= 0) {
            int end = text.indexOf('}', at);
            if (end < 0) {
                return false;
            }
            String name = text.substring(at + 2, end);
            int dash = name.indexOf(":-");
            if (isSecretName(dash < 0 ? name : name.substring(0, dash))) {
                return true;
            }
            at = text.indexOf("${", end);
        }
        return false;
    }

    private static boolean hasUrlPassword(String text) {
        if (!text.contains("://")) {
            return false;
        }
        var matcher = URL_PASSWORD.matcher(text);
        return matcher.find() && !matcher.group().contains(":${");
    }

    private static boolean isKeyQualifier(String word) {
        return Set.of("api", "access", "private", "secret", "auth", "service").contains(word);
    }

    private static boolean isToken(String part) {
        for (String prefix : TOKEN_PREFIXES) {
            if (part.startsWith(prefix) && part.chars().anyMatch(Character::isDigit)) {
                return true;
            }
        }
        return part.length() >= RANDOM_CHARS_MIN && isRandom(part);
    }

    private static boolean isRandom(String part) {
        boolean mixed =
                part.chars().anyMatch(Character::isDigit)
                        && part.chars().anyMatch(Character::isLetter)
                        && part.chars().filter(c -> c == '-' || c == '_' || c == '.').count() <= 3;
        return mixed && bitsPerChar(part) >= RANDOM_BITS_PER_CHAR_MIN;
    }

    private static double bitsPerChar(String part) {
        int[] counts = new int[128];
        part.chars().forEach(c -> counts[c]++);
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / part.length();
                bits -= share * Math.log(share) / Math.log(2);
            }
        }
        return bits;
    }
}
