package dev.patchbay.mcp;

/** Whether the server executed a failed call. */
public enum ExecutionStatus {
    /** The call was not sent. */
    NOT_SENT("not_sent"),
    /** The call was sent; whether it was executed is unknown. */
    UNKNOWN("unknown"),
    /** The server answered the call. */
    EXECUTED("executed");

    private final String wireName;

    ExecutionStatus(String text) {
        this.wireName = text;
    }

    public String wireName() {
        return wireName;
    }
}
