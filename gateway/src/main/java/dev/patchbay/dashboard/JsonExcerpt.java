package dev.patchbay.dashboard;

import dev.patchbay.json.Json;

import java.nio.charset.StandardCharsets;

/** The start of a JSON text and its total length. */
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

    /** The start as text; an incomplete character at its end is replaced. */
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
