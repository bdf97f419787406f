package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Lists;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.ServerId;
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
    private static final int PAGES_MAX = 1_000;
    private static final int ENTRIES_MAX = 2_000;
    private static final int LIST_BYTES_MAX = 16 * 1024 * 1024;
    private static final Duration FRESH_MAX = Duration.ofHours(1);

    /**
     * What the server told.
     *
     * @param freshFor for how long it may be taken for current; null if the server does not say
     * @param trouble why a list could not be got; what was known of it before then stands in
     * @param complete whether at least the tools are what the server has now
     */
    record Told(
            Lists lists,
            @Nullable Duration freshFor,
            @Nullable Trouble trouble,
            boolean complete) {}

    private final ServerId server;
    private final Link link;
    private final long deadline;
    private final List<String> notes = new ArrayList<>();
    private final Map<ListKind, List<Json>> told = new EnumMap<>(ListKind.class);
    private long bytes;
    private long freshMillis = FRESH_MAX.toMillis();
    private @Nullable Trouble trouble;

    Lister(ServerId server, Link link, Duration patience) {
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
                List<Json> entries = pages(kind);
                if (entries != null) {
                    told.put(kind, entries);
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
        Duration fresh = modern ? Duration.ofMillis(freshMillis) : null;
        return new Told(lists, fresh, trouble, told.containsKey(ListKind.TOOLS));
    }

    /** The entries of one list; null if it could not be got. */
    private @Nullable List<Json> pages(ListKind kind) throws InterruptedException {
        var entries = new ArrayList<Json>();
        Set<Json> seen = new HashSet<>();
        Json cursor = null;
        for (int page = 1; page <= PAGES_MAX; page++) {
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
            if (entries.size() > ENTRIES_MAX) {
                return entries;
            }
            if (!seen.add(cursor)) {
                return ended(kind, entries, "names the same next page again and again");
            }
            if (bytes > LIST_BYTES_MAX) {
                return ended(kind, entries, "is longer than " + LIST_BYTES_MAX + " bytes");
            }
        }
        return ended(kind, entries, "has more than " + PAGES_MAX + " pages");
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
                yield failed(kind, "refused it: " + error.message());
            }
            case CallOutcome.TimedOut() -> failed(kind, "did not answer in time" + since(asked));
            case CallOutcome.Lost(String why) -> failed(kind, "ended: " + why);
            case CallOutcome.Invalid(String why) -> failed(kind, "answered wrongly: " + why);
            case CallOutcome.NotSent(String why) -> failed(kind, "could not be asked: " + why);
        };
    }

    private @Nullable Json checked(ListKind kind, Json result) {
        bytes += result.length();
        Json listed = result.member(kind.member());
        if (listed == null || !listed.isArray()) {
            return failed(kind, "answered without " + kind.member());
        }
        Json ttl = result.member("ttlMs");
        freshMillis = Math.min(freshMillis, ttl == null ? 0 : Math.max(0, ttl.asLong(0)));
        return result;
    }

    private static String since(long nanos) {
        return " (" + (System.nanoTime() - nanos) / 1_000_000 + " ms)";
    }

    private @Nullable Json failed(ListKind kind, String what) {
        if (trouble == null) {
            trouble =
                    new Trouble(
                            Reason.DISCOVERY_FAILED,
                            "Server " + server + ", asked for " + kind.method() + ", " + what,
                            kind.method(),
                            1,
                            Execution.UNKNOWN);
        }
        return null;
    }
}
