package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.Supervisor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The connections to one server, and the choice of one for each call. The first connection keeps
 * the lists and the reported state. Others are opened when a call needs them.
 */
final class ServerConnections {
    private final ServerInstance primary;
    private final Supervisor.Dependencies dependencies;
    private final ServerEventListener listener;
    private final EntryEvents events;
    private final LegacyEraSupport legacyEra;
    private final ConcurrentMap<ServerInstance.Key, ServerInstance> others =
            new ConcurrentHashMap<>();

    /** Whether the calls of all clients use the first connection. */
    private volatile boolean isSingle = true;

    ServerConnections(
            Supervisor first, EntryDependencies dependencies, ServerEventListener listener) {
        this.primary = new ServerInstance(ServerInstance.Key.PRIMARY, first);
        this.dependencies = dependencies.supervisor();
        this.listener = listener;
        this.events = dependencies.events();
        this.legacyEra = new LegacyEraSupport(dependencies.supervisor().ticker());
    }

    /** Called when the first connection was opened. */
    void onPrimaryConnected(HandshakeResult handshake) {
        isSingle = !legacyEra.onConnected(primary.supervisor().spec(), handshake);
    }

    /** The open session for the calls of a client; null if a call would have to wait for one. */
    @Nullable ServerSession currentSession(Caller caller) {
        return choose(caller).supervisor().currentSession();
    }

    /** The session for the calls of a client, connected if necessary. */
    ServerSession session(Caller caller, Duration timeout)
            throws ServerUnavailableException, InterruptedException {
        return session(caller, timeout, dependencies.ticker().nanoTime());
    }

    /** The same for an operation that began earlier, as in {@link Supervisor#session}. */
    ServerSession session(Caller caller, Duration timeout, long startedNanos)
            throws ServerUnavailableException, InterruptedException {
        while (true) {
            ServerInstance chosen = choose(caller);
            if (chosen.isPrimary()) {
                ServerSession session = chosen.supervisor().session(timeout, startedNanos);
                if (choose(caller).isPrimary()) {
                    return session;
                }
                continue; // its era was not known before
            }
            try {
                ServerSession session = chosen.supervisor().session(connectionTimeout());
                legacyEra.onSucceeded();
                return session;
            } catch (ServerUnavailableException e) {
                legacyEra.onFailed(e.failure());
                close(chosen);
            }
        }
    }

    private Duration connectionTimeout() {
        return primary.supervisor().spec().options().limits().connectionTimeout();
    }

    private ServerInstance choose(Caller caller) {
        return isSingle || !needsLegacyEra(caller)
                ? primary
                : others.computeIfAbsent(new ServerInstance.Key(Era.LEGACY), this::newInstance);
    }

    /**
     * Whether the calls of a client need a legacy connection. Over stdio that is another process,
     * so it is used only for what the modern era cannot do: ask the client while a call runs.
     */
    private boolean needsLegacyEra(Caller caller) {
        boolean isProcess =
                primary.supervisor().spec().transport() instanceof ServerSpec.Transport.Stdio;
        return caller.era() == Era.LEGACY
                && (caller.canBeAsked() || !isProcess)
                && legacyEra.isPossible();
    }

    private ServerInstance newInstance(ServerInstance.Key key) {
        ServerSpec spec = specFor(key, primary.supervisor().spec());
        var supervisor = new Supervisor(spec, dependencies, listener);
        supervisor.addListener(
                (_, _, is) -> {
                    if (is.status() == Status.CONNECTED) {
                        events.publish(it -> it.furtherConnection(spec.id()));
                    }
                });
        return new ServerInstance(key, supervisor);
    }

    /** A connection that fails is not needed, so it is not tried several times. */
    private static ServerSpec specFor(ServerInstance.Key key, ServerSpec spec) {
        return key.era() == null
                ? spec
                : spec.withEra(
                                switch (key.era()) {
                                    case LEGACY -> ServerSpec.EraChoice.LEGACY;
                                    case MODERN -> ServerSpec.EraChoice.MODERN;
                                })
                        .withRetriesMax(0);
    }

    private void close(ServerInstance instance) {
        if (others.remove(instance.key(), instance)) {
            instance.supervisor().stop();
        }
    }

    /** Takes another specification with the same connection. */
    void updateSpec(ServerSpec spec) {
        primary.supervisor().updateSpec(spec);
        others.forEach((key, it) -> it.supervisor().updateSpec(specFor(key, spec)));
    }

    /** All open sessions. */
    List<ServerSession> openSessions() {
        var sessions = new ArrayList<ServerSession>();
        for (ServerInstance instance : all()) {
            ServerSession session = instance.supervisor().currentSession();
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
        others.values().forEach(this::close);
    }

    /** Ends the server for good. */
    void stop() {
        all().forEach(it -> it.supervisor().stop());
    }

    /** Waits until everything has ended; false if it has not in time. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = dependencies.ticker().deadlineAfter(timeout);
        boolean hasEnded = true;
        for (ServerInstance instance : all()) {
            Duration left = dependencies.ticker().remaining(deadline);
            hasEnded &= instance.supervisor().awaitEnd(left);
        }
        return hasEnded;
    }

    private List<ServerInstance> all() {
        var all = new ArrayList<ServerInstance>();
        all.add(primary);
        all.addAll(others.values());
        return all;
    }
}
