package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.mcp.TaskSupport;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.ValidationResult;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Calls tools: finds the one that is meant, checks the arguments, and sends the call once. */
final class ToolInvoker {
    private static final String METHOD = "tools/call";

    /** Larger params are not checked on the thread that reads for all requests of a client. */
    private static final int CHECKED_INLINE_BYTES_MAX = 64 * 1024;

    private static final long TIMEOUT_MIN_MS = 1_000;
    private static final long TIMEOUT_MAX_MS = 300_000;

    private final ServerRegistry registry;
    private final CatalogSource catalogSource;
    private final BuiltInTools builtInTools;
    private final CallObservation observation;

    ToolInvoker(
            ServerRegistry registry,
            CatalogSource catalogs,
            BuiltInTools selfTools,
            CallObservation sight) {
        this.registry = registry;
        this.catalogSource = catalogs;
        this.builtInTools = selfTools;
        this.observation = sight;
    }

    InvocationResult invoke(Invocation invocation) throws InterruptedException {
        CallObservation.ObservedCall sighting =
                observation.begin(METHOD, invocation.context().clientName());
        if (sighting == null) {
            return invokeUnobserved(invocation);
        }
        InvocationResult result = null;
        try {
            result = invokeUnobserved(invocation);
            return result;
        } finally {
            reportEnd(sighting, invocation, result);
        }
    }

    private static void reportEnd(
            CallObservation.ObservedCall sighting,
            Invocation invocation,
            @Nullable InvocationResult result) {
        ServerId server = result == null ? null : result.server();
        String tool = result == null ? invocation.tool() : result.tool();
        String own = server == null ? tool : nameAtServer(server, tool);
        Json params =
                server == null
                        ? invocation.params()
                        : MemberPatch.with(invocation.params(), "name", Json.string(own));
        sighting.reportEnd(server, own, params, result == null ? null : result.callResult());
    }

    private static String nameAtServer(ServerId server, String tool) {
        String prefix = server.value() + ".";
        return tool.startsWith(prefix) ? tool.substring(prefix.length()) : tool;
    }

    private InvocationResult invokeUnobserved(Invocation invocation) throws InterruptedException {
        long started = System.nanoTime();
        CallResult refusal = rejectInvalid(invocation);
        if (refusal != null) {
            return result(invocation.tool(), null, refusal, started);
        }
        LookupResult<Tool> found = find(catalogSource.current(), invocation);
        if (found instanceof LookupResult.NotFound<Tool>(ServerId owner)) {
            // A server may have it by now that nobody has asked, or that was away when asked.
            if (owner == null) {
                found = find(catalogSource.awaitComplete(), invocation);
            } else {
                CallResult unknown = refreshListing(owner, timeout(invocation, owner));
                if (unknown != null) {
                    return result(invocation.tool(), owner, unknown, started);
                }
                found = find(catalogSource.current(), invocation);
            }
        }
        return switch (found) {
            case LookupResult.Found<Tool>(Tool tool) ->
                    result(
                            tool.name().text(),
                            tool.name().server(),
                            call(tool, invocation),
                            started);
            case LookupResult.Ambiguous<Tool>(List<FullName> candidates) ->
                    result(invocation.tool(), null, ambiguous(invocation, candidates), started);
            case LookupResult.Filtered<Tool>(FullName name) ->
                    result(name.text(), name.server(), filtered(name), started);
            case LookupResult.NotFound<Tool>(ServerId owner) ->
                    result(invocation.tool(), owner, notFound(invocation, owner), started);
        };
    }

    private static InvocationResult result(
            String tool, @Nullable ServerId server, CallResult reply, long started) {
        return new InvocationResult(tool, server, reply, (System.nanoTime() - started) / 1_000_000);
    }

