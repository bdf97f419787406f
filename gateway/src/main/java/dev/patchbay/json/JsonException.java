package dev.patchbay.json;

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

    JsonException(Fault fault, String message, int offset) {
        super(message + " at byte " + offset, null, false, false);
        this.fault = fault;
        this.reason = message + " at byte " + offset;
        this.offset = offset;
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
}
