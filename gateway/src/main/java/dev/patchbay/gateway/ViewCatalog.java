package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.catalog.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The catalog as a view shows it. It is computed once for each state of the whole catalog and each
 * definition of the view.
 */
final class ViewCatalog {
    /** No connection timeout of a server is longer. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** A restricted catalog, and what it was computed from. */
    private record Restricted(Catalog whole, CatalogView view, Catalog catalog) {}

    /** What clients were last told. */
    private record Announced(Catalog catalog, @Nullable NameStylePolicy names) {}

    private final CatalogPublisher publisher;
    private final VisibleServers servers;
    private final Supplier<CatalogView> view;
    private final Duration listPatience;
    private volatile Restricted last =
            new Restricted(Catalog.EMPTY, CatalogView.WHOLE, Catalog.EMPTY);

    /** Null until a client has read the catalog. */
    private @Nullable Announced announced;

    ViewCatalog(
            CatalogPublisher publisher,
            VisibleServers servers,
            Supplier<CatalogView> view,
            Duration listPatience) {
        this.publisher = publisher;
        this.servers = servers;
        this.view = view;
        this.listPatience = listPatience;
    }

    /** The current catalog. Never waits for a server. */
    Catalog current() {
        CatalogView now = view.get();
        Catalog whole = publisher.current();
        return now.isWhole() ? whole : restricted(whole, now);
    }

    @SuppressWarnings("ReferenceEquality") // A changed catalog or definition is a new object.
    private Catalog restricted(Catalog whole, CatalogView now) {
        Restricted known = last;
        if (known.whole != whole || known.view != now) {
            known = new Restricted(whole, now, whole.restrictedTo(now));
            last = known;
        }
        return known.catalog;
    }

    /** The catalog after servers that have just started had time to send their lists. */
    Catalog awaitComplete() throws InterruptedException {
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
        for (ServerEntry server : servers.all()) {
            server.awaitListing(deadline, soon);
        }
        startAnnouncing();
        return current();
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

    /** How long, and by which clients, a list may be cached. */
    CacheHint cacheHint(String listMethod) {
        CacheHint all =
                ListKind.of(listMethod)
                        .map(
                                kind ->
                                        servers.all().stream()
                                                .map(it -> it.listingCache().cacheHint(kind)))
                        .flatMap(hints -> hints.reduce(CacheHint::combine))
                        .orElse(CacheHint.DO_NOT_CACHE);
        CacheHint hint = all.equals(CacheHint.UNRESTRICTED) ? CacheHint.DO_NOT_CACHE : all;
        return view.get().isWhole() ? hint : hint.asPrivate(); // others may have another view
    }

    /** From now on changes are announced. */
    synchronized void startAnnouncing() {
        if (announced == null) {
            announced = new Announced(current(), view.get().names());
        }
    }

    /** The lists that have changed since they were last announced, or are announced anyway. */
    synchronized List<String> takeChangedLists(Set<String> announcedAnyway) {
        Announced before = announced;
        if (before == null) {
            return List.of();
        }
        var now = new Announced(current(), view.get().names());
        announced = now;
        boolean sameNames = Objects.equals(now.names, before.names);
        var changed = new ArrayList<String>();
        if (announcedAnyway.contains("tools")
                || !sameNames
                || !now.catalog.hasSameTools(before.catalog)) {
            changed.add("tools");
        }
        if (announcedAnyway.contains("prompts")
                || !sameNames
                || !now.catalog.hasSamePrompts(before.catalog)) {
            changed.add("prompts");
        }
        if (announcedAnyway.contains("resources")
                || !now.catalog.hasSameResources(before.catalog)) {
            changed.add("resources");
        }
        return changed;
    }
}
