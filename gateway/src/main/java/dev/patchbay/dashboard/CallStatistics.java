package dev.patchbay.dashboard;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.gateway.CallObserver;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.history.OutcomeLabel;
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

/** Collects statistics of a gateway's calls: counters, a log and a history. */
final class CallStatistics implements CallObserver, GatewayListener {
    private static final int METERS_MAX = 1_000;

    private final Gateway gateway;
    private final Instant startedAt;
    private final long startedNanos = System.nanoTime();
    private final ConcurrentMap<ServerId, ServerMeter> meters = new ConcurrentHashMap<>();
    private final ServerMeter withoutServer = new ServerMeter();
    private final ClientCallCounts clients = new ClientCallCounts();
    private final CallLog log = new CallLog();
    private final CallRateHistory history = new CallRateHistory();
    private final AtomicLong toolChanges = new AtomicLong();
    private volatile boolean watched;

    CallStatistics(Gateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.startedAt = clock.instant();
        gateway.addListener(this);
        gateway.observe(this);
    }

    @Override
    public void callEnded(EndedCall call) {
        OutcomeLabel ending = OutcomeLabel.of(call.result());
        meter(call.server()).count(ending, call);
        clients.count(call.client());
        log.add(call, ending, watched);
    }

    @Override
    public void stateChanged(ServerId server, ServerState before, ServerState after) {
        if (after.status() == Status.CONNECTED && before.lastConnectedAt() != null) {
            meter(server).countRestart();
        }
    }

    @Override
    public void listChanged(String list) {
        toolChanges.incrementAndGet();
    }

    /** The meter of a server; calls without a server share one. */
    ServerMeter meter(@Nullable ServerId server) {
        if (server == null) {
            return withoutServer;
        }
        ServerMeter known = meters.get(server);
        if (known != null) {
            return known;
        }
        return meters.size() >= METERS_MAX
                ? withoutServer
                : meters.computeIfAbsent(server, _ -> new ServerMeter());
    }

    /** Adds a step to the history and removes servers that no longer exist. */
    void addHistoryStep() {
        var readings = new TreeMap<String, ServerMeter.Snapshot>();
        var ids = gateway.servers().stream().map(it -> it.spec().id()).toList();
        ids.forEach(id -> readings.put(id.value(), meter(id).snapshot()));
        history.addStep(readings);
        meters.keySet().removeIf(id -> !ids.contains(id) && !isBuiltIn(id));
    }

    private static boolean isBuiltIn(ServerId id) {
        return id.equals(Catalog.GATEWAY_ID);
    }

    /** Sets whether a page is open. If so, more is kept of every call. */
    void watched(boolean now) {
        watched = now;
    }

    Gateway gateway() {
        return gateway;
    }

    /** The meters by server id; that of calls without a server has the empty id. */
    Map<String, ServerMeter> meters() {
        var all = new TreeMap<String, ServerMeter>();
        meters.forEach((id, meter) -> all.put(id.value(), meter));
        all.put("", withoutServer);
        return all;
    }

    ClientCallCounts clients() {
        return clients;
    }

    CallLog log() {
        return log;
    }

    CallRateHistory history() {
        return history;
    }

    /** A number that changes whenever the lists that clients see change. */
    long toolChanges() {
        return toolChanges.get();
    }

    Instant startedAt() {
        return startedAt;
    }

    /** The time at a value of {@link System#nanoTime}. */
    Instant toInstant(long nanos) {
        return startedAt.plusNanos(nanos - startedNanos);
    }

    Instant now() {
        return toInstant(System.nanoTime());
    }
}
