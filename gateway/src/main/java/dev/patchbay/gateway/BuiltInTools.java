package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.RawLists;
import dev.patchbay.catalog.Tool;
import dev.patchbay.catalog.ToolSearch;
import dev.patchbay.catalog.WithheldEntry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The gateway's own tools, under a reserved id. No message can register a server. All tools but
 * {@code invoke} are read-only; that one is resolved by {@link ToolCall} to the tool it names.
 */
final class BuiltInTools {
    /** The tool that calls another one. */
    static final String INVOKE = "invoke";

    private static final int FOUND_MAX = 20;

    private static final String INVOKE_DEFINITION =
            """
            {"name": "invoke",
             "description": "Calls a tool of any server by its full name, such as files.read.",
             "inputSchema": {"type": "object", "required": ["name"], "properties": {
               "name": {"type": "string", "description": "the full name of the tool"},
               "arguments": {"type": "object", "description": "the arguments of the tool"}},
               "additionalProperties": false}}
            """;

    private static final String INSPECTION_DEFINITIONS =
            """
            [{"name": "servers",
              "description": "Lists the MCP servers with state, error and tool count.",
              "inputSchema": {"type": "object"},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "discover",
              "description": "Refreshes the tool lists of servers; reports each result.",
              "inputSchema": {"type": "object", "properties": {
                "serverIds": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
                "forceRefresh": {"type": "boolean"}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "find_tool",
              "description": "Searches all tools by words in names and descriptions.",
              "inputSchema": {"type": "object", "required": ["query"], "properties": {
                "query": {"type": "string"}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}},
             {"name": "explain",
              "description": "Explains why a tool or server is missing or does not work.",
              "inputSchema": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "description": "a tool name or a server id"}}},
              "annotations": {"readOnlyHint": true, "openWorldHint": false}}]
            """;

    private final VisibleServers servers;
    private final DiscoveryService discovery;
    private final ViewCatalog catalog;

    BuiltInTools(VisibleServers servers, DiscoveryService discovery, ViewCatalog catalog) {
        this.servers = servers;
        this.discovery = discovery;
        this.catalog = catalog;
    }

    /** The definitions of the tools that are switched on; null if none is. */
    static @Nullable Listing listing(GatewaySettings.OwnTools own) {
        var tools = new ArrayList<Json>();
        if (own.inspection()) {
            tools.addAll(Json.of(INSPECTION_DEFINITIONS).elements());
        }
        if (own.invocation()) {
            tools.add(Json.of(INVOKE_DEFINITION));
        }
        if (tools.isEmpty()) {
            return null;
        }
        return Listing.of(
                Catalog.GATEWAY_ID,
                new RawLists(tools, List.of(), List.of(), List.of(), List.of()));
    }

    /** Calls a tool with valid arguments. */
    Json call(String tool, Json arguments) throws InterruptedException {
        return switch (tool) {
            case "servers" -> result(servers());
            case "discover" -> result(discover(arguments));
            case "find_tool" -> result(findTools(text(arguments, "query")));
            default -> result(explain(text(arguments, "name")));
        };
    }

    private static String text(Json arguments, String member) {
        String text = arguments.memberText(member);
        return text == null ? "" : text;
    }

    private static Json result(Json structured) {
        return new JsonWriter()
                .beginObject()
                .name("content")
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", structured.toString())
                .endObject()
                .endArray()
                .member("structuredContent", structured)
                .endObject()
                .toJson();
    }

    private Json servers() {
        var writer = new JsonWriter().beginObject().name("servers").beginArray();
        servers.reports().forEach(it -> writer.value(it.toJson()));
        return writer.endArray().endObject().toJson();
    }

    private Json discover(Json arguments) throws InterruptedException {
        Json ids = arguments.member("serverIds");
        Json force = arguments.member("forceRefresh");
        var request =
                new DiscoveryRequest(
                        ids == null || !ids.isArray()
                                ? List.of()
                                : ids.elements().stream().map(Json::text).toList(),
                        force != null && force.isTrue(),
                        true);
        Json told = discovery.discover(request).toJson();
        Json rows = told.member("serverResults");
        return new JsonWriter()
                .beginObject()
                .member("serverResults", rows == null ? Json.EMPTY_ARRAY : rows)
                .endObject()
                .toJson();
    }

    private Json findTools(String query) {
        Catalog now = catalog.current();
        List<Tool> ranked = ToolSearch.find(now.tools(), query);
        var writer = new JsonWriter().beginObject().name("tools").beginArray();
        for (Tool tool : ranked.stream().limit(FOUND_MAX).toList()) {
            writer.beginObject()
                    .member("name", now.displayName(tool))
                    .member("description", tool.description())
                    .member("inputSchema", tool.inputSchema())
                    .endObject();
        }
        return writer.endArray().member("matches", ranked.size()).endObject().toJson();
    }

    private Json explain(String name) {
        return new JsonWriter()
                .beginObject()
                .member("name", name)
                .member("explanation", explanation(name))
                .endObject()
                .toJson();
    }

    private String explanation(String name) {
        for (ServerReport server : servers.reports()) {
            if (server.spec().id().value().equals(name)) {
                return explanation(server);
            }
        }
        return switch (catalog.current().findTool(name)) {
            case LookupResult.Found<Tool>(Tool tool) -> {
                ServerReport server = report(tool.name().server());
                yield tool.name() + " is listed. " + (server == null ? "" : explanation(server));
            }
            case LookupResult.Ambiguous<Tool>(List<FullName> candidates) ->
                    "Several servers have it; use one of " + candidates;
            case LookupResult.Filtered<Tool>(FullName full) -> explainFiltered(full);
            case LookupResult.NotFound<Tool>(ServerId owner) -> explainMissing(name, owner);
        };
    }

    private String explainFiltered(FullName name) {
        ServerReport server = report(name.server());
        String why =
                server == null
                        ? ""
                        : ": " + server.spec().options().tools().exclusionReason(name.name());
        return "Server %s offers it, but it is filtered by the configuration%s."
                .formatted(name.server(), why);
    }

    private String explainMissing(String name, @Nullable ServerId owner) {
        for (ServerReport server : servers.reports()) {
            for (WithheldEntry hidden : server.withheld()) {
                String full = server.spec().id() + "." + hidden.name();
                if (hidden.name().equals(name) || full.equals(name)) {
                    return "Server %s offers it, but it is withheld: %s."
                            .formatted(server.spec().id(), hidden.reason());
                }
            }
        }
        ServerReport server = owner == null ? null : report(owner);
        return server == null
                ? "No server offers it. List the servers, or search for it with find_tool."
                : "Server " + owner + " does not list it. " + explanation(server);
    }

    private @Nullable ServerReport report(ServerId id) {
        return servers.reports().stream()
                .filter(it -> it.spec().id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private static String explanation(ServerReport server) {
        String id = "Server " + server.spec().id();
        if (server.state().status() == Status.DISABLED) {
            return id + " is disabled; its user can enable it.";
        }
        String failure =
                server.lastError() == null ? "" : " " + ServerReport.describe(server.lastError());
        String lists =
                " %d tools%s, %d withheld, %d filtered."
                        .formatted(
                                server.counts().tools(),
                                server.stale() ? " known from before" : "",
                                server.withheld().size(),
                                server.filtered().size());
        return id + " is " + server.state().status().text() + "." + failure + lists;
    }
}
