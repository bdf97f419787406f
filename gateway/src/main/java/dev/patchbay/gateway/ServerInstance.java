package dev.patchbay.gateway;

import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.Supervisor;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection to a server, and who uses it. Over stdio, one process. */
final class ServerInstance {
    private final ConnectionId id;
    private final Supervisor supervisor;
    private final Set<Object> clients = new HashSet<>();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private long lastUsedNanos;
    private boolean isClosed;

    /** Whether the end of every client that has used it will be reported. */
    private boolean endsWithClients = true;

    ServerInstance(ConnectionId id, Supervisor supervisor, long nowNanos) {
        this.id = id;
        this.supervisor = supervisor;
        this.lastUsedNanos = nowNanos;
    }

    ConnectionId id() {
        return id;
    }

    Supervisor supervisor() {
        return supervisor;
    }

    boolean isPrimary() {
        return id.isPrimary();
    }

    boolean isConnected() {
        return supervisor.currentSession() != null;
    }

    int inFlightCount() {
        ServerSession session = supervisor.currentSession();
        return session == null ? 0 : session.inFlightCount();
    }

    /** Starts to connect in the background, the first time that this is called. */
    void startOnce() {
        if (isStarted.compareAndSet(false, true)) {
            supervisor.start();
        }
    }

    /** Notes a call of any client; false if the connection has been closed. */
    synchronized boolean use(long nowNanos) {
        lastUsedNanos = nowNanos;
        return !isClosed;
    }

    /** Notes a call of a client to which it belongs; false if the connection has been closed. */
    synchronized boolean use(Caller caller, long nowNanos) {
        if (!use(nowNanos)) {
            return false;
        }
        Object client = caller.client();
        if (client != null) {
            clients.add(client);
        }
        endsWithClients &= caller.hasEnd();
        return true;
    }

    synchronized boolean endsWithClients() {
        return endsWithClients;
    }

    /** Removes a client; returns whether it was the last one. */
    synchronized boolean removeClient(Object client) {
        return clients.remove(client) && clients.isEmpty() && endsWithClients;
    }

    /** Removes all clients, for the next one. */
    synchronized void removeClients() {
        clients.clear();
        endsWithClients = true;
    }

    /** Counts the subscriptions to resources, which need the connection. */
    void changeSubscriptions(int difference) {
        subscriptions.addAndGet(difference);
    }

    /** Closes it if it was unused for so long; returns how much of that time is left. */
    synchronized long closeIfUnused(long nowNanos, long unusedNanosMax) {
        long left = unusedNanosLeft(nowNanos, unusedNanosMax);
        isClosed |= left <= 0;
        return left;
    }

    /** How long it may stay unused from now on, if it may be unused for the given time. */
    synchronized long unusedNanosLeft(long nowNanos, long unusedNanosMax) {
        boolean isInUse =
                inFlightCount() > 0
                        || subscriptions.get() > 0
                        || supervisor.state().status() == Status.CONNECTING;
        if (isInUse) {
            lastUsedNanos = nowNanos;
        }
        return lastUsedNanos + unusedNanosMax - nowNanos;
    }

    /** Lets nobody use it any more. */
    synchronized void close() {
        isClosed = true;
        clients.clear();
    }

    /** The open session; null if there is none. */
    @Nullable ServerSession currentSession() {
        return supervisor.currentSession();
    }
}
