package dev.patchbay.schema;

/** The reason why a schema cannot be compiled. */
final class UnusableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    UnusableException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** A fault at a place of the schema. */
    UnusableException(Value place, String fault) {
        this(Text.place(place.pointer()) + ": " + fault);
    }

    String reason() {
        return reason;
    }
}
