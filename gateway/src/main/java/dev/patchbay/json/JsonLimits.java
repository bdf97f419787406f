package dev.patchbay.json;

/**
 * How deep a message may nest and how long a number may be written. A text beyond them is still
 * checked to its end, so that "not JSON" and "too much JSON" are told apart.
 */
public record JsonLimits(int depthMax, int numberCharsMax) {
    public static final JsonLimits DEFAULTS = new JsonLimits(500, 1_000);

    public JsonLimits {
        if (depthMax < 1 || numberCharsMax < 1) {
            throw new IllegalArgumentException("A limit below one admits nothing");
        }
    }
}
