package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** The reason why bytes are not acceptable as one JSON value, and where. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong with the bytes. */
    public enum Fault {
        /** No JSON text: bad UTF-8, bad grammar, or something behind the value. */
        NOT_JSON,
        /** JSON, but a member name stands twice in one object. */
        DUPLICATE_NAME,
        /** JSON, but nested deeper than the limit. */
        TOO_DEEP,
        /** JSON, but with a number written longer than the limit. */
        NUMBER_TOO_LONG
    }

    private final Fault fault;
    private final String reason;
    private final int offset;
    private final transient @Nullable Json value;

    JsonException(Fault fault, String message, int offset) {
        this(fault, message + " at byte " + offset, offset, null);
    }

    private JsonException(Fault fault, String reason, int offset, @Nullable Json value) {
        super(reason, null, false, false);
        this.fault = fault;
        this.reason = reason;
        this.offset = offset;
        this.value = value;
    }

    /** The same for a value that is too deep and otherwise as it should be. */
    JsonException withValue(Json value) {
        return new JsonException(fault, reason, offset, value);
    }

    public Fault fault() {
        return fault;
    }

    /** What is wrong and where, in words for the sender. */
    public String reason() {
        return reason;
    }

    /** Where the fault was noticed, counted from the first byte of the text. */
    public int offset() {
        return offset;
    }

    /**
     * The value where all that is wrong with it is its depth, else null. Its parts that are not too
     * deep are as any value; in the others a name may stand twice.
     */
    public @Nullable Json value() {
        return value;
    }
}
