package dev.patchbay.gateway;

import dev.patchbay.mcp.Reason;
import dev.patchbay.server.Pause;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Asks a server again for something that may be asked for twice, if the question was lost on the
 * way while the server is there: a proxy that fails once is no reason to give up a task.
 */
final class Persistence {
    private static final int MISSES_MAX = 3;
    private static final Duration PAUSE_FIRST = Duration.ofMillis(250);

    /** One question; how it ended. */
    interface Question {
        Reply ask(Duration left) throws InterruptedException;
    }

    private final Registered server;

    Persistence(Registered server) {
        this.server = server;
    }

    /** Asks until there is an answer, at most a few times, and not beyond the deadline. */
    Reply ask(long deadline, Question question) throws InterruptedException {
        Reply first = null;
        Duration pause = PAUSE_FIRST;
        for (int misses = 0; ; misses++) {
            Reply reply = question.ask(left(deadline));
            if (!isMissed(reply) || misses == MISSES_MAX || left(deadline).compareTo(pause) <= 0) {
                return told(first, reply);
            }
            first = first == null ? reply : first;
            Pause.REAL.await(pause);
            pause = pause.plus(pause);
        }
    }

    /**
     * A server that knows nothing of it any more has lost it, and that was the first word of it.
     */
    private static Reply told(@Nullable Reply first, Reply last) {
        return first != null && last instanceof Reply.Refused ? first : last;
    }

    private boolean isMissed(Reply reply) {
        return reply instanceof Reply.Failed(_, var trouble)
                && trouble.reason() == Reason.INVOCATION_FAILED
                && server.supervisor().liveLink() != null;
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }
}
