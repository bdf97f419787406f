package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The lists of one server: what is known of them, how old that is, and the one query for them that
 * may be under way. Whoever wants them meanwhile waits for that query.
 */
final class ListingCache {

    /**
     * What is known, replaced as a whole.
     *
     * @param isKnown whether there is a list at all, even if from before
     * @param handshake the connection over which it was got; null if it is from before
     * @param fetchedNanos when, by the clock that only goes forward
     * @param isCurrent whether the last query told at least the tools
     * @param failure why the last query did not tell all; null if it did
     */
    record CachedListing(
            Listing listing,
            boolean isKnown,
            boolean isCurrent,
            @Nullable HandshakeResult handshake,
            long fetchedNanos,
            Duration freshFor,
            Map<ListKind, CacheHint> hints,
            @Nullable Instant discoveredAt,
            @Nullable ServerFailure failure) {

        CachedListing withFailure(ServerFailure trouble) {
            return new CachedListing(
                    listing,
                    isKnown,
                    false,
                    handshake,
                    fetchedNanos,
                    freshFor,
                    hints,
                    discoveredAt,
                    trouble);
        }
    }

    /** What clients see of a list under a filter. */
    private record FilteredView(Listing source, ToolFilter filter, Listing listing) {}

    /** What a shelf needs of the gateway. */
    interface CacheContext {
        Instant instant();

        GatewaySettings settings();

        /** The lists changed, or how far they can be trusted. */
        void listingChanged();

        /** New lists came from the server itself. */
        void listingFetched(ServerSpec spec, Listing listing);

        /** The server, of which no list is known, failed to tell one. */
        void listingFailed(ServerSpec spec);
    }

    private final Supervisor supervisor;
    private final CacheContext context;
    private final AtomicReference<@Nullable FutureTask<CachedListing>> runningQuery =
            new AtomicReference<>();
    private final AtomicBoolean outdated = new AtomicBoolean();
    private final AtomicBoolean failureReported = new AtomicBoolean();
    private volatile CachedListing cached;
    private volatile ToolFilter filter;
    private volatile FilteredView filteredView;
    private volatile @Nullable HandshakeResult queriedHandshake;
    private volatile CountDownLatch firstResult = new CountDownLatch(1);
    private volatile long firstResultDeadline;

    ListingCache(Supervisor supervisor, @Nullable Listing before, CacheContext around) {
        this.supervisor = supervisor;
        this.context = around;
        var none = Listing.empty(supervisor.spec().id());
        this.cached =
                new CachedListing(
                        before == null ? none : before,
                        before != null,
                        false,
                        null,
                        System.nanoTime(),
                        Duration.ZERO,
                        Map.of(),
                        null,
                        null);
        filter = supervisor.spec().options().tools();
        filteredView = new FilteredView(none, filter, none);
        serverRestarted();
    }

    CachedListing cached() {
        return cached;
    }

    /** Shows other tools from now on; who offers them is not asked again. */
    void filter(ToolFilter other) {
        filter = other;
    }

    /** What clients get to see of a content's list. */
    @SuppressWarnings("ReferenceEquality") // Whether the lists are equal is the dearer question.
    Listing filteredView(CachedListing some) {
        FilteredView last = filteredView;
        ToolFilter now = filter;
        if (last.source != some.listing() || last.filter != now) {
            last = new FilteredView(some.listing(), now, some.listing().filtered(now));
            filteredView = last;
        }
        return last.listing;
    }

    ServerOffering offering() {
        return new ServerOffering(filteredView(cached), freshness());
    }

    Freshness freshness() {
        CachedListing now = cached;
        ServerState state = supervisor.state();
        if (state.status() == ServerState.Status.DISABLED) {
            return Freshness.DISABLED;
        }
        if (now.handshake() != null
                && now.isCurrent()
                && isCurrentHandshake(state, now.handshake())) {
            return Freshness.CURRENT;
        }
        return now.isKnown() ? Freshness.STALE : Freshness.UNKNOWN;
    }

