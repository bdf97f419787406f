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
final class KernelCall {
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    /** How a request may end. */
    sealed interface Outcome {
        /** It was answered. */
        record Answered(Json answer) implements Outcome {}

        /** It was stopped at its deadline; the JVM goes on. */
        record Stopped() implements Outcome {}

        /** The JVM is gone; whether because what ran could not be stopped. */
        record JvmEnded(boolean unstoppable) implements Outcome {}
    }

    private final KernelConnection kernel;
    private final Duration timeout;
    private final ProgressListener progressListener;
    private final Consumer<Json> eventConsumer;
    private final long start = System.nanoTime();

    KernelCall(
            KernelConnection kernel,
            Duration limit,
            ProgressListener progress,
            Consumer<Json> events) {
        this.kernel = kernel;
        this.timeout = limit;
        this.progressListener = progress;
        this.eventConsumer = events;
    }

    Outcome run(Json request) throws InterruptedException {
        kernel.send(request);
        try {
            while (true) {
                Duration left = timeout.minus(elapsed());
                if (!left.isPositive()) {
                    return stop();
                }
                Optional<Json> event =
                        kernel.nextEvent(
                                left.compareTo(PROGRESS_INTERVAL) < 0 ? left : PROGRESS_INTERVAL);
                Outcome reply = event.isPresent() ? accept(event.get()) : null;
                if (reply != null) {
                    return reply;
                }
                if (event.isEmpty()) {
                    progressListener.report(elapsed(), "running");
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

    private @Nullable Outcome accept(Json event) {
        return switch (JsonFields.text(event, "say")) {
            case "done", "fault" -> new Outcome.Answered(event);
            case "dead" -> new Outcome.JvmEnded(false);
            default -> {
                eventConsumer.accept(event);
                yield null;
            }
        };
    }

    private Outcome stop() {
        kernel.stop();
        if (endsWithin(STOP_TIMEOUT)) {
            return kernel.hasEnded() ? new Outcome.JvmEnded(false) : new Outcome.Stopped();
        }
        kernel.close();
        return new Outcome.JvmEnded(true);
    }

    /** Waits for the end of the request, also if the caller is interrupted meanwhile. */
    private boolean endsWithin(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            for (long left = patience.toNanos(); left > 0; left = end - System.nanoTime()) {
                try {
                    Optional<Json> event = kernel.nextEvent(Duration.ofNanos(left));
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
