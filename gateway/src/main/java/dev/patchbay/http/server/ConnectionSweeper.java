package dev.patchbay.http.server;

import static java.lang.System.Logger.Level.ERROR;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ServerConnector;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Goes round a few times a second and looks after what no event tells of: clients that hung up,
 * requests that do not arrive, streams that are quiet, sessions that nobody uses.
 */
final class ConnectionSweeper implements Runnable {
    private static final System.Logger log = System.getLogger(ConnectionSweeper.class.getName());
    private static final long SWEEP_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();

    /** A request younger than this is not worth a look. */
    private static final long CHECK_AFTER_NANOS = Duration.ofMillis(150).toNanos();

    private final ServerConnector connector;
    private final LegacyHttpSessionRegistry sessions;
    private final HttpLimits.Times times;
    private final Thread thread;
    private volatile boolean isStopped;

    ConnectionSweeper(
            ServerConnector connector, LegacyHttpSessionRegistry sessions, HttpLimits.Times times) {
        this.connector = connector;
        this.sessions = sessions;
        this.times = times;
        thread = Thread.ofPlatform().daemon().name("http-patrol").unstarted(this);
    }

    void start() {
        thread.start();
    }

    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!isStopped) {
            LockSupport.parkNanos(this, SWEEP_INTERVAL_NANOS);
            try {
                connector.getConnectedEndPoints().forEach(this::sweep);
                sessions.expire();
            } catch (RuntimeException e) {
                log.log(ERROR, "A round failed", e);
            }
        }
    }

    private void sweep(EndPoint endPoint) {
        var socket = (ClientEndPoint) endPoint;
        if (socket.isReceivingLongerThan(times.header().toNanos())) {
            socket.close();
        }
        HttpExchange visit = socket.exchange();
        if (visit != null) {
            visit.sweep(CHECK_AFTER_NANOS, times.keepAlive().toNanos());
        }
    }
}
