package dev.patchbay.http.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.background.BackgroundLoop;

import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Checks all connections a few times a second for what no event reports: clients that disconnected,
 * requests that arrive too slowly, streams that are quiet or whose token was revoked, and sessions
 * that are unused.
 */
final class ConnectionSweeper {
    private static final System.Logger log = System.getLogger(ConnectionSweeper.class.getName());
    private static final long SWEEP_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();

    /** Requests younger than this are not checked: most are answered by then. */
    private static final long CHECK_AFTER_NANOS = Duration.ofMillis(150).toNanos();

    private final ServerConnector connector;
    private final LegacyHttpSessionRegistry sessions;
    private final HttpLimits.Times times;
    private final TokenAuthenticator authenticator;
    private @Nullable BackgroundLoop loop;

    ConnectionSweeper(
            ServerConnector connector,
            LegacyHttpSessionRegistry sessions,
            HttpLimits.Times times,
            TokenAuthenticator authenticator) {
        this.connector = connector;
        this.sessions = sessions;
        this.times = times;
        this.authenticator = authenticator;
    }

    synchronized void start() {
        loop = BackgroundLoop.start("http-sweeper", this::sweepAll);
    }

    synchronized void stop() {
        if (loop != null) {
            loop.close();
        }
    }

    private boolean sweepAll() {
        LockSupport.parkNanos(this, SWEEP_INTERVAL_NANOS);
        Predicate<Principal> current = authenticator.currentPrincipals();
        connector.getConnectedEndPoints().forEach(it -> sweep(it, current));
        sessions.expire();
        return true;
    }

    /** Checks one connection; its failure does not keep the others from being checked. */
    private void sweep(EndPoint endPoint, Predicate<Principal> current) {
        try {
            var client = (ClientEndPoint) endPoint;
            if (client.isReceivingLongerThan(times.header().toNanos())) {
                client.close();
            }
            HttpExchange exchange = client.exchange();
            if (exchange != null) {
                exchange.endUnless(current);
                exchange.sweep(CHECK_AFTER_NANOS, times.keepAlive().toNanos());
            }
        } catch (RuntimeException e) {
            log.log(ERROR, "A connection could not be checked", e);
        }
    }
}
