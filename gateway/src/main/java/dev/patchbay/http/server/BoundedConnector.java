package dev.patchbay.http.server;

import dev.patchbay.http.server.ConnectionAdmission.Decision.Admit;
import dev.patchbay.http.server.ConnectionAdmission.Decision.Evict;
import dev.patchbay.http.server.ConnectionAdmission.Decision.Refuse;

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
import java.util.Collection;

/**
 * Accepts a limited number of connections, and closes others to make room if there are too many.
 */
final class BoundedConnector extends ServerConnector {
    private final ConnectionAdmission admission;

    BoundedConnector(Server server, HttpConfiguration configuration, HttpLimits limits) {
        super(
                server,
                task -> execute(server, task),
                null,
                null,
                0,
                1,
                new HttpConnectionFactory(configuration));
        admission = new ConnectionAdmission(limits.counts().connectionsMax());
        setIdleTimeout(limits.times().idle().toMillis());
        setReuseAddress(true);
    }

    /** Runs tasks on the selector thread; they do not block. */
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
        var client = new ClientEndPoint(channel, selector, key, getScheduler());
        if (!isAdmitted(admission.admit(clients(), client.remoteAddress()))) {
            throw new IOException("Too many connections");
        }
        client.setIdleTimeout(getIdleTimeout());
        return client;
    }

    /**
     * Records the principal of a connection; returns false if the principal has too many
     * connections.
     */
    boolean authenticate(ClientEndPoint client, String principal) {
        if (principal.equals(client.principal())) {
            return true;
        }
        if (!isAdmitted(admission.admitPrincipal(clients(), principal))) {
            return false;
        }
        client.setPrincipal(principal);
        return true;
    }

    /** All connections. */
    @SuppressWarnings("unchecked")
    private Collection<ClientEndPoint> clients() {
        return (Collection<ClientEndPoint>) (Collection<?>) getConnectedEndPoints();
    }

    private static boolean isAdmitted(ConnectionAdmission.Decision<ClientEndPoint> decision) {
        return switch (decision) {
            case Admit<ClientEndPoint> _ -> true;
            case Evict<ClientEndPoint>(ClientEndPoint victim) -> {
                victim.close();
                yield true;
            }
            case Refuse<ClientEndPoint> _ -> false;
        };
    }
}