    /** Whether the list is the server's present one and young enough not to be asked for again. */
    boolean isFresh() {
        CachedListing now = cached;
        return freshness() == Freshness.CURRENT
                && now.failure() == null
                && !outdated.get()
                && System.nanoTime() - now.fetchedNanos() < now.freshFor().toNanos();
    }

    /** How long a client may keep this server's part of a list, from now on. */
    CacheHint cacheHint(ListKind kind) {
        CachedListing now = cached;
        return switch (freshness()) {
            case DISABLED -> CacheHint.UNRESTRICTED;
            case UNKNOWN, STALE -> CacheHint.DO_NOT_CACHE;
            case CURRENT -> {
                long ageMillis = (System.nanoTime() - now.fetchedNanos()) / 1_000_000;
                CacheHint told = now.hints().getOrDefault(kind, CacheHint.UNRESTRICTED);
                boolean certain = now.failure() == null && !outdated.get();
                yield !certain ? CacheHint.DO_NOT_CACHE : told.afterMillis(ageMillis);
            }
        };
    }

    /** The list is not what the server has any more. */
    void markOutdated() {
        outdated.set(true);
    }

    /** The server begins anew: clients may wait for its first list for a while. */
    void serverRestarted() {
        firstResultDeadline =
                System.nanoTime()
                        + supervisor.spec().options().limits().connectionTimeout().toNanos();
        firstResult = new CountDownLatch(1);
    }

    /** The server cannot be reached, at least for a while: nobody need wait for a first list. */
    void serverUnreachable() {
        reportFailureOnce();
        releaseWaiters();
    }

    /** Nobody need wait for a first list any more: there is one, or there will be none soon. */
    private void releaseWaiters() {
        firstResult.countDown();
    }

    /**
     * Waits for the first list since the start, to a deadline or as long as the server may take.
     */
    void awaitFirstResult(long deadline) throws InterruptedException {
        long until =
                Math.min(deadline - System.nanoTime(), firstResultDeadline - System.nanoTime());
        boolean came =
                until > 0
                        ? firstResult.await(until, TimeUnit.NANOSECONDS)
                        : firstResult.getCount() == 0;
        if (!came && System.nanoTime() - firstResultDeadline >= 0) {
            reportFailureOnce();
        }
    }

    boolean isQuerying() {
        return runningQuery.get() != null;
    }

    boolean isOutdated() {
        return outdated.get();
    }

    /** Whether a query over that connection was made or is being made. */
    boolean hasQueried(@Nullable HandshakeResult link) {
        return link != null
                && (isSameHandshake(link, queriedHandshake)
                        || isSameHandshake(link, cached.handshake()));
    }

    /**
     * What the server offers, asked for unless it is fresh. A failed query shows in the content's
     * failure.
     */
    CachedListing refresh(boolean force) throws InterruptedException {
        return refresh(force, queryTimeout());
    }

    /** The same with a patience of the caller's; the query goes on without him. */
    CachedListing refresh(boolean force, Duration patience) throws InterruptedException {
        // In this order: a list is fresh a moment before everybody can see it in the catalogue, and
        // the query that brought it ends when they can.
        if (!force && isFresh() && !isQuerying()) {
            return cached;
        }
        FutureTask<CachedListing> query = joinOrStartQuery();
        try {
            return query.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A query tells its failures", e);
        } catch (TimeoutException e) {
            String what = "Server " + supervisor.spec().id() + " did not tell its lists in time";
            return cached.withFailure(discoveryFailure(what));
        }
    }

    /** Asks the server in the background, if it is not being asked already. */
    void refreshInBackground() {
        FutureTask<CachedListing> _ = joinOrStartQuery();
    }

    /** The query under way, begun if there is none. */
    private FutureTask<CachedListing> joinOrStartQuery() {
        var mine = new FutureTask<>(this::runQuery);
        while (true) {
            FutureTask<CachedListing> running = runningQuery.get();
            if (running != null) {
                return running;
            }
            if (runningQuery.compareAndSet(null, mine)) {
                Thread.ofVirtual().name("list-" + supervisor.spec().id()).start(mine);
                return mine;
            }
        }
    }

