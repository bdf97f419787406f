package dev.patchbay.oauth;

/** Texts of others, fit to be shown: short, on one line, without control characters. */
final class Shown {
    private static final int CHARS_MAX = 200;

    private Shown() {}

    static String of(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]", " ").strip();
        return plain.length() > CHARS_MAX ? plain.substring(0, CHARS_MAX) + "…" : plain;
    }
}
