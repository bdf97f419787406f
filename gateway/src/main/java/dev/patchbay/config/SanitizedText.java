package dev.patchbay.config;

import dev.patchbay.text.DisplayText;

/** Text from configuration files that is safe to display: short, escaped, and without secrets. */
public final class SanitizedText {
    private static final int CHARS_MAX = 60;

    private SanitizedText() {}

    public static String quote(String text) {
        return '"' + sanitize(text) + '"';
    }

    public static String sanitize(String text) {
        if (SecretDetector.looksSecret(text)) {
            return SecretDetector.MASK;
        }
        return DisplayText.escape(text, CHARS_MAX);
    }

    /** The path of a member: after a dot if its name allows that, else in brackets. */
    public static String memberPath(String path, String name) {
        if (isSimpleName(name) && !SecretDetector.looksSecret(name)) {
            return path.isEmpty() ? name : path + "." + name;
        }
        return path + "[" + quote(name) + "]";
    }

    private static boolean isSimpleName(String name) {
        boolean simple = !name.isEmpty() && name.length() <= CHARS_MAX;
        for (int i = 0; simple && i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            simple = letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-';
        }
        return simple;
    }
}
