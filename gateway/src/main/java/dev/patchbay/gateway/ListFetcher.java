package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.RawLists;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.FailureKind;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fetches the lists of one server over one session: all pages, within one deadline. Lists are
 * fetched one after the other, tools first, because some servers handle one request at a time.
 */
final class ListFetcher {
    private static final long BYTES_MAX = ListingBudget.SERVER_BYTES_MAX;
    private static final int CURSOR_DEPTH_MAX = 8;
    private static final Duration FRESH_MAX = Duration.ofHours(1);

    /**
     * What the server told.
     *
     * @param freshFor for how long it may be taken for current; null if the server does not say
     * @param hints what the server says of keeping each of its lists; a list that it does not have
     *     is not in them
     * @param failure why a list could not be got; what was known of it before then stands in
     * @param hasTools whether at least the tools are what the server has now
     */
    record FetchedLists(
            RawLists lists,
            @Nullable Duration freshFor,
            Map<ListKind, CacheHint> hints,
            @Nullable ServerFailure failure,
            boolean hasTools) {}

    private final ServerId server;
    private final ServerSession session;
    private final GatewaySettings.PerServer limits;
    private final long deadline;
    private final List<String> warnings = new ArrayList<>();
    private final Map<ListKind, List<Json>> fetched = new EnumMap<>(ListKind.class);
    private final Map<ListKind, CacheHint> hints = new EnumMap<>(ListKind.class);
    private long bytes;
    private @Nullable ServerFailure failure;

    ListFetcher(
            ServerId server,
            ServerSession link,
            Duration patience,
            GatewaySettings.PerServer limits) {
        this.limits = limits;
        this.server = server;
        this.session = link;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /** Fetches all lists; a list that cannot be fetched keeps its previous content. */
    FetchedLists fetch(Listing before) throws InterruptedException {
        for (ListKind kind : ListKind.values()) {
            if (!session.handshakeResult().hasCapability(kind.capability())) {
                fetched.put(kind, List.of());
            } else if (session.isOpen() || failure == null) {
                hints.put(kind, CacheHint.UNRESTRICTED);
                List<Json> entries = fetchPages(kind);
                if (entries != null) {
                    fetched.put(kind, kind == ListKind.TOOLS ? withTaskSupport(entries) : entries);
                }
            }
        }
        RawLists old = RawLists.of(before);
        var lists =
                new RawLists(
                        fetched.getOrDefault(ListKind.TOOLS, old.tools()),
                        fetched.getOrDefault(ListKind.PROMPTS, old.prompts()),
                        fetched.getOrDefault(ListKind.RESOURCES, old.resources()),
                        fetched.getOrDefault(ListKind.TEMPLATES, old.templates()),
                        warnings);
        boolean modern = session.handshakeResult().version().era() == Era.MODERN;
        Duration fresh = modern ? freshFor() : null;
        return new FetchedLists(
                lists, fresh, Map.copyOf(hints), failure, fetched.containsKey(ListKind.TOOLS));
    }

    /** The task support of tools counts only if the server has tasks. */
    private List<Json> withTaskSupport(List<Json> tools) {
        HandshakeResult facts = session.handshakeResult();
        boolean served =
                facts.version() == ProtocolVersion.V2025_11_25
                        && TaskMessages.supportsTaskCalls(facts.capabilities());
        return served
                ? tools
                : tools.stream()
                        .map(it -> it.isObject() ? MemberPatch.without(it, "execution") : it)
                        .toList();
    }

    private Duration freshFor() {
        CacheHint all = hints.values().stream().reduce(CacheHint.UNRESTRICTED, CacheHint::combine);
        return Duration.ofMillis(Math.min(all.ttlMs(), FRESH_MAX.toMillis()));
    }

    /** The entries of one list; null if it could not be fetched. */
    private @Nullable List<Json> fetchPages(ListKind kind) throws InterruptedException {
        var entries = new ArrayList<Json>();
        Set<Json> seen = new HashSet<>();
        Json cursor = null;
        for (int page = 1; page <= limits.pagesMax(); page++) {
            Json result = fetchPage(kind, cursor);
            if (result == null) {
                return null;
            }
            Json listed = result.member(kind.member());
            if (listed == null) {
                return page == 1 ? List.of() : entries;
            }
            entries.addAll(listed.elements());
            cursor = result.member("nextCursor");
            if (cursor == null || cursor.isNull()) {
                return entries;
            }
            if (entries.size() > limits.entriesMax()) {
                return entries;
            }
            if (!seen.add(cursor)) {
                return truncated(kind, entries, "names the same next page again and again");
            }
            if (bytes > BYTES_MAX) {
                return truncated(kind, entries, "is longer than " + BYTES_MAX + " bytes");
            }
        }
        return truncated(kind, entries, "has more than " + limits.pagesMax() + " pages");
    }

    private List<Json> truncated(ListKind kind, List<Json> entries, String why) {
        warnings.add(kind.method() + " " + why + "; what came before is kept");
        return entries;
    }

    /** One page; empty if the server has no such list, null if the page could not be fetched. */
    private @Nullable Json fetchPage(ListKind kind, @Nullable Json cursor)
            throws InterruptedException {
        Json params = cursor == null ? Json.EMPTY_OBJECT : paramsWithCursor(cursor);
        long left = Math.max(0, deadline - System.nanoTime());
        long asked = System.nanoTime();
        CallOutcome outcome =
                session.call(kind.method(), params, CallOptions.internal(Duration.ofNanos(left)));
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> checkPage(kind, value);
            case CallOutcome.ErrorResponse(RpcError error) -> {
                if (error.code() == RpcError.METHOD_NOT_FOUND && cursor == null) {
                    yield Json.EMPTY_OBJECT;
                }
                yield recordFailure(
                        kind,
                        FailureKind.ERROR_RESPONSE,
                        "answered with an error: " + error.message());
            }
            case CallOutcome.TimedOut() ->
                    recordFailure(
                            kind,
                            FailureKind.TIMEOUT,
                            "did not answer in time" + elapsedText(asked));
            case CallOutcome.ConnectionLost(String why) ->
                    recordFailure(kind, FailureKind.ENDED_DURING_CONNECT, "ended: " + why);
            // Only the entry that is too deep is withheld.
            case CallOutcome.InvalidResponse(_, Json result) when isUsableList(kind, result) ->
                    checkPage(kind, result);
            case CallOutcome.InvalidResponse(String why, _) ->
                    recordFailure(
                            kind, FailureKind.PROTOCOL_ERROR, "sent an invalid response: " + why);
            case CallOutcome.Unauthorized(String why) ->
                    recordFailure(kind, FailureKind.UNAUTHORIZED, "requires sign-in: " + why);
            case CallOutcome.Unreachable(String why) ->
                    recordFailure(kind, FailureKind.OTHER, "could not be reached: " + why);
            case CallOutcome.NotSent(String why) ->
                    recordFailure(kind, FailureKind.OTHER, "could not be queried: " + why);
        };
    }

