package dev.patchbay.history;

import dev.patchbay.json.Json;

import java.nio.charset.StandardCharsets;

/** The start of a JSON text and its total length. */
public final class JsonExcerpt {
    private final byte[] head;
    private final int totalBytes;

    private JsonExcerpt(byte[] head, int wholeBytes) {
        this.head = head;
        this.totalBytes = wholeBytes;
    }

    public static JsonExcerpt of(Json json, int bytesMax) {
        return new JsonExcerpt(json.head(bytesMax), json.length());
    }

    /** The start as text; an incomplete character at its end is replaced. */
    public String text() {
        return new String(head, StandardCharsets.UTF_8);
    }

    public int totalBytes() {
        return totalBytes;
    }

    public boolean isTruncated() {
        return head.length < totalBytes;
    }
}
