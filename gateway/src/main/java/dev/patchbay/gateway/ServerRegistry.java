package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The set of servers. Of two concurrent registrations with one id, one succeeds. */
final class ServerRegistry {
    private final int serversMax;
    private final Function<ServerSpec, ServerEntry> entryFactory;
    private final ConcurrentMap<ServerId, ServerEntry> servers = new ConcurrentSkipListMap<>();
    private final ReentrantLock changeLock = new ReentrantLock();

    /** Creates a registry with a factory for its entries. */
    ServerRegistry(int serversMax, Function<ServerSpec, ServerEntry> entries) {
        this.serversMax = serversMax;
        this.entryFactory = entries;
    }

    Collection<ServerEntry> all() {
        return servers.values();
    }

    Optional<ServerEntry> find(ServerId id) {
        return Optional.ofNullable(servers.get(id));
    }

    /** The entry with this id, if the text is a valid id. */
    Optional<ServerEntry> find(String id) {
        return ServerId.isValid(id) ? find(new ServerId(id)) : Optional.empty();
    }

    ServerEntry require(ServerId id) {
        return find(id).orElseThrow(
                        () ->
                                new GatewayException(
                                        ErrorReason.SERVER_NOT_FOUND, "There is no server " + id));
    }

    /** The reports of all servers, in the order of ids. */
    List<ServerReport> reports() {
        return all().stream().map(ServerEntry::report).toList();
    }

    ServerEntry add(ServerSpec spec) {
        requireRoomFor(spec.id());
        ServerEntry entry = entryFactory.apply(spec); // reads the disk, so not under the lock
        changeLock.lock();
        try {
            requireRoomFor(spec.id());
            servers.put(spec.id(), entry);
            return entry;
        } catch (GatewayException e) {
            entry.listingCache().close();
            throw e;
        } finally {
            changeLock.unlock();
        }
    }

    private void requireRoomFor(ServerId id) {
        if (id.value().toLowerCase(Locale.ROOT).equals(Catalog.GATEWAY_ID.value())) {
            throw new GatewayException(
                    ErrorReason.INVALID_CONFIG, "The id " + id + " is the gateway's own");
        }
        if (servers.containsKey(id)) {
            throw new GatewayException(
                    ErrorReason.SERVER_EXISTS, "There is a server " + id + " already");
        }
        if (servers.size() >= serversMax) {
            throw new GatewayException(
                    ErrorReason.INVALID_CONFIG, "There are " + serversMax + " servers already");
        }
    }

    Optional<ServerEntry> remove(ServerId id) {
        changeLock.lock();
        try {
            return Optional.ofNullable(servers.remove(id));
        } finally {
            changeLock.unlock();
        }
    }

    /** Stops all servers, and waits for their end at most so long. */
    void stopAll(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<ServerEntry> entries = List.copyOf(servers.values());
        entries.forEach(it -> it.connections().stop());
        try {
            for (ServerEntry entry : entries) {
                long left = Math.max(1, deadline - System.nanoTime());
                boolean _ = entry.connections().awaitEnd(Duration.ofNanos(left));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
