package dev.patchbay.dashboard;

import dev.patchbay.json.Json;

import java.nio.charset.StandardCharsets;

/** The beginning of a JSON text, and how long it is as a whole. */
final class Excerpt {
    private final byte[] head;
    private final int wholeBytes;

    private Excerpt(byte[] head, int wholeBytes) {
        this.head = head;
        this.wholeBytes = wholeBytes;
    }

    static Excerpt of(Json json, int bytesMax) {
        return new Excerpt(json.head(bytesMax), json.length());
    }

    /** The beginning; a character that was cut through is left out or replaced. */
    String text() {
        return new String(head, StandardCharsets.UTF_8);
    }

    int wholeBytes() {
        return wholeBytes;
    }

    boolean isCut() {
        return head.length < wholeBytes;
    }
}
