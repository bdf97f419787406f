package dev.patchbay.config;

/** Foreign text made fit to be shown: short, on one line, without control characters. */
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
        var shown = new StringBuilder();
        text.codePoints()
                .limit(CHARS_MAX)
                .forEach(c -> shown.appendCodePoint(isPrintable(c) ? c : '?'));
        return text.codePointCount(0, text.length()) > CHARS_MAX ? shown + "…" : shown.toString();
    }

    /** The way to a member: with a dot where its name allows that, else in brackets. */
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

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE ->
                    false;
            default -> true;
        };
    }
}
