package dev.patchbay.repl;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A session for tests, with little memory and short limits, in a real JVM of its own. */
final class ReplTestSession implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    final ReplSession session =
            new ReplSession(
                    ReplSessionOptions.defaults().withHeapMegabytesMax(128),
                    EvaluationLimits.DEFAULTS);

    EvaluationResult run(String code) throws Exception {
        return run(code, TIMEOUT);
    }

    EvaluationResult run(String code, Duration timeout) throws Exception {
        return session.evaluate(
                code, EvaluationLimits.DEFAULTS.withTimeout(timeout), ProgressListener.NONE);
    }

    /** The value of code that must go well. */
    String value(String code) throws Exception {
        EvaluationResult evaluation = run(code);
        if (evaluation.status() != EvaluationResult.Status.DONE) {
            throw new AssertionError(code + ": " + evaluation);
        }
        return evaluation.value().orElse("");
    }

    /** Waits until something holds. */
    static void awaitCondition(BooleanSupplier condition) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("It did not come to pass within " + TIMEOUT);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
