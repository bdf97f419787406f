package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.PrincipalShares;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.server.Supervisor;

import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One entry of the registry: the connections to a server and its lists. */
final class ServerEntry {
    private static final Duration RELIST_DELAY = Duration.ofMillis(250);
    private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

    private volatile ServerSpec spec;
    private final EntryEvents events;
    private final Supervisor supervisor;
    private final ServerConnections connections;
    private final ListingCache listingCache;
    private final ListAnnouncements listAnnouncements;
    private final PrincipalShares requestShares;

    /** Whether it sent no lists when it was last started, so that clients need not wait now. */
    private final boolean failedBefore;

    private final DebounceTimer.Debouncer relist;
    private final DebounceTimer.Debouncer recheckDebouncer;

    ServerEntry(
            ServerSpec spec, ListingStore.StoredListing stored, EntryDependencies dependencies) {
        this.spec = spec;
        this.events = dependencies.events();
        ConnectionId primary = ConnectionId.primary(spec.id());
        this.supervisor =
                new Supervisor(spec, dependencies.supervisor(), new ServerEvents(primary));
        this.connections =
                new ServerConnections(
                        supervisor,
                        dependencies,
                        (id, its) -> furtherSupervisor(id, its, dependencies.supervisor()));
        this.listAnnouncements = new ListAnnouncements(dependencies.supervisor().ticker());
        this.listingCache =
                new ListingCache(
                        supervisor, stored.listing(), dependencies, this::publishAnnouncements);
        this.requestShares = new PrincipalShares(dependencies.supervisor().callsMax());
        this.failedBefore = stored.failed();
        this.relist = dependencies.timer().debouncer(RELIST_DELAY, this::relist);
        this.recheckDebouncer = dependencies.timer().debouncer(RECHECK_DELAY, this::relist);
        if (failedBefore) {
            supervisor.startPriority(Priority.LOW);
        }
        supervisor.addListener((_, was, is) -> stateChanged(was, is));
    }

    /** The supervisor of a connection besides the first one, whose state is not reported. */
    private Supervisor furtherSupervisor(
            ConnectionId id, ServerSpec itsSpec, Supervisor.Dependencies dependencies) {
        var further = new Supervisor(itsSpec, dependencies, new ServerEvents(id));
        further.addListener(
                (_, _, is) -> {
                    if (is.status() == Status.CONNECTED) {
                        events.publish(it -> it.connected(id));
                    }
                });
        return further;
    }

    ServerSpec spec() {
        return spec;
    }

    /** Takes another specification with the same connection. */
    void updateSpec(ServerSpec other) {
        spec = other;
        connections.updateSpec(other);
        listingCache.setFilter(other.options().tools());
    }

    ServerId id() {
        return spec.id();
    }

    Supervisor supervisor() {
        return supervisor;
    }

    /** The connections to the server, the supervisor's first one included. */
    ServerConnections connections() {
        return connections;
    }

    /** How many requests in flight the principals have at this server. */
    PrincipalShares requestShares() {
        return requestShares;
    }

    ListingCache listingCache() {
        return listingCache;
    }

    /** Stops the server, and frees what its lists took of the budget. */
    void close() {
        connections.stop();
        listingCache.close();
    }

    /** Ends the server until it is enabled again. */
    void disable() {
        supervisor.disable();
        connections.closeOthers();
    }

    /** Ends all connections, and opens the first one again. */
    void reconnect() {
        supervisor.reconnect();
        connections.closeOthers();
    }

    boolean isEnabled() {
        return supervisor.state().status() != Status.DISABLED;
    }

    /** Waits for the lists as long as a client may wait; stored lists get less time. */
    void awaitListing(long deadline, long soon) throws InterruptedException {
        switch (listingCache.freshness()) {
            case UNKNOWN -> listingCache.awaitFirstResult(failedBefore ? soon : deadline);
            case STALE -> listingCache.awaitFirstResult(soon);
            // The lists may have arrived just now and not be in the catalog yet.
            case CURRENT -> listingCache.awaitFirstResult(deadline);
            case DISABLED -> {}
        }
        refreshIfOld();
    }

