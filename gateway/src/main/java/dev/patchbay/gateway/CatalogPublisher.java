package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.catalog.Tool;

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
 * Owns the catalog: builds it when it is read after a change, and announces changes that are close
 * together once. So many servers that change at once cost one catalog.
 */
final class CatalogPublisher implements CatalogSource, EntryListener {
    /** No connection timeout of a server is longer. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration ANNOUNCE_DELAY = Duration.ofMillis(250);

    private final Supplier<Collection<ServerEntry>> servers;
    private final @Nullable Listing builtInListing;
    private final GatewayListeners listeners;
    private final Duration listPatience;
    private final DebounceTimer.Debouncer announceDebouncer;
    private final ReentrantLock buildLock = new ReentrantLock();

    /** The number of changes that affect the catalog. */
    private final AtomicLong changeCount = new AtomicLong();

    private volatile Snapshot snapshot = new Snapshot(0, List.of(), Catalog.EMPTY);

    /** The catalog that was announced last; null until a client has read the catalog. */
    private Catalog lastAnnounced = Catalog.EMPTY;

    private boolean announcing;

    /** Lists to announce also if they have not changed, because their server says so. */
    private final Set<String> announcedByServers = new HashSet<>();

    /** A catalog, its inputs, and the number of changes before it was built. */
    private record Snapshot(long changeCount, List<ServerOffering> offerings, Catalog catalog) {}

    CatalogPublisher(
            Supplier<Collection<ServerEntry>> servers,
            @Nullable Listing own,
            GatewayListeners listeners,
            DebounceTimer timer,
            Duration listPatience) {
        this.servers = servers;
        this.listPatience = listPatience;
        this.builtInListing = own;
        this.listeners = listeners;
        this.announceDebouncer = timer.debouncer(ANNOUNCE_DELAY, this::announce);
        if (own != null) {
            markChanged();
        }
    }

    @Override
    public Catalog current() {
        Snapshot last = snapshot;
        return last.changeCount == changeCount.get() ? last.catalog : rebuild();
    }

    @Override
    public Catalog awaitComplete() throws InterruptedException {
        return await(WAIT_MAX);
    }

    /**
     * The catalog after a wait for servers that have just started, at most so long. Servers whose
     * lists are known from an earlier run, or that failed then, get the short list patience.
     */
    Catalog await(Duration timeout) throws InterruptedException {
        long now = System.nanoTime();
        long deadline = now + timeout.toNanos();
        long soon = Math.min(deadline, now + listPatience.toNanos());
        for (ServerEntry server : servers.get()) {
            server.awaitListing(deadline, soon);
        }
        startAnnouncing();
        return current();
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

    /** All tools that clients see, and whether each can be called now. */
    List<ToolReport> toolReports() {
        Catalog now = current();
        return now.tools().stream().map(it -> new ToolReport(it, isCurrent(now, it))).toList();
    }

    private static boolean isCurrent(Catalog catalog, Tool tool) {
        return catalog.freshness(tool.name().server()).orElse(Freshness.UNKNOWN)
                == Freshness.CURRENT;
    }

    /** How long, and by which clients, a list of all servers may be cached. */
    CacheHint cacheHint(String listMethod) {
        CacheHint all =
                ListKind.of(listMethod)
                        .map(
                                kind ->
                                        servers.get().stream()
                                                .map(it -> it.listingCache().cacheHint(kind)))
                        .flatMap(hints -> hints.reduce(CacheHint::combine))
                        .orElse(CacheHint.DO_NOT_CACHE);
        return all.equals(CacheHint.UNRESTRICTED) ? CacheHint.DO_NOT_CACHE : all;
    }

    /** From now on changes are announced. */
    synchronized void startAnnouncing() {
        if (!announcing) {
            announcing = true;
            lastAnnounced = current();
        }
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

    private void announce() {
        Catalog before;
        Catalog now;
        Set<String> announced;
        synchronized (this) {
            announced = Set.copyOf(announcedByServers);
            announcedByServers.clear();
            if (!announcing) {
                return;
            }
            now = current();
            before = lastAnnounced;
            lastAnnounced = now;
        }
        if (!now.hasSameTools(before) || announced.contains("tools")) {
            listeners.publish(it -> it.listChanged("tools"));
        }
        if (!now.hasSamePrompts(before) || announced.contains("prompts")) {
            listeners.publish(it -> it.listChanged("prompts"));
        }
        if (!now.hasSameResources(before) || announced.contains("resources")) {
            listeners.publish(it -> it.listChanged("resources"));
        }
    }
}
