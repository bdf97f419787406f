package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Writes down what servers told, a little later: no list waits for the disk. */
final class Scribe {
    /** By then many servers that start together have told theirs. */
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final ListingStore store;
    private final Timer.Bell bell;
    private final ConcurrentMap<ServerId, Runnable> pending = new ConcurrentHashMap<>();

    Scribe(ListingStore store, Timer timer) {
        this.store = store;
        this.bell = timer.bell(AFTER, () -> Thread.ofVirtual().start(this::write));
    }

    void told(ServerSpec spec, Listing listing) {
        pending.put(spec.id(), () -> store.save(spec, listing));
        bell.ring();
    }

    void toldNothing(ServerSpec spec) {
        pending.putIfAbsent(spec.id(), () -> store.saveFailure(spec));
        bell.ring();
    }

    /** Writes what is still to be written. */
    synchronized void write() {
        for (ServerId server : pending.keySet()) {
            Runnable save = pending.remove(server);
            if (save != null) {
                save.run();
            }
        }
    }
}
