package dev.patchbay.gateway;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses one of the copies of a server for each call. A client keeps its copy, unless that one is
 * not connected or has clearly more calls in flight than another.
 */
final class ReplicaChoice {
    /** How many more calls in flight than another the copy of a client may have. */
    private static final int EXTRA_CALLS_MAX = 3;

    private static final int CLIENTS_MAX = 10_000;

    private final ConcurrentMap<Object, Integer> replicaByClient = new ConcurrentHashMap<>();
    private final AtomicInteger nextReplica = new AtomicInteger();

    /** Chooses a copy for a call; the list is never empty. */
    ServerInstance choose(Caller caller, List<ServerInstance> replicas) {
        ServerInstance own = replicas.get(ownReplica(caller, replicas.size()));
        own.startOnce();
        ServerInstance least = null;
        for (ServerInstance replica : replicas) {
            if (replica.isConnected()
                    && (least == null || replica.inFlightCount() < least.inFlightCount())) {
                least = replica;
            }
        }
        if (least == null) {
            return own;
        }
        boolean isOverloaded = own.inFlightCount() > least.inFlightCount() + EXTRA_CALLS_MAX;
        return own.isConnected() && !isOverloaded ? own : least;
    }

    private int ownReplica(Caller caller, int count) {
        Object client = caller.client();
        if (client == null) {
            return 0;
        }
        Integer known = replicaByClient.get(client);
        if (known != null) {
            return known;
        }
        int next = Math.floorMod(nextReplica.getAndIncrement(), count);
        if (replicaByClient.size() >= CLIENTS_MAX) {
            replicaByClient.clear(); // of clients whose end nobody reports
        }
        Integer other = replicaByClient.putIfAbsent(client, next);
        return other == null ? next : other;
    }

    void removeClient(Object client) {
        replicaByClient.remove(client);
    }
}