    /** What is wrong with a call whatever its tool is; null if nothing is. */
    private @Nullable CallResult rejectInvalid(Invocation invocation) {
        Long timeout = invocation.timeoutMs();
        if (timeout != null && (timeout < TIMEOUT_MIN_MS || timeout > TIMEOUT_MAX_MS)) {
            return CallResult.Rejected.of(
                    ErrorReason.INVALID_ARGUMENTS,
                    "timeoutMs is %d; it must be from %d to %d"
                            .formatted(timeout, TIMEOUT_MIN_MS, TIMEOUT_MAX_MS));
        }
        String server = invocation.serverId();
        if (server != null && registry.find(server).isEmpty() && !isGatewayId(server)) {
            return CallResult.Rejected.of(
                    ErrorReason.SERVER_NOT_FOUND, "There is no server " + server);
        }
        Json arguments = invocation.params().member("arguments");
        return arguments == null || arguments.isObject()
                ? null
                : CallResult.Rejected.of(
                        ErrorReason.INVALID_ARGUMENTS, "arguments must be an object");
    }

    private static boolean isGatewayId(String server) {
        return server.equals(Catalog.GATEWAY_ID.value());
    }

    private static LookupResult<Tool> find(Catalog catalog, Invocation invocation) {
        String name = invocation.tool();
        if (invocation.serverId() == null) {
            return catalog.findTool(name);
        }
        var server = new ServerId(invocation.serverId());
        if (!name.isEmpty()) {
            LookupResult<Tool> own = catalog.findTool(new FullName(server, name).text());
            if (own instanceof LookupResult.Found || own instanceof LookupResult.Filtered) {
                return own;
            }
        }
        LookupResult<Tool> any = catalog.findTool(name);
        return belongsTo(server, any) ? any : new LookupResult.NotFound<>(server);
    }

    private static boolean belongsTo(ServerId server, LookupResult<Tool> found) {
        return switch (found) {
            case LookupResult.Found<Tool>(Tool tool) -> tool.name().server().equals(server);
            case LookupResult.Filtered<Tool>(FullName name) -> name.server().equals(server);
            case LookupResult.Ambiguous<Tool> _, LookupResult.NotFound<Tool> _ -> false;
        };
    }

    /** Asks a server for its lists if they are not current; the reply if there is nothing else. */
    private @Nullable CallResult refreshListing(ServerId owner, Duration patience)
            throws InterruptedException {
        ServerEntry server = registry.find(owner).orElse(null);
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
        server.supervisor().startPriority(Priority.HIGH);
        ListingCache.CachedListing content = server.listingCache().refresh(false, patience);
        return content.isCurrent() || content.failure() == null
                ? null
                : new CallResult.Failed(owner, content.failure());
    }

    private CallResult call(Tool tool, Invocation invocation) throws InterruptedException {
        Json given = invocation.params().member("arguments");
        Json arguments = given == null ? Json.EMPTY_OBJECT : given;
        CallResult unfit = checkArguments(tool, arguments);
        if (unfit != null) {
            return unfit;
        }
        ServerId id = tool.name().server();
        if (id.equals(Catalog.GATEWAY_ID)) {
            return new CallResult.Answered(id, builtInTools.call(tool.name().name(), arguments));
        }
        ServerEntry server = registry.find(id).orElse(null);
        if (server == null) {
            return CallResult.Rejected.of(ErrorReason.SERVER_NOT_FOUND, "There is no server " + id);
        }
        Json params =
                MemberPatch.with(invocation.params(), "name", Json.string(tool.name().name()));
        if (given == null) {
            params = MemberPatch.with(params, "arguments", Json.EMPTY_OBJECT);
        }
        Duration timeout = timeout(invocation, id);
        String own = tool.name().name();
        boolean asTask = params.member(TaskMessages.TASK) != null;
        if (asTask && tool.taskSupport() == TaskSupport.FORBIDDEN) {
            return new CallResult.ServerError(
                    id,
                    RpcError.of(
                            RpcError.METHOD_NOT_FOUND, tool.name() + " does not run as a task"));
        }
        CallContext source = invocation.context();
        CallResult reply;
        if (tool.taskSupport() == TaskSupport.REQUIRED && !asTask) {
            reply = new LegacyTaskCall(server, own, timeout, source).send(params);
        } else if (asTask || source.listener().acceptsTasks()) {
            reply = new ForwardedRequest(server, METHOD, own, timeout, source).send(params);
        } else {
            reply = new ModernTaskCall(server, own, timeout, source).send(params);
        }
        recheckListingIfRejected(server, reply);
        return reply;
    }

