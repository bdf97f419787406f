package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.gateway.ListingState.CachedListing;
import dev.patchbay.gateway.ListingState.Event;
import dev.patchbay.gateway.ListingState.FirstResult;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The cached lists of one server. At most one query runs at a time, and all callers share it. The
 * state is one immutable {@link ListingState}; effects follow after it is replaced, without a lock.
 */
final class ListingCache implements ListingBudget.Holder {
    private final Supervisor supervisor;
    private final EntryDependencies dependencies;
    private final Runnable onFetched;
    private volatile ListingState state;

    /** The last parameter runs when the server has sent its lists. It must not block. */
    ListingCache(
            Supervisor supervisor,
            @Nullable Listing stored,
            EntryDependencies dependencies,
            Runnable onFetched) {
        this.supervisor = supervisor;
        this.dependencies = dependencies;
        this.onFetched = onFetched;
        Listing listing = stored == null ? Listing.empty(supervisor.spec().id()) : stored;
        state =
                ListingState.initial(
                        CachedListing.ofEarlierRun(listing, stored != null),
                        supervisor.spec().options().tools(),
                        nextFirstResult(supervisor.spec()));
        if (stored != null) {
            limit(dependencies.budget().claim(this, listing.bytes()));
        }
    }

    private ServerSpec spec() {
        return supervisor.spec();
    }

    CachedListing cached() {
        return state.cached();
    }

    /** Lets clients see other tools; the server is not queried. */
    void setFilter(ToolFilter filter) {
        apply(new Event.FilterChanged(filter));
    }

    /** The lists as clients see them. */
    @SuppressWarnings("ReferenceEquality") // Comparing the lists would cost more than filtering.
    Listing visible(CachedListing some) {
        ListingState now = state;
        return now.cached().listing() == some.listing()
                ? now.visible()
                : some.listing().filtered(now.filter());
    }

    ServerOffering offering() {
        ListingState now = state;
        return new ServerOffering(now.visible(), now.freshness(supervisor.state()));
    }

    Freshness freshness() {
        return state.freshness(supervisor.state());
    }

    /** Whether the lists are current and were fetched recently enough. */
    boolean isFresh() {
        ListingState now = state;
        return now.isCertain(supervisor.state())
                && System.nanoTime() - now.cached().fetchedNanos()
                        < now.cached().freshFor().toNanos();
    }

    /** How long from now a client may cache this server's part of a list. */
    CacheHint cacheHint(ListKind kind) {
        ListingState now = state;
        ServerState server = supervisor.state();
        if (now.freshness(server) == Freshness.DISABLED) {
            return CacheHint.UNRESTRICTED;
        }
        if (!now.isCertain(server)) {
            return CacheHint.DO_NOT_CACHE;
        }
        long ageMillis = (System.nanoTime() - now.cached().fetchedNanos()) / 1_000_000;
        return now.cached()
                .hints()
                .getOrDefault(kind, CacheHint.UNRESTRICTED)
                .afterMillis(ageMillis);
    }

    /** Records that the server may have other lists by now. */
    void markOutdated() {
        apply(new Event.MarkedOutdated());
    }

    boolean isOutdated() {
        return state.isOutdated();
    }

    boolean isQuerying() {
        return state.query() != null;
    }

    /** Whether a query over that connection was made or is being made. */
    boolean hasQueried(@Nullable HandshakeResult handshake) {
        return state.hasQueried(handshake);
    }

    /** The server starts again: clients may wait for its first lists for a while. */
    void serverRestarted() {
        apply(new Event.ServerRestarted(nextFirstResult(spec())));
    }

    private static FirstResult nextFirstResult(ServerSpec spec) {
        Duration timeout = spec.options().limits().connectionTimeout();
        return new FirstResult(System.nanoTime() + timeout.toNanos());
    }

    /** The server cannot be reached for now: no caller waits for its first lists any longer. */
    void serverUnreachable() {
        reportNoListsSent();
        releaseWaiters();
    }

    private void releaseWaiters() {
        state.first().latch().countDown();
    }

    /** Waits for the first lists since the start, at most until a deadline and its own. */
    void awaitFirstResult(long deadline) throws InterruptedException {
        FirstResult first = state.first();
        long now = System.nanoTime();
        long patience = Math.min(deadline - now, first.deadlineNanos() - now);
        boolean released =
                patience > 0
                        ? first.latch().await(patience, TimeUnit.NANOSECONDS)
                        : first.latch().getCount() == 0;
        if (!released && System.nanoTime() - first.deadlineNanos() >= 0) {
            reportNoListsSent();
        }
    }

    /**
     * The lists of the server, queried unless they are fresh. If the query fails, the returned
     * lists have a failure.
     */
    CachedListing refresh(boolean force) throws InterruptedException {
        return refresh(force, queryTimeout());
    }

    /** The same with the caller's timeout; the query continues after it. */
    CachedListing refresh(boolean force, Duration timeout) throws InterruptedException {
        // In this order: a query ends only after its lists are in the catalog.
        if (!force && isFresh() && !isQuerying()) {
            return cached();
        }
        FutureTask<CachedListing> query = joinOrStartQuery();
        try {
            return query.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A query returns its failures", e);
        } catch (TimeoutException e) {
            String what = "Server " + spec().id() + " did not send its lists in time";
            return cached().withFailure(discoveryFailure(what));
        }
    }

