package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The set of servers. Of two registrations under one id, one wins, also when they race. */
final class Registry {
    private final int serversMax;
    private final Function<ServerSpec, Registered> entries;
    private final ConcurrentMap<ServerId, Registered> servers = new ConcurrentSkipListMap<>();
    private final ReentrantLock changing = new ReentrantLock();

    /** A registry that makes its entries so. */
    Registry(int serversMax, Function<ServerSpec, Registered> entries) {
        this.serversMax = serversMax;
        this.entries = entries;
    }

    Collection<Registered> all() {
        return servers.values();
    }

    Optional<Registered> find(ServerId id) {
        return Optional.ofNullable(servers.get(id));
    }

    /** The entry of an id in words, if it is an id and registered. */
    Optional<Registered> find(String id) {
        return ServerId.isLegal(id) ? find(new ServerId(id)) : Optional.empty();
    }

    Registered require(ServerId id) {
        return find(id).orElseThrow(
                        () ->
                                new GatewayException(
                                        Reason.SERVER_NOT_FOUND, "There is no server " + id));
    }

    Registered add(ServerSpec spec) {
        changing.lock();
        try {
            ServerId id = spec.id();
            if (id.value().toLowerCase(Locale.ROOT).equals(Catalog.SELF.value())) {
                throw new GatewayException(
                        Reason.INVALID_CONFIG, "The id " + id + " is the gateway's own");
            }
            if (servers.containsKey(id)) {
                throw new GatewayException(
                        Reason.SERVER_EXISTS, "There is a server " + id + " already");
            }
            if (servers.size() >= serversMax) {
                throw new GatewayException(
                        Reason.INVALID_CONFIG, "There are " + serversMax + " servers already");
            }
            Registered entry = entries.apply(spec);
            servers.put(id, entry);
            return entry;
        } finally {
            changing.unlock();
        }
    }

    Optional<Registered> remove(ServerId id) {
        changing.lock();
        try {
            return Optional.ofNullable(servers.remove(id));
        } finally {
            changing.unlock();
        }
    }
}
