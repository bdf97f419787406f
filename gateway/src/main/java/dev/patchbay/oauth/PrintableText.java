package dev.patchbay.oauth;

/** Texts of others, fit to be shown: short, on one line, without control characters. */
final class PrintableText {
    private static final int CHARS_MAX = 200;

    private PrintableText() {}

    static String of(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]", " ").strip();
        return plain.length() > CHARS_MAX ? plain.substring(0, CHARS_MAX) + "…" : plain;
    }
}
