package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering;
import dev.patchbay.catalog.ServerOffering.Freshness;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Owns the catalog of all servers: builds it when it is read after a change, and announces changes
 * that are close together once. So many servers that change at once cost one catalog.
 */
final class CatalogPublisher implements EntryListener {
    private static final Duration ANNOUNCE_DELAY = Duration.ofMillis(250);

    private final Supplier<Collection<ServerEntry>> servers;
    private final @Nullable Listing builtInListing;
    private final DebounceTimer.Debouncer announceDebouncer;
    private final ReentrantLock buildLock = new ReentrantLock();

    /** The number of changes that affect the catalog. */
    private final AtomicLong changeCount = new AtomicLong();

    private volatile Snapshot snapshot = new Snapshot(0, List.of(), Catalog.EMPTY);

    /** Lists to announce also if they have not changed, because their server says so. */
    private final Set<String> announcedByServers = new HashSet<>();

    /** A catalog, its inputs, and the number of changes before it was built. */
    private record Snapshot(long changeCount, List<ServerOffering> offerings, Catalog catalog) {}

    /**
     * Creates the owner of the catalog.
     *
     * @param own the gateway's own tools; null for none
     * @param announce called some time after changes, once for those that are close together
     */
    CatalogPublisher(
            Supplier<Collection<ServerEntry>> servers,
            @Nullable Listing own,
            DebounceTimer timer,
            Runnable announce) {
        this.servers = servers;
        this.builtInListing = own;
        this.announceDebouncer = timer.debouncer(ANNOUNCE_DELAY, announce);
        changeCount.set(own == null ? 0 : 1);
    }

    /** The current catalog. Never waits for a server. */
    Catalog current() {
        Snapshot last = snapshot;
        return last.changeCount == changeCount.get() ? last.catalog : rebuild();
    }

    @Override
    public void listingChanged() {
        markChanged();
    }

    @Override
    public void listsAnnounced(Set<String> lists) {
        synchronized (this) {
            announcedByServers.addAll(lists);
        }
        announceDebouncer.trigger();
    }

    /** The lists that servers have announced since the last time. */
    synchronized Set<String> takeAnnouncedLists() {
        Set<String> lists = Set.copyOf(announcedByServers);
        announcedByServers.clear();
        return lists;
    }

    /** What servers offer has changed, or may have. */
    void markChanged() {
        changeCount.incrementAndGet();
        announceDebouncer.trigger();
    }

    private Catalog rebuild() {
        buildLock.lock();
        try {
            Snapshot last = snapshot;
            long now = changeCount.get();
            if (last.changeCount == now) {
                return last.catalog;
            }
            List<ServerOffering> offers = offerings();
            Catalog catalog =
                    haveSameListings(offers, last.offerings) ? last.catalog : Catalog.of(offers);
            snapshot = new Snapshot(now, offers, catalog);
            return catalog;
        } finally {
            buildLock.unlock();
        }
    }

    private List<ServerOffering> offerings() {
        var offers = new ArrayList<ServerOffering>();
        servers.get().forEach(it -> offers.add(it.listingCache().offering()));
        if (builtInListing != null) {
            offers.add(new ServerOffering(builtInListing, Freshness.CURRENT));
        }
        return offers;
    }

    /** Whether the lists are the same, as after a change of state alone. */
    @SuppressWarnings("ReferenceEquality") // A changed list is a new object.
    private static boolean haveSameListings(
            List<ServerOffering> some, List<ServerOffering> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            ServerOffering one = some.get(i);
            ServerOffering other = others.get(i);
            if (one.listing() != other.listing() || one.freshness() != other.freshness()) {
                return false;
            }
        }
        return true;
    }
}
