package dev.patchbay.testkit;

/** The reason why bytes are not strict JSON, and where that was seen. */
public final class StrictJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What rule was broken. */
    public enum Kind {
        UTF8,
        SYNTAX,
        DUPLICATE_NAME,
        TOO_DEEP
    }

    private final Kind kind;

    StrictJsonException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    static StrictJsonException syntax(String what, int at) {
        return new StrictJsonException(Kind.SYNTAX, what + " at character " + at);
    }

    public Kind kind() {
        return kind;
    }
}
