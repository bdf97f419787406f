package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.TaskSupport;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.schema.Compilation;
import dev.patchbay.schema.Verdict;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.StartGate.Turn;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Calls tools: finds the one that is meant, checks the arguments, and sends the call once. */
final class Invoker {
    private static final String METHOD = "tools/call";

    /** Larger params are not checked on the thread that reads for all requests of a client. */
    private static final int PASSED_BYTES_MAX = 64 * 1024;

    private static final long TIMEOUT_MIN_MS = 1_000;
    private static final long TIMEOUT_MAX_MS = 300_000;

    private final Registry registry;
    private final Catalogs catalogs;
    private final SelfTools selfTools;
    private final Sight sight;

    Invoker(Registry registry, Catalogs catalogs, SelfTools selfTools, Sight sight) {
        this.registry = registry;
        this.catalogs = catalogs;
        this.selfTools = selfTools;
        this.sight = sight;
    }

    InvocationResult invoke(Invocation invocation) throws InterruptedException {
        Sight.Sighting sighting = sight.begin(METHOD, invocation.source().client());
        if (sighting == null) {
            return invokeUnseen(invocation);
        }
        InvocationResult result = null;
        try {
            result = invokeUnseen(invocation);
            return result;
        } finally {
            tell(sighting, invocation, result);
        }
    }

    private static void tell(
            Sight.Sighting sighting, Invocation invocation, @Nullable InvocationResult result) {
        ServerId server = result == null ? null : result.server();
        String tool = result == null ? invocation.tool() : result.tool();
        String own = server == null ? tool : ownName(server, tool);
        Json params =
                server == null
                        ? invocation.params()
                        : Splice.with(invocation.params(), "name", Json.string(own));
        sighting.ended(server, own, params, result == null ? null : result.reply());
    }

    private static String ownName(ServerId server, String tool) {
        String prefix = server.value() + ".";
        return tool.startsWith(prefix) ? tool.substring(prefix.length()) : tool;
    }

    private InvocationResult invokeUnseen(Invocation invocation) throws InterruptedException {
        long started = System.nanoTime();
        Reply refusal = refusal(invocation);
        if (refusal != null) {
            return result(invocation.tool(), null, refusal, started);
        }
        Lookup<Tool> found = find(catalogs.now(), invocation);
        if (found instanceof Lookup.Absent<Tool>(ServerId owner)) {
            // A server may have it by now that nobody has asked, or that was away when asked.
            if (owner == null) {
                found = find(catalogs.settled(), invocation);
            } else {
                Reply unknown = askFor(owner, timeout(invocation, owner));
                if (unknown != null) {
                    return result(invocation.tool(), owner, unknown, started);
                }
                found = find(catalogs.now(), invocation);
            }
        }
        return switch (found) {
            case Lookup.Found<Tool>(Tool tool) ->
                    result(
                            tool.name().text(),
                            tool.name().server(),
                            call(tool, invocation),
                            started);
            case Lookup.Ambiguous<Tool>(List<FullName> candidates) ->
                    result(invocation.tool(), null, ambiguous(invocation, candidates), started);
            case Lookup.Filtered<Tool>(FullName name) ->
                    result(name.text(), name.server(), filtered(name), started);
            case Lookup.Absent<Tool>(ServerId owner) ->
                    result(invocation.tool(), owner, notFound(invocation, owner), started);
        };
    }

    private static InvocationResult result(
            String tool, @Nullable ServerId server, Reply reply, long started) {
        return new InvocationResult(tool, server, reply, (System.nanoTime() - started) / 1_000_000);
    }