    /** Queries the server in the background, unless a query runs already. */
    void refreshInBackground() {
        FutureTask<CachedListing> _ = joinOrStartQuery();
    }

    private FutureTask<CachedListing> joinOrStartQuery() {
        var mine = new FutureTask<>(this::runQuery);
        FutureTask<CachedListing> running = apply(new Event.QueryWanted(mine)).query();
        if (running == null) {
            throw new IllegalStateException("A wanted query runs");
        }
        if (running.equals(mine)) {
            Thread.ofVirtual().name("list-" + spec().id()).start(mine);
        }
        return running;
    }

    private CachedListing runQuery() throws InterruptedException {
        try {
            ServerSession session = supervisor.session(queryTimeout());
            Listing before =
                    apply(new Event.QueryConnected(session.handshakeResult())).cached().listing();
            var fetched =
                    new ListFetcher(
                                    spec().id(),
                                    session,
                                    spec().options().limits().connectionTimeout(),
                                    dependencies.settings().perServer())
                            .fetch(before);
            return fetched.hasTools()
                    ? store(fetched, session.handshakeResult())
                    : fail(fetched.failure());
        } catch (ServerUnavailableException e) {
            return fail(e.failure());
        } catch (RuntimeException | StackOverflowError e) {
            // A bug in the gateway over one server's lists must not affect other servers.
            log().log(System.Logger.Level.ERROR, "Query of " + spec().id(), new LoggedFailure(e));
            return fail(discoveryFailure("The gateway failed to process the lists of this server"));
        } finally {
            finishQuery();
        }
    }

    /** Ends the query after its lists are in the catalog, and before its callers continue. */
    private void finishQuery() {
        try {
            dependencies.events().publish(EntryListener::listingChanged);
        } finally {
            apply(new Event.QueryEnded());
            releaseWaiters();
        }
    }

    private CachedListing store(ListFetcher.FetchedLists fetched, HandshakeResult handshake) {
        int entriesMax = dependencies.settings().perServer().entriesMax();
        var all = Listing.of(spec().id(), fetched.lists(), entriesMax);
        Listing listing =
                all.limitedTo(dependencies.budget().claim(this, all.bytes()))
                        .withCompiledSchemas()
                        .withInstructions(handshake.instructions());
        Duration freshFor = fetched.freshFor();
        var lists =
                new CachedListing(
                        listing,
                        true,
                        true,
                        handshake,
                        System.nanoTime(),
                        freshFor == null ? dependencies.settings().limits().keepLists() : freshFor,
                        fetched.hints(),
                        dependencies.supervisor().clock().instant(),
                        fetched.failure());
        apply(new Event.ListsFetched(lists));
        // The limit may have become lower between the claim and the change of state.
        limit(dependencies.budget().limit());
        CachedListing stored = cached();
        dependencies.events().publish(it -> it.listingFetched(spec(), stored.listing()));
        onFetched.run();
        return stored;
    }

    @Override
    public void limit(long bytesMax) {
        if (cached().listing().bytes() > bytesMax) {
            apply(new Event.ListsLimited(bytesMax));
            dependencies.events().publish(EntryListener::listingChanged);
        }
    }

    /** Releases its share of the budget. */
    void close() {
        dependencies.budget().release(this);
    }

    private CachedListing fail(@Nullable ServerFailure failure) {
        ServerFailure reason =
                failure == null ? discoveryFailure("The server sent no list") : failure;
        CachedListing failed = apply(new Event.QueryFailed(reason)).cached();
        reportNoListsSent();
        return failed;
    }

    /** Reports once that the server sends no lists, unless the gateway stopped it before. */
    private void reportNoListsSent() {
        Status status = supervisor.state().status();
        if (status == Status.DISCONNECTED || status == Status.DISABLED) {
            return;
        }
        ListingState before;
        synchronized (this) {
            before = state;
            state = before.after(new Event.NoListsSent());
        }
        if (!before.isFailureReported() && !before.cached().isKnown()) {
            dependencies.events().publish(it -> it.listingFailed(spec()));
        }
    }

    /** Changes the state, and nothing else; effects follow outside this lock. */
    private synchronized ListingState apply(Event event) {
        state = state.after(event);
        return state;
    }

    private static ServerFailure discoveryFailure(String message) {
        return new ServerFailure(
                ErrorReason.DISCOVERY_FAILED, message, "discover", 1, ExecutionStatus.UNKNOWN);
    }

    /** As long as all connect attempts can take; the supervisor gives up before. */
    private Duration queryTimeout() {
        var limits = spec().options().limits();
        Duration attempt = limits.connectionTimeout().plusSeconds(40);
        // Multiplying durations would load large decimals, which costs a start 20 ms.
        return Duration.ofMillis(attempt.toMillis() * (limits.maxRetries() + 1L));
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ListingCache.class.getName());
    }
}
