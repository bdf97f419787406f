package dev.patchbay.schema.regex;

/** Thrown for a text that is not a supported regular expression, or one that is too large. */
public final class RegexSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    RegexSyntaxException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** What is wrong, as the end of a sentence about the pattern: {@code repeats nothing}. */
    public String reason() {
        return reason;
    }
}
