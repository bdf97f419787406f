package dev.patchbay.server;

import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;

/**
 * Why something with a server did not work: for programs, and in words with what to do next.
 *
 * @param symptom how it showed, for whoever looks for the cause
 */
public record Trouble(
        Reason reason,
        String message,
        String operation,
        int attempts,
        Execution execution,
        Symptom symptom) {
    public Trouble(
            Reason reason, String message, String operation, int attempts, Execution execution) {
        this(reason, message, operation, attempts, execution, Symptom.OTHER);
    }

    /** The end of a server that was connected. */
    static Trouble ended(String message, int attempts) {
        return new Trouble(
                Reason.CONNECTION_FAILED,
                message,
                "run",
                attempts,
                Execution.NOT_SENT,
                Symptom.ENDED_LATER);
    }
}
