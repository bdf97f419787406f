package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.catalog.WithheldEntry;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.ValidationResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/** Creates tool calls, finds tools, checks arguments, and creates the results of failures. */
final class ToolInvoker {
    private static final long TIMEOUT_MIN_MS = 1_000;
    private static final long TIMEOUT_MAX_MS = 300_000;

    private final VisibleServers servers;
    private final ViewCatalog catalog;
    private final BuiltInTools builtInTools;
    private final CallObservation observation;

    ToolInvoker(
            VisibleServers servers,
            ViewCatalog catalog,
            BuiltInTools builtInTools,
            CallObservation observation) {
        this.servers = servers;
        this.catalog = catalog;
        this.builtInTools = builtInTools;
        this.observation = observation;
    }

    ToolCall call(Invocation invocation) {
        return new ToolCall(
                this, invocation, observation.begin(ToolCall.METHOD, invocation.context()));
    }

    /** Checks what does not depend on the tool; null if it is valid. */
    @Nullable CallResult rejectInvalid(Invocation invocation, @Nullable Json arguments) {
        Long timeout = invocation.timeoutMs();
        if (timeout != null && (timeout < TIMEOUT_MIN_MS || timeout > TIMEOUT_MAX_MS)) {
            return CallResult.Rejected.of(
                    ErrorReason.INVALID_ARGUMENTS,
                    "timeoutMs is %d; it must be from %d to %d"
                            .formatted(timeout, TIMEOUT_MIN_MS, TIMEOUT_MAX_MS));
        }
        String server = invocation.serverId();
        if (server != null && servers.find(server).isEmpty() && !isGatewayId(server)) {
            return CallResult.Rejected.of(
                    ErrorReason.SERVER_NOT_FOUND, "There is no server " + server);
        }
        return arguments == null || arguments.isObject()
                ? null
                : CallResult.Rejected.of(
                        ErrorReason.INVALID_ARGUMENTS, "arguments must be an object");
    }

    private static boolean isGatewayId(String server) {
        return server.equals(Catalog.GATEWAY_ID.value());
    }

    /** Finds the tool in the catalog. */
    LookupResult<Tool> find(Invocation invocation) {
        Catalog now = catalog.current();
        String name = invocation.tool();
        if (invocation.serverId() == null) {
            return now.findTool(name);
        }
        var server = new ServerId(invocation.serverId());
        if (!name.isEmpty()) {
            LookupResult<Tool> own = now.findTool(new FullName(server, name).text());
            if (own instanceof LookupResult.Found || own instanceof LookupResult.Filtered) {
                return own;
            }
        }
        LookupResult<Tool> any = now.findTool(name);
        return belongsTo(server, any) ? any : new LookupResult.NotFound<>(server);
    }

    private static boolean belongsTo(ServerId server, LookupResult<Tool> found) {
        return switch (found) {
            case LookupResult.Found<Tool>(Tool tool) -> tool.name().server().equals(server);
            case LookupResult.Filtered<Tool>(FullName name) -> name.server().equals(server);
            case LookupResult.Ambiguous<Tool> _, LookupResult.NotFound<Tool> _ -> false;
        };
    }

    /**
     * Waits for the lists of servers that may have a tool: of its owner, or of all servers.
     *
     * @param since a failure to connect that happened after this is not followed by new attempts
     * @return the result of the call if its server cannot be asked; else null
     */
    @Nullable CallResult refreshListing(Invocation invocation, @Nullable ServerId owner, long since)
            throws InterruptedException {
        if (owner == null) {
            Catalog _ = catalog.awaitComplete();
            return null;
        }
        ServerEntry server = servers.find(owner).orElse(null);
        if (server == null) {
            return null;
        }
        if (!server.isEnabled()) {
            return new CallResult.Rejected(
                    ErrorReason.SERVER_DISABLED,
                    "Server " + owner + " is disabled",
                    owner,
                    List.of());
        }
        if (server.listingCache().isFresh() && !server.listingCache().isQuerying()) {
            return null;
        }
        ServerFailure failure = server.supervisor().failureSince(since);
        if (failure != null) {
            return new CallResult.Failed(owner, failure);
        }
        server.supervisor().startPriority(Priority.HIGH);
        ListingState.CachedListing content =
                server.listingCache().refresh(false, timeout(invocation, owner));
        return content.isCurrent() || content.failure() == null
                ? null
                : new CallResult.Failed(owner, content.failure());
    }

