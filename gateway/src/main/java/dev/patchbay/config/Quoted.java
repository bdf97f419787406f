package dev.patchbay.config;

/** Foreign text made fit to be shown: short, on one line, without control characters. */
final class Quoted {
    private static final int CHARS_MAX = 60;

    private Quoted() {}

    static String of(String text) {
        return '"' + plain(text) + '"';
    }

    static String plain(String text) {
        if (Secrets.looksSecret(text)) {
            return Secrets.MASK;
        }
        var shown = new StringBuilder();
        text.codePoints()
                .limit(CHARS_MAX)
                .forEach(c -> shown.appendCodePoint(isPlain(c) ? c : '?'));
        return text.codePointCount(0, text.length()) > CHARS_MAX ? shown + "…" : shown.toString();
    }

    /** The way to a member: with a dot where its name allows that, else in brackets. */
    static String member(String path, String name) {
        if (isSimple(name) && !Secrets.looksSecret(name)) {
            return path.isEmpty() ? name : path + "." + name;
        }
        return path + "[" + of(name) + "]";
    }

    private static boolean isSimple(String name) {
        boolean simple = !name.isEmpty() && name.length() <= CHARS_MAX;
        for (int i = 0; simple && i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            simple = letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '-';
        }
        return simple;
    }

    private static boolean isPlain(int c) {
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
