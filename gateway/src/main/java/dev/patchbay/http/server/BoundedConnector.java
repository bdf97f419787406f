package dev.patchbay.http.server;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.Optional;

/**
 * Accepts connections up to a number. Beyond it a new one takes the place of the one that has been
 * idle longest; if all are at work, it is closed.
 */
final class BoundedConnector extends ServerConnector {
    private final int connectionsMax;

    BoundedConnector(Server server, HttpConfiguration configuration, HttpLimits limits) {
        super(
                server,
                task -> execute(server, task),
                null,
                null,
                0,
                1,
                new HttpConnectionFactory(configuration));
        connectionsMax = limits.counts().connectionsMax();
        setIdleTimeout(limits.times().idle().toMillis());
        setReuseAddress(true);
    }

    /** Only what a connection does after an answer is for the selector; it waits for nothing. */
    private static void execute(Server server, Runnable task) {
        if (task instanceof Connection connection
                && connection.getEndPoint() instanceof ClientEndPoint socket) {
            socket.resumeOnSelector(task);
        } else {
            server.getThreadPool().execute(task);
        }
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key) throws IOException {
        if (getConnectedEndPoints().size() >= connectionsMax && !closeIdlestConnection()) {
            throw new IOException("Too many connections");
        }
        var socket = new ClientEndPoint(channel, selector, key, getScheduler());
        socket.setIdleTimeout(getIdleTimeout());
        return socket;
    }

    private boolean closeIdlestConnection() {
        Optional<ClientEndPoint> victim =
                getConnectedEndPoints().stream()
                        .map(ClientEndPoint.class::cast)
                        .filter(socket -> socket.exchange() == null)
                        .max(Comparator.comparingLong(ClientEndPoint::getIdleFor));
        victim.ifPresent(ClientEndPoint::close);
        return victim.isPresent();
    }
}