    /** What is wrong with a call whatever its tool is; null if nothing is. */
    private @Nullable Reply refusal(Invocation invocation) {
        Long timeout = invocation.timeoutMs();
        if (timeout != null && (timeout < TIMEOUT_MIN_MS || timeout > TIMEOUT_MAX_MS)) {
            return Reply.Unresolved.of(
                    Reason.INVALID_ARGUMENTS,
                    "timeoutMs is %d; it must be from %d to %d"
                            .formatted(timeout, TIMEOUT_MIN_MS, TIMEOUT_MAX_MS));
        }
        String server = invocation.serverId();
        if (server != null && registry.find(server).isEmpty() && !isSelf(server)) {
            return Reply.Unresolved.of(Reason.SERVER_NOT_FOUND, "There is no server " + server);
        }
        Json arguments = invocation.params().member("arguments");
        return arguments == null || arguments.isObject()
                ? null
                : Reply.Unresolved.of(Reason.INVALID_ARGUMENTS, "arguments must be an object");
    }

    private static boolean isSelf(String server) {
        return server.equals(Catalog.SELF.value());
    }

    private static Lookup<Tool> find(Catalog catalog, Invocation invocation) {
        String name = invocation.tool();
        if (invocation.serverId() == null) {
            return catalog.tool(name);
        }
        var server = new ServerId(invocation.serverId());
        if (!name.isEmpty()) {
            Lookup<Tool> own = catalog.tool(new FullName(server, name).text());
            if (own instanceof Lookup.Found || own instanceof Lookup.Filtered) {
                return own;
            }
        }
        Lookup<Tool> any = catalog.tool(name);
        return isOf(server, any) ? any : new Lookup.Absent<>(server);
    }

    private static boolean isOf(ServerId server, Lookup<Tool> found) {
        return switch (found) {
            case Lookup.Found<Tool>(Tool tool) -> tool.name().server().equals(server);
            case Lookup.Filtered<Tool>(FullName name) -> name.server().equals(server);
            case Lookup.Ambiguous<Tool> _, Lookup.Absent<Tool> _ -> false;
        };
    }

    /** Asks a server for its lists if they are not current; the reply if there is nothing else. */
    private @Nullable Reply askFor(ServerId owner, Duration patience) throws InterruptedException {
        Registered server = registry.find(owner).orElse(null);
        if (server == null) {
            return null;
        }
        if (!server.isEnabled()) {
            return new Reply.Unresolved(
                    Reason.SERVER_DISABLED, "Server " + owner + " is disabled", owner, List.of());
        }
        if (server.shelf().isFresh() && !server.shelf().isAsking()) {
            return null;
        }
        server.supervisor().turn(Turn.FIRST);
        Shelf.Content content = server.shelf().refresh(false, patience);
        return content.current() || content.failure() == null
                ? null
                : new Reply.Failed(owner, content.failure());
    }

    private Reply call(Tool tool, Invocation invocation) throws InterruptedException {
        Json given = invocation.params().member("arguments");
        Json arguments = given == null ? Json.EMPTY_OBJECT : given;
        Reply unfit = check(tool, arguments);
        if (unfit != null) {
            return unfit;
        }
        ServerId id = tool.name().server();
        if (id.equals(Catalog.SELF)) {
            return new Reply.Answered(id, selfTools.call(tool.name().name(), arguments));
        }
        Registered server = registry.find(id).orElse(null);
        if (server == null) {
            return Reply.Unresolved.of(Reason.SERVER_NOT_FOUND, "There is no server " + id);
        }
        Json params = Splice.with(invocation.params(), "name", Json.string(tool.name().name()));
        if (given == null) {
            params = Splice.with(params, "arguments", Json.EMPTY_OBJECT);
        }
        Duration timeout = timeout(invocation, id);
        String own = tool.name().name();
        boolean asTask = params.member(Tasks.TASK) != null;
        if (asTask && tool.taskSupport() == TaskSupport.FORBIDDEN) {
            return new Reply.Refused(
                    id,
                    RpcError.of(
                            RpcError.METHOD_NOT_FOUND, tool.name() + " does not run as a task"));
        }
        CallSource source = invocation.source();
        Reply reply;
        if (tool.taskSupport() == TaskSupport.REQUIRED && !asTask) {
            reply = new TaskRun(server, own, timeout, source).send(params);
        } else if (asTask || source.listener().takesTasks()) {
            reply = new Passage(server, METHOD, own, timeout, source).send(params);
        } else {
            reply = new ExtensionRun(server, own, timeout, source).send(params);
        }
        noteRefusal(server, reply);
        return reply;
    }

