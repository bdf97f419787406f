package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Offer;
import dev.patchbay.catalog.Offer.Standing;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The owner of the catalogue: replaces it as a whole, and tells once of changes close together. It
 * is made when somebody looks, so that many servers that change at once cost one catalogue.
 */
final class Keeper {
    private static final Duration TELL_AFTER = Duration.ofMillis(250);

    private final Supplier<Collection<Registered>> servers;
    private final @Nullable Listing own;
    private final Listeners listeners;
    private final Timer.Bell changes;
    private final ReentrantLock building = new ReentrantLock();

    /** How often something changed of which the catalogue is made. */
    private final AtomicLong changed = new AtomicLong();

    private volatile Built built = new Built(0, List.of(), Catalog.EMPTY);

    /** What clients were told of last. As long as nobody looks, there is nothing to tell. */
    private Catalog announced = Catalog.EMPTY;

    private boolean watched;

    /** A catalogue, what it was made of, and how much had changed before it was begun. */
    private record Built(long changed, List<Offer> offers, Catalog catalog) {}

    Keeper(
            Supplier<Collection<Registered>> servers,
            @Nullable Listing own,
            Listeners listeners,
            Timer timer) {
        this.servers = servers;
        this.own = own;
        this.listeners = listeners;
        this.changes = timer.bell(TELL_AFTER, this::announce);
        if (own != null) {
            change();
        }
    }

    /** The catalogue of what the servers offer now. */
    Catalog catalog() {
        Built last = built;
        return last.changed == changed.get() ? last.catalog : rebuilt();
    }

    /** How long, and by whom, a list of all servers may be kept. */
    CacheHint cacheHint(String listMethod) {
        CacheHint all =
                ListKind.of(listMethod)
                        .map(kind -> servers.get().stream().map(it -> it.shelf().hint(kind)))
                        .flatMap(hints -> hints.reduce(CacheHint::and))
                        .orElse(CacheHint.NONE);
        return all.equals(CacheHint.ANY) ? CacheHint.NONE : all;
    }

    /** Somebody looks from now on: what changes after this is told. */
    synchronized void watch() {
        if (!watched) {
            watched = true;
            announced = catalog();
        }
    }

    /** What servers offer has changed, or may have: who looks from now on sees it. */
    void change() {
        changed.incrementAndGet();
        changes.ring();
    }

    private Catalog rebuilt() {
        building.lock();
        try {
            Built last = built;
            long now = changed.get();
            if (last.changed == now) {
                return last.catalog;
            }
            List<Offer> offers = offers();
            Catalog catalog = isSame(offers, last.offers) ? last.catalog : Catalog.of(offers);
            built = new Built(now, offers, catalog);
            return catalog;
        } finally {
            building.unlock();
        }
    }

    private List<Offer> offers() {
        var offers = new ArrayList<Offer>();
        servers.get().forEach(it -> offers.add(it.shelf().offer()));
        if (own != null) {
            offers.add(new Offer(own, Standing.CURRENT));
        }
        return offers;
    }

    /** Whether nothing is new, as after a change of state alone: lists are then as they were. */
    @SuppressWarnings("ReferenceEquality") // A new list is another object.
    private static boolean isSame(List<Offer> some, List<Offer> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            Offer one = some.get(i);
            Offer other = others.get(i);
            if (one.listing() != other.listing() || one.standing() != other.standing()) {
                return false;
            }
        }
        return true;
    }

    private void announce() {
        Catalog before;
        Catalog now;
        synchronized (this) {
            if (!watched) {
                return;
            }
            now = catalog();
            before = announced;
            announced = now;
        }
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
