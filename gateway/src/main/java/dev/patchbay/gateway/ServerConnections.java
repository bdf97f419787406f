package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ScopeRule;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.Supervisor;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections to one server. The first connection keeps the lists and the reported state.
 * Others are opened when a call needs them: for the other era, for a client or project of its own,
 * or as a replica.
 */
final class ServerConnections {
    /** Creates the supervisor of a further connection. */
    interface SupervisorFactory {
        Supervisor create(ConnectionId id, ServerSpec spec);
    }

    private final ServerInstance primary;
    private final Ticker ticker;
    private final LegacyEraSupport legacyEra;
    private final InstanceTable others;
    private final ConnectionChoice choice;
    private final UnusedInstanceSweeper sweeper;

    /** Whether clients of both eras need connections of their own. */
    private volatile boolean hasBothEras;

    /** Whether the calls of all clients use the first connection, and nobody counts them. */
    private volatile boolean isSingle;

    ServerConnections(Supervisor first, EntryDependencies dependencies, SupervisorFactory further) {
        ServerSpec spec = first.spec();
        this.ticker = dependencies.supervisor().ticker();
        this.primary =
                new ServerInstance(ConnectionId.primary(spec.id()), first, ticker.nanoTime());
        this.legacyEra = new LegacyEraSupport(ticker);
        this.others = new InstanceTable(dependencies.instanceBudget(), ticker, further);
        this.choice = new ConnectionChoice(primary, others);
        this.sweeper = new UnusedInstanceSweeper(ticker, this::watched, this::closeUnused);
        sweeper.setLimit(spec.options().instances().idleStop());
        updateIsSingle();
    }

    private void updateIsSingle() {
        isSingle = choice.isSingle() && !hasBothEras && !sweeper.hasLimit();
    }

    /** Who shares a connection, and why. */
    ScopeRule scope() {
        return choice.scope();
    }

    /** Whether each connection belongs to one client or project. */
    boolean isOwnedByClient() {
        return switch (choice.scope().scope()) {
            case CLIENT, PROJECT -> true;
            case AUTO, SHARED -> false;
        };
    }

    /** How many connections are open. */
    int openCount() {
        return openSessions().size();
    }

    /** Whether clients of both eras may have connections of their own. */
    boolean hasBothEras() {
        return hasBothEras;
    }

    /** Called when the first connection was opened. */
    void onPrimaryConnected(HandshakeResult handshake) {
        hasBothEras = legacyEra.onConnected(primary.supervisor().spec(), handshake);
        updateIsSingle();
        if (!isSingle) {
            boolean _ = primary.use(ticker.nanoTime());
            sweeper.start();
        }
    }

    /** The open session for the calls of a client; null if a call would have to wait for one. */
    @Nullable ServerSession currentSession(Caller caller) {
        try {
            return choose(caller).currentSession();
        } catch (ServerUnavailableException _) {
            return null; // the call fails with it when it waits for a session
        }
    }

    /** The session for the calls of a client, connected if necessary. */
    ServerSession session(Caller caller, Duration timeout)
            throws ServerUnavailableException, InterruptedException {
        return session(caller, timeout, ticker.nanoTime());
    }

    /** The same for an operation that began earlier, as in {@link Supervisor#session}. */
    ServerSession session(Caller caller, Duration timeout, long startedNanos)
            throws ServerUnavailableException, InterruptedException {
        while (true) {
            ServerInstance chosen = choose(caller);
            Era era = chosen.id().era();
            try {
                if (era != null) {
                    ServerSession session = chosen.supervisor().session(connectionTimeout());
                    legacyEra.onSucceeded();
                    return session;
                }
                ServerSession session =
                        chosen.isPrimary()
                                ? chosen.supervisor().session(timeout, startedNanos)
                                : chosen.supervisor().session(timeout);
                if (isSingle || !needsLegacyEra(caller)) {
                    return session;
                } // its era was not known before
            } catch (ServerUnavailableException e) {
                if (era == null) {
                    throw e;
                }
                legacyEra.onFailed(e.failure());
                others.close(chosen);
            }
        }
    }

    /** The session of a certain connection. */
    ServerSession session(ConnectionId id, Duration timeout)
            throws ServerUnavailableException, InterruptedException {
        ServerInstance instance = id.isPrimary() ? primary : others.find(id);
        if (instance == null) {
            throw choice.unavailable("The connection to server " + id.server() + " has ended");
        }
        return instance.supervisor().session(timeout);
    }

    /** The connection for the subscriptions of a client. */
    ConnectionId subscriptionConnection(Caller caller)
            throws ServerUnavailableException, InterruptedException {
        if (needsLegacyEra(caller)) { // the server may refuse it; then all use the first connection
            ServerSession _ = session(caller, connectionTimeout());
        }
        ConnectionId id = choose(caller).id();
        // A client that uses several replicas must hear of updates once.
        return id.replica() == 0 ? id : primary.id();
    }

