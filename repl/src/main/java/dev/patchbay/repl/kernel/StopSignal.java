package dev.patchbay.repl.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The switch that stops running snippets. Every method and loop of a snippet asks it, through calls
 * that {@link StopCheckInjector} put there, so that an endless loop ends without ending the JVM.
 * Public because snippets are loaded by a class loader of their own.
 */
public final class StopSignal {
    /** What ends a snippet that was told to stop. It has no trace: nobody is to read one. */
    @SuppressWarnings("serial")
    public static final class StoppedError extends Error {
        StoppedError() {
            super("The evaluation was stopped", null, false, false);
        }
    }

    private static volatile boolean requested;
    private static @Nullable Thread target;

    private StopSignal() {}

    /** Called by snippets. */
    public static void check() {
        if (requested) {
            throw new StoppedError();
        }
    }

    /** Lets code run again, when the next request comes and what ran before has ended. */
    static void clear() {
        if (requested) {
            RunningSnippets.awaitStopped();
        }
        synchronized (StopSignal.class) {
            requested = false;
            target = null;
        }
    }

    /** Names the thread that runs the snippet, or none; false if nothing should run any more. */
    static synchronized boolean setTarget(@Nullable Thread thread) {
        target = requested ? null : thread;
        return !requested;
    }

    /**
     * Stops the thread aimed at, and every other that runs code of snippets: those that it started
     * cannot be told from those that were there before, and would go on for ever.
     */
    static synchronized void request() {
        requested = true;
        Thread thread = target;
        if (thread != null) {
            thread.interrupt();
        }
    }

    static boolean isRequested() {
        return requested;
    }
}