    /**
     * Calls a tool without waiting, in the usual case: it is known by the name that clients see,
     * the arguments fit, the server is there.
     *
     * @return the way to give the call up; null if it must take the way of {@link #invoke}, and
     *     nothing was sent
     */
    @Nullable Runnable tryInvoke(
            String name, Json params, CallContext source, Consumer<CallResult> receiver) {
        if (!(catalogSource.current().findTool(name) instanceof LookupResult.Found<Tool>(Tool tool))
                || !tool.isCompiled()
                || tool.taskSupport() == TaskSupport.REQUIRED
                || params.member(TaskMessages.TASK) != null
                || params.length() > CHECKED_INLINE_BYTES_MAX) {
            return null;
        }
        ServerEntry server = registry.find(tool.name().server()).orElse(null);
        Json arguments = params.member("arguments");
        if (server == null
                || server.hasModernTasks()
                || arguments == null
                || !arguments.isObject()
                || checkArguments(tool, arguments) != null) {
            return null;
        }
        String own = tool.name().name();
        Duration timeout = server.spec().options().limits().requestTimeout();
        var passage = new ForwardedRequest(server, METHOD, own, timeout, source);
        Json named = MemberPatch.with(params, "name", Json.string(own));
        CallObservation.ObservedCall sighting = observation.begin(METHOD, source.clientName());
        Runnable cancel =
                passage.trySend(
                        named,
                        reply -> {
                            recheckListingIfRejected(server, reply);
                            receiver.accept(reply);
                            if (sighting != null) {
                                sighting.reportEnd(server.id(), own, named, reply);
                            }
                        });
        if (cancel == null || sighting == null) {
            return cancel;
        }
        return () -> {
            cancel.run();
            sighting.reportEnd(server.id(), own, named, null);
        };
    }

    /** A server that does not know its own tool's arguments may have another list by now. */
    private static void recheckListingIfRejected(ServerEntry server, CallResult reply) {
        if (reply instanceof CallResult.ServerError(_, RpcError error)
                && error.code() == RpcError.INVALID_PARAMS) {
            server.recheckListing();
        }
    }

    /** What is wrong with the arguments; null if nothing is. */
    private static @Nullable CallResult checkArguments(Tool tool, Json arguments) {
        ServerId server = tool.name().server();
        return switch (tool.schema()) {
            case CompilationResult.Unusable(String reason) ->
                    new CallResult.Rejected(
                            ErrorReason.TOOL_NOT_FOUND,
                            "%s is withheld: its inputSchema cannot be used: %s"
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
                                        "The arguments of %s do not fit its schema:\n%s"
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

    private Duration timeout(Invocation invocation, ServerId server) {
        Long given = invocation.timeoutMs();
        if (given != null) {
            return Duration.ofMillis(given);
        }
        return registry.find(server)
                .map(it -> it.spec().options().limits().requestTimeout())
                .orElse(Duration.ofMillis(TIMEOUT_MAX_MS));
    }

    private static CallResult ambiguous(Invocation invocation, List<FullName> candidates) {
        String names = String.join(", ", candidates.stream().map(FullName::text).toList());
        return new CallResult.Rejected(
                ErrorReason.AMBIGUOUS_TOOL,
                "Several servers have a tool %s; call one of %s"
                        .formatted(DisplayText.quoteName(invocation.tool()), names),
                null,
                candidates);
    }

    private static CallResult filtered(FullName name) {
        return new CallResult.Rejected(
                ErrorReason.TOOL_NOT_FOUND,
                "The tool %s is filtered: the configuration keeps it from clients".formatted(name),
                name.server(),
                List.of());
    }

    private static CallResult notFound(Invocation invocation, @Nullable ServerId owner) {
        String where = owner == null ? "" : " of server " + owner;
        return new CallResult.Rejected(
                ErrorReason.TOOL_NOT_FOUND,
                "There is no tool " + DisplayText.quoteName(invocation.tool()) + where,
                owner,
                List.of());
    }
}