    /** Queries the lists in the background if they are old, at a limited rate. */
    private void refreshIfOld() {
        boolean connected = supervisor.state().status() == Status.CONNECTED;
        if (connected && !listingCache.isFresh()) {
            listingCache.markOutdated();
            recheckDebouncer.trigger();
        }
    }

    /** Queries the lists soon, because the server rejected arguments that match its schema. */
    void recheckListing() {
        listingCache.markOutdated();
        recheckDebouncer.trigger();
    }

    ServerReport report() {
        return report(it -> it);
    }

    /** The report of a view that shows a part of the lists. */
    ServerReport report(UnaryOperator<Listing> part) {
        ServerState state = supervisor.state();
        ListingState.CachedListing content = listingCache.cached();
        Listing listing = part.apply(listingCache.visible(content));
        ServerFailure failure = state.lastError() != null ? state.lastError() : content.failure();
        return new ServerReport(
                spec,
                state,
                state.status() != Status.DISABLED,
                new ServerReport.Counts(
                        listing.tools().size(),
                        listing.resources().size(),
                        listing.prompts().size()),
                content.isKnown() && listingCache.freshness() != Freshness.CURRENT,
                failure,
                content.discoveredAt(),
                listing.withheld(),
                listing.filtered().stream().map(it -> it.name().name()).toList(),
                supervisor.strayOutput(),
                supervisor.nextAttemptAt(),
                activity(),
                connections.scope(),
                connections.openCount());
    }

    private String activity() {
        return supervisor.isStoppedUnused()
                ? "stopped because nobody used it; the next call starts it"
                : supervisor.startActivity();
    }

    private void stateChanged(ServerState before, ServerState after) {
        if (before.status() == Status.DISABLED) {
            listingCache.serverRestarted();
        }
        if (after.status() == Status.CONNECTED) {
            HandshakeResult handshake = after.handshake();
            if (handshake != null) {
                connections.onPrimaryConnected(handshake);
            }
            refreshAfterConnect(after);
            events.publish(it -> it.connected(ConnectionId.primary(spec.id())));
        } else if (after.lastError() != null) {
            listingCache.serverUnreachable();
        }
        events.publish(EntryListener::listingChanged);
        events.publish(it -> it.stateChanged(spec.id(), before, after));
    }

    private void refreshAfterConnect(ServerState state) {
        if (listingCache.hasQueried(state.handshake())) {
            return;
        }
        if (listingCache.isQuerying()) {
            // The running query may use the old connection; query again after it.
            listingCache.markOutdated();
            relist.trigger();
        } else {
            listingCache.refreshInBackground();
        }
    }

    private void relistSoon() {
        listingCache.markOutdated();
        relist.trigger();
    }

    private void publishAnnouncements() {
        Set<String> lists = listAnnouncements.take();
        if (!lists.isEmpty()) {
            events.publish(it -> it.listsAnnounced(lists));
        }
    }

    private void relist() {
        if (!listingCache.isOutdated() || !isEnabled()) {
            return;
        }
        if (listingCache.isQuerying()) {
            relist.trigger();
        } else {
            listingCache.refreshInBackground();
        }
    }

    /** Receives the notifications of the server over one connection. */
    private final class ServerEvents implements ServerEventListener {
        private final ConnectionId connection;

        private ServerEvents(ConnectionId connection) {
            this.connection = connection;
        }

        @Override
        public void onListChanged(ServerId server, String list) {
            listAnnouncements.add(list);
            relistSoon();
        }

        @Override
        public void onResourceUpdated(ServerId server, Json params) {
            events.publish(it -> it.resourceUpdated(connection, params));
        }

        @Override
        public void onNotificationsLost(ServerId server) {
            relistSoon();
            events.publish(it -> it.notificationsLost(connection));
        }

        @Override
        public void onNotification(ServerId server, String method, Json params) {
            events.publish(it -> it.notificationReceived(server, method, params));
        }

        @Override
        public void onLogMessage(ServerId server, Json params) {
            // What belongs to no call of a client must not reach another.
            if (connection.owner() == null && !connections.isOwnedByClient()) {
                events.publish(it -> it.logged(server, params));
            }
        }
    }
}
