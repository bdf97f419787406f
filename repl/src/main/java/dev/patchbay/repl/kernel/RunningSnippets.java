package dev.patchbay.repl.kernel;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Threads that run code of snippets and have not seen yet that they are to stop: some have had no
 * turn, and some are in the JDK's code, where nothing asks.
 */
final class RunningSnippets {
    /** What does not stop by then is in code without checks, and goes on. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    /** Between two pieces of work a thread shows none of them. */
    private static final int CLEAR_POLLS = 3;

    private RunningSnippets() {}

    /** Waits until there are none, but not for long. */
    static void awaitStopped() {
        long deadline = System.nanoTime() + WAIT_MAX.toNanos();
        int clear = 0;
        while (clear < CLEAR_POLLS && System.nanoTime() < deadline) {
            clear = isAnyRunning() ? 0 : clear + 1;
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    private static boolean isAnyRunning() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(RunningSnippets::runsSnippetCode);
    }

    /** One that waits for something is none: it would never come to a check. */
    private static boolean runsSnippetCode(Map.Entry<Thread, StackTraceElement[]> running) {
        return running.getKey().getState() == Thread.State.RUNNABLE
                && Stream.of(running.getValue())
                        .anyMatch(it -> SnippetClassLoader.NAME.equals(it.getClassLoaderName()));
    }
}
