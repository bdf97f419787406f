package dev.patchbay.dashboard;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** All that is known of a gateway's calls: counted, logged, and followed in time. */
final class Observatory implements CallObserver, GatewayListener {
    private static final int METERS_MAX = 1_000;

    private final Gateway gateway;
    private final Instant beganAt;
    private final long beganNanos = System.nanoTime();
    private final ConcurrentMap<ServerId, Meter> meters = new ConcurrentHashMap<>();
    private final Meter nobody = new Meter();
    private final Clients clients = new Clients();
    private final CallLog log = new CallLog();
    private final History history = new History();
    private final AtomicLong toolChanges = new AtomicLong();
    private volatile boolean watched;

    Observatory(Gateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.beganAt = clock.instant();
        gateway.addListener(this);
        gateway.observe(this);
    }

    @Override
    public void ended(Call call) {
        Ending ending = Ending.of(call.reply());
        long nanos = call.endedNanos() - call.beganNanos();
        meter(call.server()).count(ending, call.reply(), nanos, call.endedNanos());
        clients.count(call.client());
        log.add(call, ending, watched);
    }

    @Override
    public void stateChanged(ServerId server, ServerState before, ServerState after) {
        if (after.status() == Status.CONNECTED && before.lastConnectedAt() != null) {
            meter(server).restarted();
        }
    }

    @Override
    public void listChanged(String list) {
        toolChanges.incrementAndGet();
    }

    /** The meter of a server; one for all calls that concern none. */
    Meter meter(@Nullable ServerId server) {
        if (server == null) {
            return nobody;
        }
        Meter known = meters.get(server);
        if (known != null) {
            return known;
        }
        return meters.size() >= METERS_MAX
                ? nobody
                : meters.computeIfAbsent(server, _ -> new Meter());
    }

    /** Ends a step of the history, and forgets servers that are gone. */
    void step() {
        var readings = new TreeMap<String, Meter.Reading>();
        var ids = gateway.servers().stream().map(it -> it.spec().id()).toList();
        ids.forEach(id -> readings.put(id.value(), meter(id).read()));
        history.step(readings);
        meters.keySet().removeIf(id -> !ids.contains(id) && !isOwn(id));
    }

    private static boolean isOwn(ServerId id) {
        return id.equals(Catalog.SELF);
    }

    /** Whether somebody looks, for whom more is kept of every call. */
    void watched(boolean now) {
        watched = now;
    }

    Gateway gateway() {
        return gateway;
    }

    /** The meters by server id; calls that concern no server are under the empty one. */
    Map<String, Meter> meters() {
        var all = new TreeMap<String, Meter>();
        meters.forEach((id, meter) -> all.put(id.value(), meter));
        all.put("", nobody);
        return all;
    }

    Clients clients() {
        return clients;
    }

    CallLog log() {
        return log;
    }

    History history() {
        return history;
    }

    /** A number that is another one whenever what clients see has changed. */
    long toolChanges() {
        return toolChanges.get();
    }

    Instant beganAt() {
        return beganAt;
    }

    /** The time of a moment by {@link System#nanoTime}. */
    Instant at(long nanos) {
        return beganAt.plusNanos(nanos - beganNanos);
    }

    Instant now() {
        return at(System.nanoTime());
    }
}
