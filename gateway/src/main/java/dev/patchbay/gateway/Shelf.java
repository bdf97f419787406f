package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Offer;
import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.Link;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerUnavailable;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.server.Trouble;

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
final class Shelf {

    /**
     * What is known, replaced as a whole.
     *
     * @param known whether there is a list at all, even if from before
     * @param link the connection over which it was got; null if it is from before
     * @param atNanos when, by the clock that only goes forward
     * @param current whether the last query told at least the tools
     * @param failure why the last query did not tell all; null if it did
     */
    record Content(
            Listing listing,
            boolean known,
            boolean current,
            @Nullable LinkFacts link,
            long atNanos,
            Duration freshFor,
            Map<ListKind, CacheHint> hints,
            @Nullable Instant discoveredAt,
            @Nullable Trouble failure) {

        Content failed(Trouble trouble) {
            return new Content(
                    listing, known, false, link, atNanos, freshFor, hints, discoveredAt, trouble);
        }
    }

    /** What clients see of a list under a filter. */
    private record Shown(Listing of, ToolFilter filter, Listing listing) {}

    /** What a shelf needs of the gateway. */
    interface Surroundings {
        Instant instant();

        GatewaySettings settings();

        /** The lists changed, or how far they can be trusted. */
        void changed();

        /** New lists came from the server itself. */
        void told(ServerSpec spec, Listing listing);

        /** The server, of which no list is known, failed to tell one. */
        void toldNothing(ServerSpec spec);
    }

    private final Supervisor supervisor;
    private final Surroundings around;
    private final AtomicReference<@Nullable FutureTask<Content>> flight = new AtomicReference<>();
    private final AtomicBoolean outdated = new AtomicBoolean();
    private final AtomicBoolean failureNoted = new AtomicBoolean();
    private volatile Content content;
    private volatile ToolFilter filter;
    private volatile Shown shown;
    private volatile @Nullable LinkFacts asking;
    private volatile CountDownLatch firstOutcome = new CountDownLatch(1);
    private volatile long firstDeadline;

