package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

/**
 * Identifies a connection to a server.
 *
 * @param owner the client or the project that the connection is for; null if it is shared
 * @param era the era that is fixed for the connection; null if the server's entry decides
 * @param replica the number of the copy of the server, from 0
 */
record ConnectionId(ServerId server, @Nullable Object owner, @Nullable Era era, int replica) {
    /** The first connection, which keeps the lists and the state of the server. */
    static ConnectionId primary(ServerId server) {
        return new ConnectionId(server, null, null, 0);
    }

    boolean isPrimary() {
        return owner == null && era == null && replica == 0;
    }
}
