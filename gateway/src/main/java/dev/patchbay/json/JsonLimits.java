package dev.patchbay.json;

/**
 * Limits for the depth of a message and the length of a number. A text over a limit is still
 * validated to its end, so that invalid JSON and JSON over a limit are distinguished.
 */
public record JsonLimits(int depthMax, int numberCharsMax) {
    public static final JsonLimits DEFAULTS = new JsonLimits(500, 1_000);

    public JsonLimits {
        if (depthMax < 1 || numberCharsMax < 1) {
            throw new IllegalArgumentException("A limit below one admits nothing");
        }
    }
}
