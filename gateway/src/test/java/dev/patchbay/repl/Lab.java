package dev.patchbay.repl;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A session for tests, with little memory and short limits, in a real JVM of its own. */
final class Lab implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final Session session =
            new Session(SessionOptions.defaults().withHeapMegabytesMax(128), Limits.DEFAULTS);

    Evaluation run(String code) throws Exception {
        return run(code, PATIENCE);
    }

    Evaluation run(String code, Duration timeout) throws Exception {
        return session.evaluate(code, Limits.DEFAULTS.within(timeout), Progress.NONE);
    }

    /** The value of code that must go well. */
    String value(String code) throws Exception {
        Evaluation evaluation = run(code);
        if (evaluation.ending() != Evaluation.Ending.DONE) {
            throw new AssertionError(code + ": " + evaluation);
        }
        return evaluation.value().orElse("");
    }

    /** Waits until something holds. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("It did not come to pass within " + PATIENCE);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
