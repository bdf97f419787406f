package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Stores lists with a delay, so that no list waits for the disk. */
final class ListingWriter implements EntryListener {
    /** By then, many servers that started together have sent their lists. */
    private static final Duration WRITE_DELAY = Duration.ofSeconds(1);

    private final ListingStore store;
    private final DebounceTimer.Debouncer debouncer;
    private final ConcurrentMap<ServerId, Runnable> pending = new ConcurrentHashMap<>();

    ListingWriter(ListingStore store, DebounceTimer timer) {
        this.store = store;
        this.debouncer =
                timer.debouncer(WRITE_DELAY, () -> Thread.ofVirtual().start(this::writePending));
    }

    @Override
    public void listingFetched(ServerSpec spec, Listing listing) {
        pending.put(spec.id(), () -> store.save(spec, listing));
        debouncer.trigger();
    }

    @Override
    public void listingFailed(ServerSpec spec) {
        pending.putIfAbsent(spec.id(), () -> store.saveFailure(spec));
        debouncer.trigger();
    }

    /** Writes what is pending. */
    synchronized void writePending() {
        for (ServerId server : pending.keySet()) {
            Runnable save = pending.remove(server);
            if (save != null) {
                save.run();
            }
        }
    }
}
