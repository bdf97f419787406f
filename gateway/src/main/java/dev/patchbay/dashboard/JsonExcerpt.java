package dev.patchbay.dashboard;

import dev.patchbay.json.Json;

import java.nio.charset.StandardCharsets;

/** The beginning of a JSON text, and how long it is as a whole. */
final class JsonExcerpt {
    private final byte[] head;
    private final int totalBytes;

    private JsonExcerpt(byte[] head, int wholeBytes) {
        this.head = head;
        this.totalBytes = wholeBytes;
    }

    static JsonExcerpt of(Json json, int bytesMax) {
        return new JsonExcerpt(json.head(bytesMax), json.length());
    }

    /** The beginning; a character that was cut through is left out or replaced. */
    String text() {
        return new String(head, StandardCharsets.UTF_8);
    }

    int totalBytes() {
        return totalBytes;
    }

    boolean isTruncated() {
        return head.length < totalBytes;
    }
}
