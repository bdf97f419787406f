package dev.patchbay.repl;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request to a session's JVM, from sending it to its answer. At the deadline, or when the
 * caller is interrupted, what runs is told to stop, and if it does not, the JVM is ended.
 */
final class Conversation {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

    /** How a request may end. */
    sealed interface Reply {
        /** It was answered. */
        record Answered(Json answer) implements Reply {}

        /** It was stopped at its deadline; the JVM goes on. */
        record Stopped() implements Reply {}

        /** The JVM is gone; whether because what ran could not be stopped. */
        record Gone(boolean unstoppable) implements Reply {}
    }

    private final Kernel kernel;
    private final Duration limit;
    private final Progress progress;
    private final Consumer<Json> events;
    private final long start = System.nanoTime();

    Conversation(Kernel kernel, Duration limit, Progress progress, Consumer<Json> events) {
        this.kernel = kernel;
        this.limit = limit;
        this.progress = progress;
        this.events = events;
    }

    Reply run(Json request) throws InterruptedException {
        kernel.send(request);
        try {
            while (true) {
                Duration left = limit.minus(elapsed());
                if (!left.isPositive()) {
                    return stop();
                }
                Optional<Json> event = kernel.next(left.compareTo(TICK) < 0 ? left : TICK);
                Reply reply = event.isPresent() ? accept(event.get()) : null;
                if (reply != null) {
                    return reply;
                }
                if (event.isEmpty()) {
                    progress.report(elapsed(), "running");
                }
            }
        } catch (InterruptedException e) {
            stop();
            throw e;
        }
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private @Nullable Reply accept(Json event) {
        return switch (Fields.text(event, "say")) {
            case "done", "fault" -> new Reply.Answered(event);
            case "dead" -> new Reply.Gone(false);
            default -> {
                events.accept(event);
                yield null;
            }
        };
    }

    private Reply stop() {
        kernel.stop();
        if (endsWithin(STOP_PATIENCE)) {
            return kernel.isDead() ? new Reply.Gone(false) : new Reply.Stopped();
        }
        kernel.close();
        return new Reply.Gone(true);
    }

    /** Waits for the end of the request, also if the caller is interrupted meanwhile. */
    private boolean endsWithin(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            for (long left = patience.toNanos(); left > 0; left = end - System.nanoTime()) {
                try {
                    Optional<Json> event = kernel.next(Duration.ofNanos(left));
                    if (event.isPresent() && accept(event.get()) != null) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
