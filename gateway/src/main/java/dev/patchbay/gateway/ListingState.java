package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * Everything that is known about the lists of one server, immutable. {@link #after} is the only
 * transition function; it has no effects.
 *
 * @param filter the tools that the configuration lets clients see
 * @param visible the cached lists under the filter
 * @param isOutdated whether the lists may have changed since they were fetched
 * @param query the query that runs; null if none does
 * @param queried the connection of the last query; null if there was none
 * @param isFailureReported whether it was reported that the server has sent no lists
 * @param first the first result since the server was started
 */
record ListingState(
        CachedListing cached,
        ToolFilter filter,
        Listing visible,
        boolean isOutdated,
        @Nullable FutureTask<CachedListing> query,
        @Nullable HandshakeResult queried,
        boolean isFailureReported,
        FirstResult first) {

    /**
     * The last lists of a server.
     *
     * @param isKnown whether there are lists at all, even of an earlier run
     * @param isCurrent whether the last query fetched at least the tools
     * @param handshake the connection over which they were fetched; null for an earlier run
     * @param failure why the last query did not fetch all lists; null if it did
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

        /** The lists of an earlier run, or none. */
        static CachedListing ofEarlierRun(Listing listing, boolean isKnown) {
            return new CachedListing(
                    listing, isKnown, false, null, 0, Duration.ZERO, Map.of(), null, null);
        }

        CachedListing withFailure(ServerFailure reason) {
            return new CachedListing(
                    listing,
                    isKnown,
                    false,
                    handshake,
                    fetchedNanos,
                    freshFor,
                    hints,
                    discoveredAt,
                    reason);
        }

        CachedListing withListing(Listing other) {
            return new CachedListing(
                    other,
                    isKnown,
                    isCurrent,
                    handshake,
                    fetchedNanos,
                    freshFor,
                    hints,
                    discoveredAt,
                    failure);
        }
    }

    /** Released when the first lists since a start are there, or will not come soon. */
    record FirstResult(CountDownLatch latch, long deadlineNanos) {
        FirstResult(long deadlineNanos) {
            this(new CountDownLatch(1), deadlineNanos);
        }
    }

    /** What can happen to the lists of a server. */
    sealed interface Event {
        record FilterChanged(ToolFilter filter) implements Event {}

        record MarkedOutdated() implements Event {}

        record ServerRestarted(FirstResult first) implements Event {}

        /** A query is wanted; it starts only if none runs. */
        record QueryWanted(FutureTask<CachedListing> query) implements Event {}

        /** The query has a connection and asks for the lists now. */
        record QueryConnected(HandshakeResult handshake) implements Event {}

        record ListsFetched(CachedListing lists) implements Event {}

        record QueryFailed(ServerFailure failure) implements Event {}

        record QueryEnded() implements Event {}

        /** The server sent no lists, and the gateway did not stop it before it could. */
        record NoListsSent() implements Event {}

        record ListsLimited(long bytesMax) implements Event {}
    }

    static ListingState initial(CachedListing cached, ToolFilter filter, FirstResult first) {
        Listing visible = cached.listing().filtered(filter);
        return new ListingState(cached, filter, visible, false, null, null, false, first);
    }

    ListingState after(Event event) {
        return switch (event) {
            case Event.FilterChanged(ToolFilter other) -> withFilter(other);
            case Event.MarkedOutdated() -> withQuery(true, query, queried);
            case Event.ServerRestarted(FirstResult next) -> withFirst(next);
            case Event.QueryWanted(FutureTask<CachedListing> wanted) ->
                    query != null ? this : withQuery(isOutdated, wanted, queried);
            case Event.QueryConnected(HandshakeResult handshake) ->
                    withQuery(false, query, handshake);
            case Event.ListsFetched(CachedListing lists) -> withCached(lists);
            case Event.QueryFailed(ServerFailure failure) ->
                    withCached(cached.withFailure(failure));
            case Event.QueryEnded() -> withQuery(isOutdated, null, queried);
            case Event.NoListsSent() -> cached.isKnown() ? this : withFailureReported();
            case Event.ListsLimited(long bytesMax) ->
                    withCached(cached.withListing(cached.listing().limitedTo(bytesMax)));
        };
    }

    Freshness freshness(ServerState server) {
        if (server.status() == Status.DISABLED) {
            return Freshness.DISABLED;
        }
        if (cached.isCurrent() && isSame(cached.handshake(), server.handshake())) {
            return Freshness.CURRENT;
        }
        return cached.isKnown() ? Freshness.STALE : Freshness.UNKNOWN;
    }

    /** Whether the lists are current, complete, and not known to have changed. */
    boolean isCertain(ServerState server) {
        return freshness(server) == Freshness.CURRENT && cached.failure() == null && !isOutdated;
    }

    /** Whether a query over that connection was made or is being made. */
    boolean hasQueried(@Nullable HandshakeResult handshake) {
        return isSame(handshake, queried) || isSame(handshake, cached.handshake());
    }

    @SuppressWarnings("ReferenceEquality") // Two connections may have equal handshakes.
    private static boolean isSame(@Nullable HandshakeResult one, @Nullable HandshakeResult other) {
        return one != null && one == other;
    }

    private ListingState withCached(CachedListing other) {
        Listing shown = hasSameListing(other) ? visible : other.listing().filtered(filter);
        return new ListingState(
                other, filter, shown, isOutdated, query, queried, isFailureReported, first);
    }

    @SuppressWarnings("ReferenceEquality") // Comparing the lists would cost more than filtering.
    private boolean hasSameListing(CachedListing other) {
        return cached.listing() == other.listing();
    }

    private ListingState withFilter(ToolFilter other) {
        Listing shown = cached.listing().filtered(other);
        return new ListingState(
                cached, other, shown, isOutdated, query, queried, isFailureReported, first);
    }

    private ListingState withQuery(
            boolean outdated,
            @Nullable FutureTask<CachedListing> running,
            @Nullable HandshakeResult handshake) {
        return new ListingState(
                cached, filter, visible, outdated, running, handshake, isFailureReported, first);
    }

    private ListingState withFirst(FirstResult next) {
        return new ListingState(
                cached, filter, visible, isOutdated, query, queried, isFailureReported, next);
    }

    private ListingState withFailureReported() {
        return new ListingState(cached, filter, visible, isOutdated, query, queried, true, first);
    }
}