    Shelf(Supervisor supervisor, @Nullable Listing before, Surroundings around) {
        this.supervisor = supervisor;
        this.around = around;
        var none = Listing.empty(supervisor.spec().id());
        this.content =
                new Content(
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
        shown = new Shown(none, filter, none);
        restarted();
    }

    Content content() {
        return content;
    }

    /** Shows other tools from now on; who offers them is not asked again. */
    void filter(ToolFilter other) {
        filter = other;
    }

    /** What clients get to see of a content's list. */
    @SuppressWarnings("ReferenceEquality") // Whether the lists are equal is the dearer question.
    Listing shown(Content some) {
        Shown last = shown;
        ToolFilter now = filter;
        if (last.of != some.listing() || last.filter != now) {
            last = new Shown(some.listing(), now, some.listing().filtered(now));
            shown = last;
        }
        return last.listing;
    }

    Offer offer() {
        return new Offer(shown(content), standing());
    }

    Standing standing() {
        Content now = content;
        ServerState state = supervisor.state();
        if (state.status() == ServerState.Status.DISABLED) {
            return Standing.DISABLED;
        }
        if (now.link() != null && now.current() && isLink(state, now.link())) {
            return Standing.CURRENT;
        }
        return now.known() ? Standing.STALE : Standing.UNKNOWN;
    }

    /** Whether the list is the server's present one and young enough not to be asked for again. */
    boolean isFresh() {
        Content now = content;
        return standing() == Standing.CURRENT
                && now.failure() == null
                && !outdated.get()
                && System.nanoTime() - now.atNanos() < now.freshFor().toNanos();
    }

    /** How long a client may keep this server's part of a list, from now on. */
    CacheHint hint(ListKind kind) {
        Content now = content;
        return switch (standing()) {
            case DISABLED -> CacheHint.ANY;
            case UNKNOWN, STALE -> CacheHint.NONE;
            case CURRENT -> {
                long ageMillis = (System.nanoTime() - now.atNanos()) / 1_000_000;
                CacheHint told = now.hints().getOrDefault(kind, CacheHint.ANY);
                boolean certain = now.failure() == null && !outdated.get();
                yield !certain ? CacheHint.NONE : told.after(ageMillis);
            }
        };
    }

    /** The list is not what the server has any more. */
    void outdate() {
        outdated.set(true);
    }

    /** The server begins anew: clients may wait for its first list for a while. */
    void restarted() {
        firstDeadline =
                System.nanoTime()
                        + supervisor.spec().options().limits().connectionTimeout().toNanos();
        firstOutcome = new CountDownLatch(1);
    }

    /** The server cannot be reached, at least for a while: nobody need wait for a first list. */
    void unreachable() {
        noteFailure();
        settled();
    }

    /** Nobody need wait for a first list any more: there is one, or there will be none soon. */
    private void settled() {
        firstOutcome.countDown();
    }

    /**
     * Waits for the first list since the start, to a deadline or as long as the server may take.
     */
    void awaitFirst(long deadline) throws InterruptedException {
        long until = Math.min(deadline - System.nanoTime(), firstDeadline - System.nanoTime());
        boolean came =
                until > 0
                        ? firstOutcome.await(until, TimeUnit.NANOSECONDS)
                        : firstOutcome.getCount() == 0;
        if (!came && System.nanoTime() - firstDeadline >= 0) {
            noteFailure();
        }
    }

    boolean isAsking() {
        return flight.get() != null;
    }

    boolean isOutdated() {
        return outdated.get();
    }

    /** Whether a query over that connection was made or is being made. */
    boolean knows(@Nullable LinkFacts link) {
        return link != null && (isSame(link, asking) || isSame(link, content.link()));
    }

    /**
     * What the server offers, asked for unless it is fresh. A failed query shows in the content's
     * failure.
     */
    Content refresh(boolean force) throws InterruptedException {
        return refresh(force, patience());
    }

    /** The same with a patience of the caller's; the query goes on without him. */
    Content refresh(boolean force, Duration patience) throws InterruptedException {
        // In this order: a list is fresh a moment before everybody can see it in the catalogue, and
        // the query that brought it ends when they can.
        if (!force && isFresh() && !isAsking()) {
            return content;
        }
        FutureTask<Content> query = joined();
        try {
            return query.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A query tells its failures", e);
        } catch (TimeoutException e) {
            String what = "Server " + supervisor.spec().id() + " did not tell its lists in time";
            return content.failed(trouble(what));
        }
    }

    /** Asks the server in the background, if it is not being asked already. */
    void refreshSoon() {
        FutureTask<Content> _ = joined();
    }

    /** The query under way, begun if there is none. */
    private FutureTask<Content> joined() {
        var mine = new FutureTask<>(this::query);
        while (true) {
            FutureTask<Content> running = flight.get();
            if (running != null) {
                return running;
            }
            if (flight.compareAndSet(null, mine)) {
                Thread.ofVirtual().name("list-" + supervisor.spec().id()).start(mine);
                return mine;
            }
        }
    }

    private Content query() throws InterruptedException {
        try {
            Link link = supervisor.link(patience());
            asking = link.facts();
            outdated.set(false);
            Content before = content;
            Duration timeout = supervisor.spec().options().limits().connectionTimeout();
            var told =
                    new Lister(supervisor.spec().id(), link, timeout, around.settings().perServer())
                            .ask(before.listing());
            return told.complete() ? told(told, link.facts()) : failed(told);
        } catch (ServerUnavailable e) {
            return failed(e.trouble());
        } catch (RuntimeException | StackOverflowError e) {
            // A bug of ours over what one server said must not cost the others anything.
            log().log(System.Logger.Level.ERROR, "Query of " + supervisor.spec().id(), e);
            return failed(trouble("The gateway failed over the lists of this server"));
        } finally {
            finish();
        }
    }

    /** Ends the query, when what it brought is in the catalogue and before who waits goes on. */
    private void finish() {
        try {
            around.changed();
        } finally {
            flight.set(null);
            settled();
        }
    }

    private Content told(Lister.Told told, LinkFacts link) {
        int max = around.settings().perServer().entriesMax();
        Listing listing =
                Listing.of(supervisor.spec().id(), told.lists(), max)
                        .compiled()
                        .saying(link.instructions());
        Duration fresh =
                told.freshFor() == null ? around.settings().limits().keepLists() : told.freshFor();
        var now =
                new Content(
                        listing,
                        true,
                        true,
                        link,
                        System.nanoTime(),
                        fresh,
                        told.hints(),
                        around.instant(),
                        told.trouble());
        content = now;
        around.told(supervisor.spec(), listing);
        return now;
    }

    private Content failed(Lister.Told told) {
        return failed(told.trouble() == null ? trouble("It told no list") : told.trouble());
    }

    private Content failed(Trouble trouble) {
        Content now = content.failed(trouble);
        content = now;
        noteFailure();
        return now;
    }

    /** Remembers that there is no list, unless we ended the server before it could tell one. */
    private void noteFailure() {
        ServerState.Status status = supervisor.state().status();
        boolean ended =
                status == ServerState.Status.DISCONNECTED || status == ServerState.Status.DISABLED;
        if (!content.known() && !ended && failureNoted.compareAndSet(false, true)) {
            around.toldNothing(supervisor.spec());
        }
    }

    private static Trouble trouble(String message) {
        return new Trouble(Reason.DISCOVERY_FAILED, message, "discover", 1, Execution.UNKNOWN);
    }

    /** As long as all attempts to connect can take; the supervisor gives up before. */
    private Duration patience() {
        var limits = supervisor.spec().options().limits();
        Duration attempt = limits.connectionTimeout().plusSeconds(40);
        // Not by multiplying durations: that loads large decimals, which costs a start 20 ms.
        return Duration.ofMillis(attempt.toMillis() * (limits.maxRetries() + 1L));
    }

    private static boolean isLink(ServerState state, LinkFacts link) {
        return isSame(link, state.link());
    }

    @SuppressWarnings("ReferenceEquality") // Two connections may tell the same of the server.
    private static boolean isSame(LinkFacts one, @Nullable LinkFacts other) {
        return one == other;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Shelf.class.getName());
    }
}
