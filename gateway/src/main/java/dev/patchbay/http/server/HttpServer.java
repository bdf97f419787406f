package dev.patchbay.http.server;

import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Serves MCP over Streamable HTTP in both eras at {@code /mcp} and {@code /mcp/views/NAME}, and
 * other routes.
 */
public final class HttpServer implements AutoCloseable {
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(10);
    private static final int THREADS_MAX = 32;
    private static final int IDLE_MILLIS = 60_000;

    /** The accept queue; a client beyond it retries only after a second or more. */
    private static final int ACCEPT_QUEUE_MAX = 4_096;

    /** A reference, because a logger without one loses its level. */
    private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

    static {
        if (JETTY.getLevel() == null) {
            JETTY.setLevel(Level.SEVERE); // it warns of everything that a faulty client sends
        }
    }

    private final LegacyHttpSessionRegistry sessions;
    private final RootHandler rootHandler;
    private final Server server;
    private final BoundedConnector connector;
    private final ConnectionSweeper sweeper;

    private HttpServer(
            HttpSettings settings,
            HandlerFactory handlers,
            Map<String, HttpRoute> parts,
            @Nullable Path sessionFolder) {
        HttpLimits limits = settings.limits();
        var store = new LegacySessionStore(sessionFolder, InstantSource.system());
        store.deleteOld();
        sessions =
                new LegacyHttpSessionRegistry(
                        limits.counts().sessionsMax(), limits.times().session(), store);
        var legacy = new LegacyEndpoint(sessions, limits.counts().requestsMax());
        var endpoint = new McpEndpoint(limits, new ModernEndpoint(), legacy);
        server = new Server(newThreadPool());
        connector = new BoundedConnector(server, newHttpConfiguration(limits), limits);
        var guard = new OriginGuard(settings);
        var mcp = new RootHandler.McpPart(endpoint, new ViewAccess(handlers));
        rootHandler = new RootHandler(guard, settings.authenticator(), connector, mcp, parts);
        connector.setHost(settings.listen().getAddress().getHostAddress());
        connector.setPort(settings.listen().getPort());
        connector.setAcceptQueueSize(ACCEPT_QUEUE_MAX);
        server.addConnector(connector);
        server.setHandler(rootHandler);
        server.setErrorHandler(new JsonErrorHandler());
        sweeper =
                new ConnectionSweeper(
                        connector, sessions, limits.times(), settings.authenticator());
    }

    /**
     * Begins to serve. Legacy sessions end with the process.
     *
     * @param parts the other routes, by path
     */
    public static HttpServer start(
            HttpSettings settings, HandlerFactory handlers, Map<String, HttpRoute> parts)
            throws IOException {
        return start(settings, handlers, parts, null);
    }

    /**
     * Begins to serve.
     *
     * @param parts what is served beside the endpoint, by path
     * @param sessionFolder where legacy sessions are kept for the next process; null to keep none
     */
    public static HttpServer start(
            HttpSettings settings,
            HandlerFactory handlers,
            Map<String, HttpRoute> parts,
            @Nullable Path sessionFolder)
            throws IOException {
        InetSocketAddress listen = settings.listen();
        if (listen.isUnresolved()) {
            throw new IOException("The name " + listen.getHostString() + " is not known");
        }
        if (settings.authenticator().allowsAnonymous()
                && !listen.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "Without a token only loopback may be served, not " + listen);
        }
        var started = new HttpServer(settings, handlers, parts, sessionFolder);
        started.listen(listen);
        return started;
    }

    /** The address, with the actual port. */
    public InetSocketAddress address() {
        return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
    }

    /** The number of open legacy sessions. */
    public int sessions() {
        return sessions.count();
    }

    private void listen(InetSocketAddress listen) throws IOException {
        try {
            connector.open();
            server.start();
        } catch (Exception e) {
            stop();
            throw new IOException(
                    "Cannot listen on " + describe(listen) + ": " + describeFailure(e), e);
        }
        sweeper.start();
    }

    private static String describeFailure(Exception e) {
        return e.getCause() instanceof BindException bind
                ? "the address is in use, or not one of this machine (" + bind.getMessage() + ")"
                : String.valueOf(e.getMessage());
    }

    private static String describe(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public void close() {
        close(SHUTDOWN_GRACE);
    }

    /** Stops accepting requests, and answers the pending ones within the grace period. */
    public void close(Duration grace) {
        long deadline = System.nanoTime() + grace.toNanos();
        rootHandler.refuseNewRequests();
        try {
            for (EndPoint endPoint : connector.getConnectedEndPoints()) {
                HttpExchange visit = ((ClientEndPoint) endPoint).exchange();
                if (visit != null) {
                    visit.drain(remaining(deadline));
                }
            }
            for (LegacyHttpSession session : sessions.all()) {
                session.serving().drain(remaining(deadline));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        sessions.close();
        stop();
    }

    private static Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    private void stop() {
        sweeper.stop();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("The HTTP server did not stop", e);
        } finally {
            connector.close();
        }
    }

    private static QueuedThreadPool newThreadPool() {
        // Jetty's own queue queries the management interface for the cache line size, which takes
        // 200 ms.
        var queue = new LinkedBlockingQueue<Runnable>();
        var threads = new QueuedThreadPool(THREADS_MAX, 4, IDLE_MILLIS, queue);
        threads.setName("http");
        threads.setDaemon(true);
        return threads;
    }

    private static HttpConfiguration newHttpConfiguration(HttpLimits limits) {
        var configuration = new HttpConfiguration();
        configuration.setHttpCompliance(HttpCompliance.STRICT);
        configuration.setUriCompliance(UriCompliance.RFC3986);
        configuration.setRequestHeaderSize(limits.sizes().headerBytesMax());
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        return configuration;
    }
}
