package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.server.Supervisor;

import java.time.Duration;

/** One entry of the registry: a server's supervisor and its lists. */
final class ServerEntry {
    private static final Duration RELIST_DELAY = Duration.ofMillis(250);
    private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

    /** What an entry needs of its gateway. */
    interface EntryContext extends ListingCache.CacheContext {
        Supervisor.Dependencies supervisorDependencies();

        DebounceTimer timer();

        GatewayListeners listeners();

        /** The server has a new connection, over which it knows of no subscription. */
        void serverConnected(ServerId server);

        /** A server told of a change of a resource. */
        void resourceUpdated(ServerId server, Json params);

        /** A server may have told of changes of resources that nobody heard. */
        void notificationsLost(ServerId server);

        TaskRegistry tasks();
    }

    private volatile ServerSpec spec;
    private final EntryContext context;
    private final Supervisor supervisor;
    private final ListingCache listingCache;

    /** Whether it told no list when it was last started, so that nobody need wait for one now. */
    private final boolean failedBefore;

    private final DebounceTimer.Debouncer relist;
    private final DebounceTimer.Debouncer recheckDebouncer;

    /** Whether the server, as it was last connected, may answer a call with a modern task. */
    private volatile boolean supportsModernTasks;

    ServerEntry(ServerSpec spec, ListingStore.StoredListing before, EntryContext around) {
        this.spec = spec;
        this.context = around;
        this.supervisor = new Supervisor(spec, around.supervisorDependencies(), new ServerEvents());
        this.listingCache = new ListingCache(supervisor, before.listing(), around);
        this.failedBefore = before.failed();
        this.relist = around.timer().debouncer(RELIST_DELAY, this::relist);
        this.recheckDebouncer = around.timer().debouncer(RECHECK_DELAY, this::relist);
        if (failedBefore) {
            supervisor.startPriority(Priority.LOW);
        }
        supervisor.addListener((_, was, is) -> stateChanged(was, is));
    }

    ServerSpec spec() {
        return spec;
    }

    /** Takes another specification by which the server is reached in the same way. */
    void updateSpec(ServerSpec other) {
        spec = other;
        listingCache.setFilter(other.options().tools());
    }

    ServerId id() {
        return spec.id();
    }

    Supervisor supervisor() {
        return supervisor;
    }

    ListingCache listingCache() {
        return listingCache;
    }

    /** Stops the server, and frees what its lists took of the budget. */
    void close() {
        supervisor.stop();
        listingCache.close();
    }

    boolean isEnabled() {
        return supervisor.state().status() != Status.DISABLED;
    }

    /** Whether a call of a tool may have to be looked after for longer than its answer. */
    boolean hasModernTasks() {
        return supportsModernTasks;
    }

    /** Waits for the list as long as a client should; one known from before gets less time. */
    void awaitListing(long deadline, long soon) throws InterruptedException {
        switch (listingCache.freshness()) {
            case UNKNOWN -> listingCache.awaitFirstResult(failedBefore ? soon : deadline);
            case STALE -> listingCache.awaitFirstResult(soon);
            // Its list may have come this very moment and not be in the catalogue yet.
            case CURRENT -> listingCache.awaitFirstResult(deadline);
            case DISABLED -> {}
        }
        refreshIfOld();
    }

    /** Asks for the lists in the background if they are old, now and then at most. */
    private void refreshIfOld() {
        boolean connected = supervisor.state().status() == Status.CONNECTED;
        if (connected && !listingCache.isFresh()) {
            listingCache.markOutdated();
            recheckDebouncer.trigger();
        }
    }

    /** Asks for the lists soon: the server took arguments for wrong that we took for right. */
    void recheckListing() {
        listingCache.markOutdated();
        recheckDebouncer.trigger();
    }

    ServerReport report() {
        ServerState state = supervisor.state();
        ListingState.CachedListing content = listingCache.cached();
        Listing listing = listingCache.visible(content);
        ServerFailure trouble = state.lastError() != null ? state.lastError() : content.failure();
        return new ServerReport(
                spec,
                state,
                state.status() != Status.DISABLED,
                new ServerReport.Counts(
                        listing.tools().size(),
                        listing.resources().size(),
                        listing.prompts().size()),
                content.isKnown() && listingCache.freshness() != Freshness.CURRENT,
                trouble,
                content.discoveredAt(),
                listing.withheld(),
                listing.filtered().stream().map(it -> it.name().name()).toList(),
                supervisor.strayOutput());
    }

    private void stateChanged(ServerState before, ServerState after) {
        if (before.status() == Status.DISABLED) {
            listingCache.serverRestarted();
        }
        if (after.status() == Status.CONNECTED) {
            HandshakeResult facts = after.handshake();
            supportsModernTasks =
                    facts != null
                            && facts.version().era() == Era.MODERN
                            && TaskMessages.hasTasksExtension(facts.capabilities());
            refreshAfterConnect(after);
            context.serverConnected(spec.id());
            context.tasks().serverConnected(spec.id());
        } else if (after.lastError() != null) {
            listingCache.serverUnreachable();
        }
        context.listingChanged();
        context.listeners().publish(it -> it.stateChanged(spec.id(), before, after));
    }

    private void refreshAfterConnect(ServerState state) {
        if (listingCache.hasQueried(state.handshake())) {
            return;
        }
        if (listingCache.isQuerying()) {
            // The query may be over a connection that is gone; see to it when it has ended.
            listingCache.markOutdated();
            relist.trigger();
        } else {
            listingCache.refreshInBackground();
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

    /** Hears the server. */
    private final class ServerEvents implements ServerEventListener {
        @Override
        public void onListChanged(ServerId server, String list) {
            listingCache.markOutdated();
            relist.trigger();
        }

        @Override
        public void onResourceUpdated(ServerId server, Json params) {
            context.resourceUpdated(server, params);
        }

        @Override
        public void onNotificationsLost(ServerId server) {
            onListChanged(server, "");
            context.notificationsLost(server);
        }

        @Override
        public void onNotification(ServerId server, String method, Json params) {
            switch (method) {
                case "notifications/elicitation/complete" ->
                        context.listeners().publish(it -> it.elicitationCompleted(params));
                case "notifications/tasks/status" ->
                        context.tasks().taskNotification(server, Era.LEGACY, params);
                case "notifications/tasks" ->
                        context.tasks().taskNotification(server, Era.MODERN, params);
                default -> {}
            }
        }

        @Override
        public void onLogMessage(ServerId server, Json params) {
            context.listeners().publish(it -> it.logged(server, params));
        }
    }
}
