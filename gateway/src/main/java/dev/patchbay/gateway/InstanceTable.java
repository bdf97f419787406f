package dev.patchbay.gateway;

import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.Supervisor;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** The connections to one server besides the first one. Their number is bounded. */
final class InstanceTable {
    private final InstanceBudget budget;
    private final Ticker ticker;
    private final ServerConnections.SupervisorFactory supervisors;
    private final ReentrantLock changeLock = new ReentrantLock();
    private final ConcurrentMap<ConnectionId, ServerInstance> instances = new ConcurrentHashMap<>();

    /** Closed connections whose processes may still be ending. */
    private final List<Supervisor> closing = new ArrayList<>();

    InstanceTable(
            InstanceBudget budget, Ticker ticker, ServerConnections.SupervisorFactory supervisors) {
        this.budget = budget;
        this.ticker = ticker;
        this.supervisors = supervisors;
    }

    @Nullable ServerInstance find(ConnectionId id) {
        return instances.get(id);
    }

    List<ServerInstance> all() {
        return List.copyOf(instances.values());
    }

    /** Creates a connection, or finds the one that was created meanwhile; null if too many. */
    @Nullable ServerInstance create(ConnectionId id, ServerSpec spec) {
        changeLock.lock();
        try {
            ServerInstance known = instances.get(id);
            if (known != null) {
                return known;
            }
            if (instances.size() >= InstanceBudget.INSTANCES_PER_SERVER_MAX || !budget.tryTake()) {
                return null;
            }
            var created = new ServerInstance(id, supervisors.create(id, spec), ticker.nanoTime());
            instances.put(id, created);
            return created;
        } finally {
            changeLock.unlock();
        }
    }

    /** Ends a connection. Calls in flight fail. */
    void close(ServerInstance instance) {
        if (remove(instance)) {
            instance.supervisor().stop();
        }
    }

    /** Ends a connection as soon as its calls have ended. */
    void closeWhenUnused(ServerInstance instance) {
        if (remove(instance)) {
            instance.supervisor().stopWhenUnused();
        }
    }

    private boolean remove(ServerInstance instance) {
        changeLock.lock();
        try {
            if (!instances.remove(instance.id(), instance)) {
                return false;
            }
            budget.giveBack();
            closing.removeIf(Supervisor::hasEnded);
            closing.add(instance.supervisor());
        } finally {
            changeLock.unlock();
        }
        instance.close();
        return true;
    }

    /** The connections that were closed and may not have ended yet. */
    List<Supervisor> closedRecently() {
        changeLock.lock();
        try {
            return List.copyOf(closing);
        } finally {
            changeLock.unlock();
        }
    }
}
