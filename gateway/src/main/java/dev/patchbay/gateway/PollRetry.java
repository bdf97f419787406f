package dev.patchbay.gateway;

import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Asks a server again for something that may be asked for twice, if the question was lost on the
 * way while the server is there: a proxy that fails once is no reason to give up a task.
 */
final class PollRetry {
    private static final int RETRIES_MAX = 3;
    private static final Duration FIRST_DELAY = Duration.ofMillis(250);

    /** One question; how it ended. */
    interface Poll {
        CallResult send(Duration left) throws InterruptedException;
    }

    private final ServerEntry server;

    PollRetry(ServerEntry server) {
        this.server = server;
    }

    /** Asks until there is an answer, at most a few times, and not beyond the deadline. */
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

    /**
     * A server that knows nothing of it any more has lost it, and that was the first word of it.
     */
    private static CallResult preferFirstFailure(@Nullable CallResult first, CallResult last) {
        return first != null && last instanceof CallResult.ServerError ? first : last;
    }

    private boolean isTransientFailure(CallResult reply) {
        return reply instanceof CallResult.Failed(_, var trouble)
                && trouble.reason() == ErrorReason.INVOCATION_FAILED
                && server.supervisor().currentSession() != null;
    }

    private static Duration timeLeft(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }
}
