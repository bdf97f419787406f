package dev.patchbay.server;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;

/**
 * Why something with a server did not work: for programs, and in words with what to do next.
 *
 * @param kind how it showed, for whoever looks for the cause
 */
public record ServerFailure(
        ErrorReason reason,
        String message,
        String operation,
        int attempts,
        ExecutionStatus execution,
        FailureKind kind) {
    public ServerFailure(
            ErrorReason reason,
            String message,
            String operation,
            int attempts,
            ExecutionStatus execution) {
        this(reason, message, operation, attempts, execution, FailureKind.OTHER);
    }

    /** Why a server in a phase that is not enabled cannot be used. */
    static ServerFailure notEnabled(ServerId server, Phase phase) {
        boolean disabled = phase instanceof Phase.Disabled;
        return new ServerFailure(
                disabled ? ErrorReason.SERVER_DISABLED : ErrorReason.CONNECTION_FAILED,
                "Server " + server + (disabled ? " is disabled" : " is being stopped"),
                "connect",
                0,
                ExecutionStatus.NOT_SENT);
    }

    /** The end of a server that was connected. */
    static ServerFailure endedAfterConnect(String message, int attempts) {
        return new ServerFailure(
                ErrorReason.CONNECTION_FAILED,
                message,
                "run",
                attempts,
                ExecutionStatus.NOT_SENT,
                FailureKind.ENDED_AFTER_CONNECT);
    }
}