    /** Counts the subscriptions of a connection, which is not closed while it has some. */
    void changeSubscriptions(ConnectionId id, int difference) {
        ServerInstance instance = id.isPrimary() ? primary : others.find(id);
        if (instance != null) {
            instance.changeSubscriptions(difference);
        }
    }

    private Duration connectionTimeout() {
        return primary.supervisor().spec().options().limits().connectionTimeout();
    }

    private ServerInstance choose(Caller caller) throws ServerUnavailableException {
        return isSingle ? primary : chooseAmongSeveral(caller);
    }

    private ServerInstance chooseAmongSeveral(Caller caller) throws ServerUnavailableException {
        if (primary.supervisor().state().status() == Status.DISABLED) {
            return primary;
        }
        boolean isOwned = isOwnedByClient();
        while (true) {
            if (isOwned && caller.isGone()) {
                throw choice.unavailable("The client is gone");
            }
            ServerInstance found = choice.find(caller, needsLegacyEra(caller) ? Era.LEGACY : null);
            long now = ticker.nanoTime();
            if (isOwned ? found.use(caller, now) : found.use(now)) {
                if (isOwned && caller.isGone()) {
                    choice.clientGone(caller.client()); // its end was reported just before
                } else {
                    sweeper.start();
                    return found;
                }
            }
        }
    }

    /**
     * Whether the calls of a client need a legacy connection. Over stdio that is another process,
     * so it is used only for what the modern era cannot do, which is to ask the client while a call
     * runs, and not if all clients shall share one process.
     */
    private boolean needsLegacyEra(Caller caller) {
        return hasBothEras
                && caller.era() == Era.LEGACY
                && (!isProcess() || (caller.canBeAsked() && !isConfiguredAsShared()))
                && legacyEra.isPossible();
    }

    private boolean isConfiguredAsShared() {
        return primary.supervisor().spec().options().instances().scope() == Scope.SHARED;
    }

    private boolean isProcess() {
        return primary.supervisor().spec().transport() instanceof ServerSpec.Transport.Stdio;
    }

    /** Ends what only this client has used. */
    void clientGone(Object client) {
        choice.clientGone(client);
    }

    /** The connections that are closed when nobody uses them. */
    private List<ServerInstance> watched() {
        return all().stream().filter(this::isWatched).toList();
    }

    private boolean isWatched(ServerInstance instance) {
        if (sweeper.hasLimit()) {
            return !instance.isPrimary() || instance.isConnected();
        }
        boolean isForOneEra = instance.id().owner() == null && instance.id().era() != null;
        boolean isLeftToItself =
                instance.isPrimary() && isOwnedByClient() && !choice.isOwned(instance);
        return isForOneEra
                || (isLeftToItself && instance.isConnected())
                || (choice.isOwned(instance) && !instance.endsWithClients());
    }

    private void closeUnused(ServerInstance instance) {
        if (!instance.isPrimary()) {
            others.closeWhenUnused(instance);
        } else if (choice.isOwned(primary) && !primary.endsWithClients()) {
            choice.releasePrimary();
        } else {
            primary.supervisor().leaveUnused();
        }
    }

    /** Takes another specification with the same connection. */
    void updateSpec(ServerSpec spec) {
        primary.supervisor().updateSpec(spec);
        for (ServerInstance instance : others.all()) {
            ServerSpec own = instance.supervisor().spec();
            instance.supervisor()
                    .updateSpec(
                            new ServerSpec(
                                    own.id(),
                                    own.transport(),
                                    ConnectionChoice.specFor(instance.id(), spec).options()));
        }
        sweeper.setLimit(spec.options().instances().idleStop());
        updateIsSingle();
        sweeper.start();
    }

    /** All open sessions. */
    List<ServerSession> openSessions() {
        var sessions = new ArrayList<ServerSession>();
        for (ServerInstance instance : all()) {
            ServerSession session = instance.currentSession();
            if (session != null) {
                sessions.add(session);
            }
        }
        return sessions;
    }

    /** How many calls have no outcome yet. */
    int inFlightCount() {
        return all().stream().mapToInt(ServerInstance::inFlightCount).sum();
    }

    /** Closes all connections but the first one. They are opened again when they are needed. */
    void closeOthers() {
        others.all().forEach(others::close);
    }

    /** Ends the server for good. */
    void stop() {
        primary.supervisor().stop();
        closeOthers();
        others.closedRecently().forEach(Supervisor::stop);
    }

    /** Waits until everything has ended; false if it has not in time. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = ticker.deadlineAfter(timeout);
        boolean hasEnded = primary.supervisor().awaitEnd(atLeastBriefly(deadline));
        for (Supervisor closed : others.closedRecently()) {
            hasEnded &= closed.awaitEnd(atLeastBriefly(deadline));
        }
        return hasEnded;
    }

    private Duration atLeastBriefly(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - ticker.nanoTime()));
    }

    private List<ServerInstance> all() {
        var all = new ArrayList<ServerInstance>();
        all.add(primary);
        all.addAll(others.all());
        return all;
    }
}
