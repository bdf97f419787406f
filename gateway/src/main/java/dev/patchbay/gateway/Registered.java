package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.json.Json;
import dev.patchbay.server.LinkListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
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

        /** A server's state changed, and with it perhaps what can be said of its lists. */
        void changedSoon();

        /** The server has a new connection, over which it knows of no subscription. */
        void connected(ServerId server);

        /** The URI under which clients know a server's resource, in the params that tell of it. */
        Json offered(ServerId server, Json params);
    }

    private final ServerSpec spec;
    private final Surroundings around;
    private final Supervisor supervisor;
    private final Shelf shelf;
    private final boolean failedBefore;
    private final Timer.Bell relist;
    private final Timer.Bell recheck;

    Registered(ServerSpec spec, ListingStore.Memory before, Surroundings around) {
        this.spec = spec;
        this.around = around;
        this.supervisor = new Supervisor(spec, around.shared(), new Voice());
        this.shelf = new Shelf(supervisor, before.listing(), around);
        this.failedBefore = before.failed();
        this.relist = around.timer().bell(RELIST_AFTER, this::relist);
        this.recheck = around.timer().bell(RECHECK_AFTER, this::relist);
        supervisor.addListener((_, was, is) -> changed(was, is));
    }

    ServerSpec spec() {
        return spec;
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

    /** Whether it told no list when it was last started, so that nobody need wait for one now. */
    boolean failedBefore() {
        return failedBefore;
    }

    boolean isEnabled() {
        return supervisor.state().status() != Status.DISABLED;
    }

    /** Asks for the lists in the background if they are old, now and then at most. */
    void refreshIfOld() {
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
        Listing listing = content.listing();
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
                listing.withheld());
    }

    private void changed(ServerState before, ServerState after) {
        if (before.status() == Status.DISABLED) {
            shelf.restarted();
        }
        if (after.status() == Status.CONNECTED) {
            connected(after);
            around.connected(spec.id());
        } else if (after.lastError() != null) {
            shelf.unreachable();
        }
        around.changedSoon();
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
            Json offered = around.offered(server, params);
            around.listeners().tell(it -> it.resourceUpdated(offered));
        }

        @Override
        public void logged(ServerId server, Json params) {
            around.listeners().tell(it -> it.logged(server, params));
        }
    }
}