    /**
     * Calls a tool without waiting, in the usual case: it is known by the name that clients see,
     * the arguments fit, the server is there.
     *
     * @return the way to give the call up; null if it must take the way of {@link #invoke}, and
     *     nothing was sent
     */
    @Nullable Runnable pass(String name, Json params, CallSource source, Consumer<Reply> receiver) {
        if (!(catalogs.now().tool(name) instanceof Lookup.Found<Tool>(Tool tool))
                || !tool.isCompiled()
                || tool.taskSupport() == TaskSupport.REQUIRED
                || params.member(Tasks.TASK) != null
                || params.length() > PASSED_BYTES_MAX) {
            return null;
        }
        Registered server = registry.find(tool.name().server()).orElse(null);
        Json arguments = params.member("arguments");
        if (server == null
                || server.isTasking()
                || arguments == null
                || !arguments.isObject()
                || check(tool, arguments) != null) {
            return null;
        }
        String own = tool.name().name();
        Duration timeout = server.spec().options().limits().requestTimeout();
        var passage = new Passage(server, METHOD, own, timeout, source);
        Json named = Splice.with(params, "name", Json.string(own));
        Sight.Sighting sighting = sight.begin(METHOD, source.client());
        Runnable cancel =
                passage.pass(
                        named,
                        reply -> {
                            noteRefusal(server, reply);
                            receiver.accept(reply);
                            if (sighting != null) {
                                sighting.ended(server.id(), own, named, reply);
                            }
                        });
        if (cancel == null || sighting == null) {
            return cancel;
        }
        return () -> {
            cancel.run();
            sighting.ended(server.id(), own, named, null);
        };
    }

    /** A server that does not know its own tool's arguments may have another list by now. */
    private static void noteRefusal(Registered server, Reply reply) {
        if (reply instanceof Reply.Refused(_, RpcError error)
                && error.code() == RpcError.INVALID_PARAMS) {
            server.changedPerhaps();
        }
    }

    /** What is wrong with the arguments; null if nothing is. */
    private static @Nullable Reply check(Tool tool, Json arguments) {
        ServerId server = tool.name().server();
        return switch (tool.schema()) {
            case Compilation.Unusable(String reason) ->
                    new Reply.Unresolved(
                            Reason.TOOL_NOT_FOUND,
                            "%s is withheld: its inputSchema cannot be used: %s"
                                    .formatted(tool.name(), reason),
                            server,
                            List.of());
            case Compilation.Compiled(var schema) ->
                    switch (schema.check(arguments)) {
                        case Verdict.Valid() -> null;
                        case Verdict.Invalid invalid ->
                                new Reply.Unfit(
                                        server,
                                        invalid.violations(),
                                        "The arguments of %s do not fit its schema:\n%s"
                                                .formatted(tool.name(), invalid.text()));
                        case Verdict.Undecided(String reason) ->
                                new Reply.Unfit(
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

    private static Reply ambiguous(Invocation invocation, List<FullName> candidates) {
        String names = String.join(", ", candidates.stream().map(FullName::text).toList());
        return new Reply.Unresolved(
                Reason.AMBIGUOUS_TOOL,
                "Several servers have a tool %s; call one of %s"
                        .formatted(Text.brief(invocation.tool()), names),
                null,
                candidates);
    }

    private static Reply filtered(FullName name) {
        return new Reply.Unresolved(
                Reason.TOOL_NOT_FOUND,
                "The tool %s is filtered: the configuration keeps it from clients".formatted(name),
                name.server(),
                List.of());
    }

    private static Reply notFound(Invocation invocation, @Nullable ServerId owner) {
        String where = owner == null ? "" : " of server " + owner;
        return new Reply.Unresolved(
                Reason.TOOL_NOT_FOUND,
                "There is no tool " + Text.brief(invocation.tool()) + where,
                owner,
                List.of());
    }
}
