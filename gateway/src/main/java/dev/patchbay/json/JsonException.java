package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

/** Why bytes are not acceptable as one JSON value, and where. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kinds of faults. */
    public enum Fault {
        /** Not JSON: invalid UTF-8, invalid grammar, or text after the value. */
        NOT_JSON,
        /** JSON, but with a duplicate member name. */
        DUPLICATE_NAME,
        /** JSON, but nested deeper than the limit. */
        TOO_DEEP,
        /** JSON, but with a number longer than the limit. */
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

    /** The exception with its value, which is valid except for its depth. */
    JsonException withValue(Json value) {
        return new JsonException(fault, reason, offset, value);
    }

    public Fault fault() {
        return fault;
    }

    /** What is wrong and where, as a message to the sender. */
    public String reason() {
        return reason;
    }

    /** The offset at which the fault was detected. */
    public int offset() {
        return offset;
    }

    /**
     * The value, if only its depth is at fault, else null. Its parts that are not too deep are
     * valid; in the others a member name may be duplicated.
     */
    public @Nullable Json value() {
        return value;
    }
}
