package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Lists;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.Results;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.Symptom;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks one server for its lists over one link, once: all pages, within one deadline. Lists are
 * asked for one after the other and tools first, for some servers take one request at a time.
 */
final class Lister {
    private static final int LIST_BYTES_MAX = 16 * 1024 * 1024;
    private static final int CURSOR_DEPTH_MAX = 8;
    private static final Duration FRESH_MAX = Duration.ofHours(1);

    /**
     * What the server told.
     *
     * @param freshFor for how long it may be taken for current; null if the server does not say
     * @param hints what the server says of keeping each of its lists; a list that it does not have
     *     is not in them
     * @param trouble why a list could not be got; what was known of it before then stands in
     * @param complete whether at least the tools are what the server has now
     */
    record Told(
            Lists lists,
            @Nullable Duration freshFor,
            Map<ListKind, CacheHint> hints,
            @Nullable Trouble trouble,
            boolean complete) {}

    private final ServerId server;
    private final Link link;
    private final GatewaySettings.PerServer limits;
    private final long deadline;
    private final List<String> notes = new ArrayList<>();
    private final Map<ListKind, List<Json>> told = new EnumMap<>(ListKind.class);
    private final Map<ListKind, CacheHint> hints = new EnumMap<>(ListKind.class);
    private long bytes;
    private @Nullable Trouble trouble;

    Lister(ServerId server, Link link, Duration patience, GatewaySettings.PerServer limits) {
        this.limits = limits;
        this.server = server;
        this.link = link;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    /** All lists; one that cannot be got is as it was before. */
    Told ask(Listing before) throws InterruptedException {
        for (ListKind kind : ListKind.values()) {
            if (!link.facts().offers(kind.capability())) {
                told.put(kind, List.of());
            } else if (link.isOpen() || trouble == null) {
                hints.put(kind, CacheHint.ANY);
                List<Json> entries = pages(kind);
                if (entries != null) {
                    told.put(kind, kind == ListKind.TOOLS ? withTaskTerms(entries) : entries);
                }
            }
        }
        Lists old = Lists.of(before);
        var lists =
                new Lists(
                        told.getOrDefault(ListKind.TOOLS, old.tools()),
                        told.getOrDefault(ListKind.PROMPTS, old.prompts()),
                        told.getOrDefault(ListKind.RESOURCES, old.resources()),
                        told.getOrDefault(ListKind.TEMPLATES, old.templates()),
                        notes);
        boolean modern = link.facts().version().era() == Era.MODERN;
        Duration fresh = modern ? fresh() : null;
        return new Told(lists, fresh, Map.copyOf(hints), trouble, told.containsKey(ListKind.TOOLS));
    }

    /** What a tool says of tasks counts only where its server says that it has any. */
    private List<Json> withTaskTerms(List<Json> tools) {
        LinkFacts facts = link.facts();
        boolean served =
                facts.version() == ProtocolVersion.V2025_11_25
                        && Tasks.areServed(facts.capabilities());
        return served
                ? tools
                : tools.stream()
                        .map(it -> it.isObject() ? Splice.without(it, "execution") : it)
                        .toList();
    }

    private Duration fresh() {
        CacheHint all = hints.values().stream().reduce(CacheHint.ANY, CacheHint::and);
        return Duration.ofMillis(Math.min(all.ttlMs(), FRESH_MAX.toMillis()));
    }

    /** The entries of one list; null if it could not be got. */
    private @Nullable List<Json> pages(ListKind kind) throws InterruptedException {
        var entries = new ArrayList<Json>();
        Set<Json> seen = new HashSet<>();
        Json cursor = null;
        for (int page = 1; page <= limits.pagesMax(); page++) {
            Json result = page(kind, cursor);
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
                return ended(kind, entries, "names the same next page again and again");
            }
            if (bytes > LIST_BYTES_MAX) {
                return ended(kind, entries, "is longer than " + LIST_BYTES_MAX + " bytes");
            }
        }
        return ended(kind, entries, "has more than " + limits.pagesMax() + " pages");
    }

    private List<Json> ended(ListKind kind, List<Json> entries, String why) {
        notes.add(kind.method() + " " + why + "; what came before is kept");
        return entries;
    }

    /** One page; without the list if the server has none, null if the page could not be got. */
    private @Nullable Json page(ListKind kind, @Nullable Json cursor) throws InterruptedException {
        // A cursor is the server's own affair: it gets it back as it wrote it.
        Json params =
                cursor == null
                        ? Json.EMPTY_OBJECT
                        : new JsonWriter()
                                .beginObject()
                                .member("cursor", cursor)
                                .endObject()
                                .toJson();
        long left = Math.max(0, deadline - System.nanoTime());
        long asked = System.nanoTime();
        CallOutcome outcome =
                link.call(kind.method(), params, CallOptions.own(Duration.ofNanos(left)));
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> checked(kind, value);
            case CallOutcome.Refused(RpcError error) -> {
                if (error.code() == RpcError.METHOD_NOT_FOUND && cursor == null) {
                    yield Json.EMPTY_OBJECT;
                }
                yield failed(kind, Symptom.REFUSED, "refused it: " + error.message());
            }
            case CallOutcome.TimedOut() ->
                    failed(kind, Symptom.SILENT, "did not answer in time" + since(asked));
            case CallOutcome.Lost(String why) -> failed(kind, Symptom.ENDED, "ended: " + why);
            // An entry that is too deep costs that entry, which the vetting sees to.
            case CallOutcome.Invalid(_, Json result) when isListOfSome(kind, result) ->
                    checked(kind, result);
            case CallOutcome.Invalid(String why, _) ->
                    failed(kind, Symptom.ANSWERED_WRONGLY, "answered wrongly: " + why);
            case CallOutcome.Unauthorized(String why) ->
                    failed(kind, Symptom.NOT_LET_IN, "did not let us in: " + why);
            case CallOutcome.NotSent(String why) ->
                    failed(kind, Symptom.OTHER, "could not be asked: " + why);
        };
    }

    /** Whether a result that nests too deep does so in the entries of its list alone. */
    private static boolean isListOfSome(ListKind kind, @Nullable Json result) {
        if (result == null || !result.isObject()) {
            return false;
        }
        Json cursor = result.member("nextCursor");
        return result.member(kind.member()) != null
                && (cursor == null || !cursor.isDeeperThan(CURSOR_DEPTH_MAX));
    }

    private @Nullable Json checked(ListKind kind, Json result) {
        bytes += result.length();
        Json listed = result.member(kind.member());
        if (listed == null || !listed.isArray()) {
            return failed(kind, Symptom.ANSWERED_WRONGLY, "answered without " + kind.member());
        }
        if (!Results.isComplete(result)) {
            return failed(kind, Symptom.ANSWERED_WRONGLY, "answered with a resultType of no list");
        }
        hints.merge(kind, CacheHint.of(result), CacheHint::and);
        return result;
    }

    private static String since(long nanos) {
        return " (" + (System.nanoTime() - nanos) / 1_000_000 + " ms)";
    }

    private @Nullable Json failed(ListKind kind, Symptom symptom, String what) {
        if (trouble == null) {
            boolean stranger = symptom == Symptom.NOT_LET_IN;
            trouble =
                    new Trouble(
                            stranger ? Reason.SIGN_IN_NEEDED : Reason.DISCOVERY_FAILED,
                            "Server " + server + ", asked for " + kind.method() + ", " + what,
                            kind.method(),
                            1,
                            Execution.UNKNOWN,
                            symptom);
        }
        return null;
    }
}
