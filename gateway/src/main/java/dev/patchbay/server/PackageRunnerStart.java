package dev.patchbay.server;

import dev.patchbay.time.Ticker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The start of a server by a program that may have to download it first. It gets more time than
 * other servers, as long as the program is at work. A program that does nothing is given up.
 */
final class PackageRunnerStart implements AutoCloseable {
    /** The limit for a program that is at work all the time. */
    static final Duration TIMEOUT_MAX = Duration.ofMinutes(5);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /** A package that is installed already has started by then. */
    private static final Duration REPORT_DELAY = Duration.ofSeconds(3);

    private final JsonRpcServerSession session;
    private final Duration idleMax;
    private final Ticker ticker;
    private final long startedNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean isStuck;

    /**
     * Begins to watch the program.
     *
     * @param idleMax for how long the program may do nothing
     */
    PackageRunnerStart(JsonRpcServerSession session, Duration idleMax, Ticker ticker) {
        this.session = session;
        this.idleMax = idleMax;
        this.ticker = ticker;
        this.startedNanos = ticker.nanoTime();
        Thread.ofVirtual().start(this::watch);
    }

    /** Whether the start was given up because the program did nothing. */
    boolean isStuck() {
        return isStuck;
    }

    String stuckMessage() {
        return "no response, and %s did nothing for %d ms"
                .formatted(session.transport().packageRunner(), idleMax.toMillis());
    }

    /** What the program does; empty as long as the start takes no longer than others. */
    String activity() {
        long nanos = ticker.nanoTime() - startedNanos;
        return nanos < REPORT_DELAY.toNanos()
                ? ""
                : "%s is downloading or installing the server, for %d s so far"
                        .formatted(
                                session.transport().packageRunner(),
                                Duration.ofNanos(nanos).toSeconds());
    }

    private void watch() {
        try {
            long work = session.transport().measureWork();
            long progressNanos = startedNanos;
            while (!ticker.await(closed, CHECK_INTERVAL)) {
                long now = session.transport().measureWork();
                if (now != work) {
                    work = now;
                    progressNanos = ticker.nanoTime();
                } else if (ticker.nanoTime() - progressNanos >= idleMax.toNanos()) {
                    isStuck = true;
                    session.abort(stuckMessage());
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
