package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.Supervisor;

import org.jspecify.annotations.Nullable;

/** One connection to a server; over stdio, one process. */
record ServerInstance(Key key, Supervisor supervisor) {
    /**
     * What tells the connections to a server apart.
     *
     * @param era the era that is fixed for the connection; null if the server's entry decides
     */
    record Key(@Nullable Era era) {
        /** The first connection, which keeps the lists and the state of the server. */
        static final Key PRIMARY = new Key(null);
    }

    boolean isPrimary() {
        return key.equals(Key.PRIMARY);
    }

    int inFlightCount() {
        ServerSession session = supervisor.currentSession();
        return session == null ? 0 : session.inFlightCount();
    }
}