    private CachedListing runQuery() throws InterruptedException {
        try {
            ServerSession link = supervisor.session(queryTimeout());
            queriedHandshake = link.handshakeResult();
            outdated.set(false);
            CachedListing before = cached;
            Duration timeout = supervisor.spec().options().limits().connectionTimeout();
            var told =
                    new ListFetcher(
                                    supervisor.spec().id(),
                                    link,
                                    timeout,
                                    context.settings().perServer())
                            .fetch(before.listing());
            return told.hasTools()
                    ? storeFetched(told, link.handshakeResult())
                    : storeFailure(told);
        } catch (ServerUnavailableException e) {
            return storeFailure(e.failure());
        } catch (RuntimeException | StackOverflowError e) {
            // A bug of ours over what one server said must not cost the others anything.
            log().log(System.Logger.Level.ERROR, "Query of " + supervisor.spec().id(), e);
            return storeFailure(
                    discoveryFailure("The gateway failed over the lists of this server"));
        } finally {
            finishQuery();
        }
    }

    /** Ends the query, when what it brought is in the catalogue and before who waits goes on. */
    private void finishQuery() {
        try {
            context.listingChanged();
        } finally {
            runningQuery.set(null);
            releaseWaiters();
        }
    }

    private CachedListing storeFetched(ListFetcher.FetchedLists told, HandshakeResult link) {
        int max = context.settings().perServer().entriesMax();
        Listing listing =
                Listing.of(supervisor.spec().id(), told.lists(), max)
                        .withCompiledSchemas()
                        .withInstructions(link.instructions());
        Duration fresh =
                told.freshFor() == null ? context.settings().limits().keepLists() : told.freshFor();
        var now =
                new CachedListing(
                        listing,
                        true,
                        true,
                        link,
                        System.nanoTime(),
                        fresh,
                        told.hints(),
                        context.instant(),
                        told.failure());
        cached = now;
        context.listingFetched(supervisor.spec(), listing);
        return now;
    }

    private CachedListing storeFailure(ListFetcher.FetchedLists told) {
        return storeFailure(
                told.failure() == null ? discoveryFailure("It told no list") : told.failure());
    }

    private CachedListing storeFailure(ServerFailure trouble) {
        CachedListing now = cached.withFailure(trouble);
        cached = now;
        reportFailureOnce();
        return now;
    }

    /** Remembers that there is no list, unless we ended the server before it could tell one. */
    private void reportFailureOnce() {
        ServerState.Status status = supervisor.state().status();
        boolean ended =
                status == ServerState.Status.DISCONNECTED || status == ServerState.Status.DISABLED;
        if (!cached.isKnown() && !ended && failureReported.compareAndSet(false, true)) {
            context.listingFailed(supervisor.spec());
        }
    }

    private static ServerFailure discoveryFailure(String message) {
        return new ServerFailure(
                ErrorReason.DISCOVERY_FAILED, message, "discover", 1, ExecutionStatus.UNKNOWN);
    }

    /** As long as all attempts to connect can take; the supervisor gives up before. */
    private Duration queryTimeout() {
        var limits = supervisor.spec().options().limits();
        Duration attempt = limits.connectionTimeout().plusSeconds(40);
        // Not by multiplying durations: that loads large decimals, which costs a start 20 ms.
        return Duration.ofMillis(attempt.toMillis() * (limits.maxRetries() + 1L));
    }

    private static boolean isCurrentHandshake(ServerState state, HandshakeResult link) {
        return isSameHandshake(link, state.handshake());
    }

    @SuppressWarnings("ReferenceEquality") // Two connections may tell the same of the server.
    private static boolean isSameHandshake(HandshakeResult one, @Nullable HandshakeResult other) {
        return one == other;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ListingCache.class.getName());
    }
}
