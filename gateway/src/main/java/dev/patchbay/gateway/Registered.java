package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.LinkListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartGate.Turn;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.Trouble;

import java.time.Duration;

/** One entry of the registry: a server's supervisor and its lists. */
final class Registered {
    private static final Duration RELIST_AFTER = Duration.ofMillis(250);
    private static final Duration RECHECK_AFTER = Duration.ofSeconds(1);

    /** What an entry needs of its gateway. */
    interface Surroundings extends Shelf.Surroundings {
        Supervisor.Shared shared();

        Timer timer();

        Listeners listeners();

        /** The server has a new connection, over which it knows of no subscription. */
        void connected(ServerId server);

        /** A server told of a change of a resource. */
        void updated(ServerId server, Json params);

        /** A server may have told of changes of resources that nobody heard. */
        void missed(ServerId server);

        TaskDesk tasks();
    }

    private volatile ServerSpec spec;
    private final Surroundings around;
    private final Supervisor supervisor;
    private final Shelf shelf;

    /** Whether it told no list when it was last started, so that nobody need wait for one now. */
    private final boolean failedBefore;

    private final Timer.Bell relist;
    private final Timer.Bell recheck;

    /** Whether the server, as it was last connected, may answer a call with a modern task. */
    private volatile boolean tasking;

    Registered(ServerSpec spec, ListingStore.Memory before, Surroundings around) {
        this.spec = spec;
        this.around = around;
        this.supervisor = new Supervisor(spec, around.shared(), new Voice());
        this.shelf = new Shelf(supervisor, before.listing(), around);
        this.failedBefore = before.failed();
        this.relist = around.timer().bell(RELIST_AFTER, this::relist);
        this.recheck = around.timer().bell(RECHECK_AFTER, this::relist);
        if (failedBefore) {
            supervisor.turn(Turn.LAST);
        }
        supervisor.addListener((_, was, is) -> changed(was, is));
    }

    ServerSpec spec() {
        return spec;
    }

    /** Takes another specification by which the server is reached in the same way. */
    void become(ServerSpec other) {
        spec = other;
        shelf.filter(other.options().tools());
    }

    ServerId id() {
        return spec.id();
    }

    Supervisor supervisor() {
        return supervisor;
    }

    Shelf shelf() {
        return shelf;
    }

    boolean isEnabled() {
        return supervisor.state().status() != Status.DISABLED;
    }

    /** Whether a call of a tool may have to be looked after for longer than its answer. */
    boolean isTasking() {
        return tasking;
    }

    /** Waits for the list as long as a client should; one known from before gets less time. */
    void awaitList(long deadline, long soon) throws InterruptedException {
        switch (shelf.standing()) {
            case UNKNOWN -> shelf.awaitFirst(failedBefore ? soon : deadline);
            case STALE -> shelf.awaitFirst(soon);
            // Its list may have come this very moment and not be in the catalogue yet.
            case CURRENT -> shelf.awaitFirst(deadline);
            case DISABLED -> {}
        }
        refreshIfOld();
    }

    /** Asks for the lists in the background if they are old, now and then at most. */
    private void refreshIfOld() {
        boolean connected = supervisor.state().status() == Status.CONNECTED;
        if (connected && !shelf.isFresh()) {
            shelf.outdate();
            recheck.ring();
        }
    }

    /** Asks for the lists soon: the server took arguments for wrong that we took for right. */
    void changedPerhaps() {
        shelf.outdate();
        recheck.ring();
    }

    ServerReport report() {
        ServerState state = supervisor.state();
        Shelf.Content content = shelf.content();
        Listing listing = shelf.shown(content);
        Trouble trouble = state.lastError() != null ? state.lastError() : content.failure();
        return new ServerReport(
                spec,
                state,
                state.status() != Status.DISABLED,
                new ServerReport.Counts(
                        listing.tools().size(),
                        listing.resources().size(),
                        listing.prompts().size()),
                content.known() && shelf.standing() != Standing.CURRENT,
                trouble,
                content.discoveredAt(),
                listing.withheld(),
                listing.filtered().stream().map(it -> it.name().name()).toList(),
                supervisor.chatter());
    }

    private void changed(ServerState before, ServerState after) {
        if (before.status() == Status.DISABLED) {
            shelf.restarted();
        }
        if (after.status() == Status.CONNECTED) {
            LinkFacts facts = after.link();
            tasking =
                    facts != null
                            && facts.version().era() == Era.MODERN
                            && Tasks.isDeclared(facts.capabilities());
            connected(after);
            around.connected(spec.id());
            around.tasks().connected(spec.id());
        } else if (after.lastError() != null) {
            shelf.unreachable();
        }
        around.changed();
        around.listeners().tell(it -> it.stateChanged(spec.id(), before, after));
    }

    private void connected(ServerState state) {
        if (shelf.knows(state.link())) {
            return;
        }
        if (shelf.isAsking()) {
            // The query may be over a connection that is gone; see to it when it has ended.
            shelf.outdate();
            relist.ring();
        } else {
            shelf.refreshSoon();
        }
    }

    private void relist() {
        if (!shelf.isOutdated() || !isEnabled()) {
            return;
        }
        if (shelf.isAsking()) {
            relist.ring();
        } else {
            shelf.refreshSoon();
        }
    }

    /** Hears the server. */
    private final class Voice implements LinkListener {
        @Override
        public void listChanged(ServerId server, String list) {
            shelf.outdate();
            relist.ring();
        }

        @Override
        public void resourceUpdated(ServerId server, Json params) {
            around.updated(server, params);
        }

        @Override
        public void missed(ServerId server) {
            listChanged(server, "");
            around.missed(server);
        }

        @Override
        public void notified(ServerId server, String method, Json params) {
            switch (method) {
                case "notifications/elicitation/complete" ->
                        around.listeners().tell(it -> it.elicited(params));
                case "notifications/tasks/status" ->
                        around.tasks().told(server, Era.LEGACY, params);
                case "notifications/tasks" -> around.tasks().told(server, Era.MODERN, params);
                default -> {}
            }
        }

        @Override
        public void logged(ServerId server, Json params) {
            around.listeners().tell(it -> it.logged(server, params));
        }
    }
}
