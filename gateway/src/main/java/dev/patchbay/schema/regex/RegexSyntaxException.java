package dev.patchbay.schema.regex;

/** Thrown for a text that is not a supported regular expression, or one that is too large. */
public final class RegexSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final boolean isBackReference;

    RegexSyntaxException(String reason) {
        this(reason, false);
    }

    private RegexSyntaxException(String reason, boolean isBackReference) {
        super(reason, null, false, false);
        this.reason = reason;
        this.isBackReference = isBackReference;
    }

    static RegexSyntaxException backReference() {
        return new RegexSyntaxException("refers back to a group, which has no bound in time", true);
    }

    /** Whether the text is a regular expression, but refers back to a group. */
    public boolean isBackReference() {
        return isBackReference;
    }

    /** What is wrong, as the end of a sentence about the pattern: {@code repeats nothing}. */
    public String reason() {
        return reason;
    }
}