    /** A cursor goes back to its server exactly as the server wrote it. */
    private static Json paramsWithCursor(Json cursor) {
        return new JsonWriter().beginObject().member("cursor", cursor).endObject().toJson();
    }

    /** Whether a result that is too deep is so only in the entries of its list. */
    private static boolean isUsableList(ListKind kind, @Nullable Json result) {
        if (result == null || !result.isObject()) {
            return false;
        }
        Json cursor = result.member("nextCursor");
        return result.member(kind.member()) != null
                && (cursor == null || !cursor.isDeeperThan(CURSOR_DEPTH_MAX));
    }

    private @Nullable Json checkPage(ListKind kind, Json result) {
        bytes += result.length();
        Json listed = result.member(kind.member());
        if (listed == null || !listed.isArray()) {
            return recordFailure(
                    kind, FailureKind.PROTOCOL_ERROR, "sent a response without " + kind.member());
        }
        if (!ResultConverter.isComplete(result)) {
            return recordFailure(
                    kind,
                    FailureKind.PROTOCOL_ERROR,
                    "sent a response with an unexpected resultType");
        }
        hints.merge(kind, CacheHint.of(result), CacheHint::combine);
        return result;
    }

    private static String elapsedText(long nanos) {
        return " (" + (System.nanoTime() - nanos) / 1_000_000 + " ms)";
    }

    private @Nullable Json recordFailure(ListKind kind, FailureKind symptom, String what) {
        if (failure == null) {
            boolean stranger = symptom == FailureKind.UNAUTHORIZED;
            failure =
                    new ServerFailure(
                            stranger ? ErrorReason.SIGN_IN_NEEDED : ErrorReason.DISCOVERY_FAILED,
                            "Server " + server + ", " + kind.method() + ": " + what,
                            kind.method(),
                            1,
                            ExecutionStatus.UNKNOWN,
                            symptom);
        }
        return null;
    }
}