    /** Queries a server's lists again, because it rejected arguments that match its schema. */
    void recheckListing(ServerId id) {
        servers.find(id).ifPresent(ServerEntry::recheckListing);
    }

    CallResult callBuiltIn(String tool, Json arguments) throws InterruptedException {
        return new CallResult.Answered(Catalog.GATEWAY_ID, builtInTools.call(tool, arguments));
    }

    @Nullable ServerEntry findServer(ServerId id) {
        return servers.find(id).orElse(null);
    }

    /** Checks the arguments against the tool's schema; null if they are valid. */
    static @Nullable CallResult checkArguments(Tool tool, Json arguments) {
        ServerId server = tool.name().server();
        return switch (tool.schema()) {
            case CompilationResult.Unusable(String reason) ->
                    new CallResult.Rejected(
                            ErrorReason.TOOL_NOT_FOUND,
                            "%s is withheld: its inputSchema is not usable: %s"
                                    .formatted(tool.name(), reason),
                            server,
                            List.of());
            case CompilationResult.Compiled(var schema) ->
                    switch (schema.validate(arguments)) {
                        case ValidationResult.Valid() -> null;
                        case ValidationResult.Invalid invalid ->
                                new CallResult.InvalidArguments(
                                        server,
                                        invalid.violations(),
                                        "Invalid arguments for %s:\n%s"
                                                .formatted(tool.name(), invalid.text()));
                        case ValidationResult.Undecided(String reason) ->
                                new CallResult.InvalidArguments(
                                        server,
                                        List.of(),
                                        "The arguments of %s were not sent: %s"
                                                .formatted(tool.name(), reason));
                    };
        };
    }

    Duration timeout(Invocation invocation, ServerId server) {
        Long given = invocation.timeoutMs();
        if (given != null) {
            return Duration.ofMillis(given);
        }
        return servers.find(server)
                .map(it -> it.spec().options().limits().requestTimeout())
                .orElse(Duration.ofMillis(TIMEOUT_MAX_MS));
    }

    static CallResult ambiguous(Invocation invocation, List<FullName> candidates) {
        String names = String.join(", ", candidates.stream().map(FullName::text).toList());
        return new CallResult.Rejected(
                ErrorReason.AMBIGUOUS_TOOL,
                "Several servers have a tool %s; use one of %s"
                        .formatted(DisplayText.quoteName(invocation.tool()), names),
                null,
                candidates);
    }

    static CallResult filtered(FullName name) {
        return new CallResult.Rejected(
                ErrorReason.TOOL_NOT_FOUND,
                "The tool %s is filtered: the configuration hides it from clients".formatted(name),
                name.server(),
                List.of());
    }

    CallResult notFound(Invocation invocation, @Nullable ServerId owner) {
        for (ServerReport server : servers.reports()) {
            ServerId id = server.spec().id();
            if (owner == null || owner.equals(id)) {
                String name = DisplayText.escape(nameAtServer(id, invocation.tool()));
                for (WithheldEntry hidden : server.withheld()) {
                    if (hidden.kind().equals("tool") && hidden.name().equals(name)) {
                        return withheld(new FullName(id, name), hidden.reason());
                    }
                }
            }
        }
        String where = owner == null ? "" : " of server " + owner;
        return new CallResult.Rejected(
                ErrorReason.TOOL_NOT_FOUND,
                "There is no tool " + DisplayText.quoteName(invocation.tool()) + where,
                owner,
                List.of());
    }

    private static CallResult withheld(FullName name, String reason) {
        return new CallResult.Rejected(
                ErrorReason.TOOL_NOT_FOUND,
                name + " is withheld: " + reason,
                name.server(),
                List.of());
    }

    static CallResult taskForbidden(FullName tool) {
        RpcError error = RpcError.of(RpcError.METHOD_NOT_FOUND, tool + " does not run as a task");
        return new CallResult.ServerError(tool.server(), error);
    }

    /** The server's name of a tool, for a name that clients use. */
    static String nameAtServer(ServerId server, String tool) {
        String prefix = server.value() + ".";
        return tool.startsWith(prefix) ? tool.substring(prefix.length()) : tool;
    }
}
