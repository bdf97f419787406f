package dev.patchbay.background;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.text.LoggedFailure;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs one step again and again on a daemon thread until it is closed. A step that fails, even with
 * an {@link OutOfMemoryError}, is logged and repeated after a pause: work that the gateway depends
 * on never stops silently. Every long-lived loop of the gateway uses this class.
 *
 * <p>The thread is a platform thread. A virtual thread that waits needs memory to be resumed.
 */
public final class BackgroundLoop implements AutoCloseable {
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

    /** One pass of a loop. */
    public interface Step {
        /**
         * Waits for work and does it.
         *
         * @return whether to run the step again
         */
        boolean run() throws InterruptedException;
    }

    private final String name;
    private final Step step;
    private final Thread thread;
    private volatile boolean isClosed;

    private BackgroundLoop(String name, Step step) {
        this.name = name;
        this.step = step;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::loop);
    }

    /** Starts a loop; the name is that of its thread. */
    public static BackgroundLoop start(String name, Step step) {
        var loop = new BackgroundLoop(name, step);
        loop.thread.start();
        return loop;
    }

    /** Whether the loop was told to end. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Tells the loop to end: a step that waits is interrupted, and no other one follows. */
    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }

    /** Waits until the loop has ended; whether it has. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return thread.join(timeout);
    }

    private void loop() {
        while (!isClosed && runStep()) {
            // The step itself waits.
        }
    }

    /** Runs the step once; whether the loop goes on. */
    private boolean runStep() {
        try {
            return step.run();
        } catch (InterruptedException _) {
            return !isClosed; // an interrupt that is not ours ends a step, not the loop
        } catch (Throwable failure) {
            report(failure);
            LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
            return true;
        }
    }

    private void report(Throwable failure) {
        try {
            // Looked up when needed: the first logger costs a start several milliseconds.
            System.Logger log = System.getLogger(BackgroundLoop.class.getName());
            log.log(ERROR, "The loop " + name + " failed and goes on", new LoggedFailure(failure));
        } catch (Throwable _) {
            // There is no memory for a log record either. The loop matters more.
        }
    }
}
