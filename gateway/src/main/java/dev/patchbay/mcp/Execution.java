package dev.patchbay.mcp;

/** What is known of whether a failed call was carried out. */
public enum Execution {
    /** The server never saw it. */
    NOT_SENT("not_sent"),
    /** It was sent, and nobody knows whether it ran. */
    UNKNOWN("unknown"),
    /** The server answered it. */
    EXECUTED("executed");

    private final String text;

    Execution(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
