package dev.patchbay.http;

import static java.lang.System.Logger.Level.ERROR;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ServerConnector;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Goes round a few times a second and looks after what no event tells of: clients that hung up,
 * requests that do not arrive, streams that are quiet, sessions that nobody uses.
 */
final class Patrol implements Runnable {
    private static final System.Logger log = System.getLogger(Patrol.class.getName());
    private static final long ROUND_NANOS = Duration.ofMillis(200).toNanos();

    /** A request younger than this is not worth a look. */
    private static final long LOOK_AFTER_NANOS = Duration.ofMillis(150).toNanos();

    private final ServerConnector connector;
    private final Sessions sessions;
    private final HttpLimits.Times times;
    private final Thread thread;
    private volatile boolean over;

    Patrol(ServerConnector connector, Sessions sessions, HttpLimits.Times times) {
        this.connector = connector;
        this.sessions = sessions;
        this.times = times;
        thread = Thread.ofPlatform().daemon().name("http-patrol").unstarted(this);
    }

    void start() {
        thread.start();
    }

    void stop() {
        over = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!over) {
            LockSupport.parkNanos(this, ROUND_NANOS);
            try {
                connector.getConnectedEndPoints().forEach(this::look);
                sessions.expire();
            } catch (RuntimeException e) {
                log.log(ERROR, "A round failed", e);
            }
        }
    }

    private void look(EndPoint endPoint) {
        var socket = (ClientSocket) endPoint;
        if (socket.isSlowerThan(times.header().toNanos())) {
            socket.close();
        }
        Visit visit = socket.visit();
        if (visit != null) {
            visit.look(LOOK_AFTER_NANOS, times.keepAlive().toNanos());
        }
    }
}
