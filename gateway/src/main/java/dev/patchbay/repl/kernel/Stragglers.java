package dev.patchbay.repl.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Threads that run code of snippets and have not seen yet that they are to stop: some have had no
 * turn, and some are in the JDK's code, where nothing asks.
 */
final class Stragglers {
    /** What does not stop by then is in code without checks, and goes on. */
    private static final Duration TIME_MAX = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(2);

    /** Between two pieces of work a thread shows none of them. */
    private static final int LOOKS = 3;

    private Stragglers() {}

    /** Waits until there are none, but not for long. */
    static void await() {
        long deadline = System.nanoTime() + TIME_MAX.toNanos();
        int clear = 0;
        while (clear < LOOKS && System.nanoTime() < deadline) {
            clear = isAny() ? 0 : clear + 1;
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private static boolean isAny() {
        return Thread.getAllStackTraces().entrySet().stream().anyMatch(Stragglers::isOne);
    }

    /** One that waits for something is none: it would never come to a check. */
    private static boolean isOne(Map.Entry<Thread, StackTraceElement[]> running) {
        return running.getKey().getState() == Thread.State.RUNNABLE
                && Stream.of(running.getValue())
                        .anyMatch(it -> SnippetLoader.NAME.equals(it.getClassLoaderName()));
    }
}
