package dev.patchbay.gateway;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Repeats a query that may be sent twice, if it was lost while the server is connected: one failure
 * of a proxy is no reason to give up a task.
 */
final class PollRetry {
    private static final int RETRIES_MAX = 3;
    private static final Duration FIRST_DELAY = Duration.ofMillis(250);

    /** One query. */
    interface Poll {
        CallResult send(Duration left) throws InterruptedException;
    }

    private final ServerEntry server;
    private final Caller caller;

    PollRetry(ServerEntry server, Caller caller) {
        this.server = server;
        this.caller = caller;
    }

    /** Queries until there is a response, a few times at most, and not beyond the deadline. */
    CallResult run(long deadline, Poll question) throws InterruptedException {
        CallResult first = null;
        Duration pause = FIRST_DELAY;
        for (int misses = 0; ; misses++) {
            CallResult reply = question.send(timeLeft(deadline));
            if (!isTransientFailure(reply)
                    || misses == RETRIES_MAX
                    || timeLeft(deadline).compareTo(pause) <= 0) {
                return preferFirstFailure(first, reply);
            }
            first = first == null ? reply : first;
            Ticker.system().sleep(pause);
            pause = pause.plus(pause);
        }
    }

    /** If the server no longer knows the task, the first failure is more useful. */
    private static CallResult preferFirstFailure(@Nullable CallResult first, CallResult last) {
        return first != null && last instanceof CallResult.ServerError ? first : last;
    }

    private boolean isTransientFailure(CallResult reply) {
        return reply instanceof CallResult.Failed(_, var failure)
                && failure.reason() == ErrorReason.INVOCATION_FAILED
                && server.connections().currentSession(caller) != null;
    }

    private static Duration timeLeft(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }
}
