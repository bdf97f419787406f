package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ScopeRule;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerUnavailableException;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Chooses the connection to a server for the calls of a client, by the scope and the replicas of
 * the server.
 *
 * <p>If clients do not share the server, the first connection also serves the first client. When
 * that client is gone, the connection is closed before another client may use it.
 */
final class ConnectionChoice {
    /** Stands for the gateway itself where each client has its own connection. */
    private static final Object GATEWAY_CLIENT = new Object();

    private final ServerInstance primary;
    private final InstanceTable others;
    private final ScopeRule scope;
    private final int replicas;
    private final ReplicaChoice replicaChoice = new ReplicaChoice();
    private final ReentrantLock leaseLock = new ReentrantLock();

    /** Who uses the first connection, if clients do not share the server. */
    private volatile @Nullable Object primaryOwner;

    ConnectionChoice(ServerInstance primary, InstanceTable others) {
        ServerSpec spec = primary.supervisor().spec();
        this.primary = primary;
        this.others = others;
        this.scope = ScopeRule.of(spec);
        this.replicas = spec.options().instances().replicas();
    }

    ScopeRule scope() {
        return scope;
    }

    /** Whether all clients use the first connection, as far as eras do not matter. */
    boolean isSingle() {
        return scope.scope() == Scope.SHARED && replicas == 1;
    }

    /** Whether only one client or project uses a connection. */
    boolean isOwned(ServerInstance instance) {
        return instance.isPrimary() ? primaryOwner != null : instance.id().owner() != null;
    }

    /** The connection for the calls of a client, in an era if one is given. */
    ServerInstance find(Caller caller, @Nullable Era era) throws ServerUnavailableException {
        return switch (scope.scope()) {
            case CLIENT -> owned(clientOf(caller), caller, era);
            case PROJECT -> {
                String directory = caller.directory();
                yield owned(directory == null ? clientOf(caller) : directory, caller, era);
            }
            case AUTO, SHARED -> {
                if (era != null) {
                    yield other(null, era, 0, null);
                }
                yield replicas == 1 ? primary : replicaChoice.choose(caller, allReplicas());
            }
        };
    }

    private static Object clientOf(Caller caller) {
        Object client = caller.client();
        return client == null ? GATEWAY_CLIENT : client;
    }

    private List<ServerInstance> allReplicas() throws ServerUnavailableException {
        var copies = new ArrayList<ServerInstance>(replicas);
        copies.add(primary);
        for (int number = 1; number < replicas; number++) {
            copies.add(other(null, null, number, null));
        }
        return copies;
    }

    private ServerInstance owned(Object owner, Caller caller, @Nullable Era era)
            throws ServerUnavailableException {
        if (era == null && (owner.equals(primaryOwner) || tryLeasePrimary(owner, caller))) {
            return primary;
        }
        return other(owner, era, 0, caller.directory());
    }

    /** Gives the first connection to a client, if it has no owner and no state of another. */
    private boolean tryLeasePrimary(Object owner, Caller caller) {
        if (primaryOwner != null || isElsewhere(caller.directory())) {
            return false;
        }
        leaseLock.lock();
        try {
            if (primaryOwner != null || others.find(idOf(owner, null, 0)) != null) {
                return owner.equals(primaryOwner);
            }
            primaryOwner = owner;
            return true;
        } finally {
            leaseLock.unlock();
        }
    }

    /** Whether a program for this directory must be started in another one than the first. */
    private boolean isElsewhere(@Nullable String directory) {
        return directory != null
                && isProcess()
                && !directory.equals(Path.of("").toAbsolutePath().toString());
    }

    private ConnectionId idOf(@Nullable Object owner, @Nullable Era era, int replica) {
        return new ConnectionId(primary.id().server(), owner, era, replica);
    }

    private ServerInstance other(
            @Nullable Object owner, @Nullable Era era, int replica, @Nullable String directory)
            throws ServerUnavailableException {
        ConnectionId id = idOf(owner, era, replica);
        ServerInstance known = others.find(id);
        if (known != null) {
            return known;
        }
        ServerSpec spec = primary.supervisor().spec();
        ServerInstance created = others.create(id, specFor(id, spec.inDirectory(directory)));
        if (created == null) {
            throw unavailable(
                    ("Server %s has too many connections (at most %d, and %d of all servers). Close"
                                    + " clients, or set its scope to shared")
                            .formatted(
                                    spec.id(),
                                    InstanceBudget.INSTANCES_PER_SERVER_MAX,
                                    InstanceBudget.INSTANCES_MAX));
        }
        return created;
    }

    /** A connection in the other era that fails is not needed, so it is tried once. */
    static ServerSpec specFor(ConnectionId id, ServerSpec spec) {
        return id.era() == null
                ? spec
                : spec.withEra(
                                switch (id.era()) {
                                    case LEGACY -> EraChoice.LEGACY;
                                    case MODERN -> EraChoice.MODERN;
                                })
                        .withRetriesMax(0);
    }

    ServerUnavailableException unavailable(String message) {
        return new ServerUnavailableException(
                primary.id().server(),
                new ServerFailure(
                        ErrorReason.OVERLOADED, message, "connect", 0, ExecutionStatus.NOT_SENT));
    }

    /** Ends what only this client has used. */
    void clientGone(@Nullable Object client) {
        if (client == null) {
            return;
        }
        replicaChoice.removeClient(client);
        for (ServerInstance instance : others.all()) {
            if (instance.id().owner() != null && instance.removeClient(client)) {
                others.closeWhenUnused(instance);
            }
        }
        if (primaryOwner != null && primary.removeClient(client)) {
            releasePrimary();
        }
    }

    /** Closes the first connection, so that the next client finds nothing of this one. */
    void releasePrimary() {
        primary.supervisor().leaveUnused();
        primary.removeClients();
        primaryOwner = null;
    }

    private boolean isProcess() {
        return primary.supervisor().spec().transport() instanceof ServerSpec.Transport.Stdio;
    }
}
