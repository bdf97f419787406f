package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Offer;
import dev.patchbay.catalog.Offer.Standing;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The owner of the catalogue: replaces it as a whole, and tells once of changes close together. */
final class Keeper {
    private static final Duration TELL_AFTER = Duration.ofMillis(250);

    private final Supplier<Collection<Registered>> servers;
    private final @Nullable Listing own;
    private final Listeners listeners;
    private final Timer.Bell changes;
    private final Timer.Bell soon;
    private final ReentrantLock building = new ReentrantLock();
    private volatile Catalog catalog = Catalog.EMPTY;
    private Catalog announced = Catalog.EMPTY;

    Keeper(
            Supplier<Collection<Registered>> servers,
            @Nullable Listing own,
            Listeners listeners,
            Timer timer) {
        this.servers = servers;
        this.own = own;
        this.listeners = listeners;
        this.changes = timer.bell(TELL_AFTER, this::announce);
        this.soon = timer.bell(Duration.ZERO, this::rebuild);
        rebuild();
        announced = catalog;
    }

    Catalog catalog() {
        return catalog;
    }

    /** Makes the catalogue anew from what the servers offer now. */
    void rebuild() {
        building.lock();
        try {
            var offers = new ArrayList<Offer>();
            servers.get().forEach(it -> offers.add(it.shelf().offer()));
            if (own != null) {
                offers.add(new Offer(own, Standing.CURRENT));
            }
            catalog = Catalog.of(offers);
        } finally {
            building.unlock();
        }
        changes.ring();
    }

    /** Does so in a moment, on another thread. */
    void rebuildSoon() {
        soon.ring();
    }

    /** Runs on the timer's thread alone. */
    private void announce() {
        Catalog now = catalog;
        Catalog before = announced;
        announced = now;
        if (!now.sameTools(before)) {
            listeners.tell(it -> it.listChanged("tools"));
        }
        if (!now.samePrompts(before)) {
            listeners.tell(it -> it.listChanged("prompts"));
        }
        if (!now.sameResources(before)) {
            listeners.tell(it -> it.listChanged("resources"));
        }
    }
}
