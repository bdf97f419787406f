package dev.patchbay.mcp;

/** What is known of whether a failed call was carried out. */
public enum ExecutionStatus {
    /** The server never saw it. */
    NOT_SENT("not_sent"),
    /** It was sent, and nobody knows whether it ran. */
    UNKNOWN("unknown"),
    /** The server answered it. */
    EXECUTED("executed");

    private final String wireName;

    ExecutionStatus(String text) {
        this.wireName = text;
    }

    public String wireName() {
        return wireName;
    }
}
