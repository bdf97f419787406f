package dev.patchbay.http;

import java.nio.charset.StandardCharsets;

/** The start of what a server sent, fit to be shown: short, and without what moves a cursor. */
public final class PrintableExcerpt {
    private static final int BYTES_MAX = 200;

    private PrintableExcerpt() {}

    public static String of(byte[] bytes) {
        int length = Math.min(bytes.length, BYTES_MAX);
        String start = new String(bytes, 0, length, StandardCharsets.UTF_8);
        var shown = new StringBuilder();
        start.codePoints()
                .forEach(
                        c -> {
                            boolean plain = c >= 0x20 && c < 0x7F;
                            shown.append(plain ? Character.toString(c) : " ");
                        });
        return shown.toString().strip().replaceAll(" {2,}", " ");
    }
}
