package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.mcp.TaskSupport;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/**
 * One call of a tool. It is sent at most once. {@link #start} takes it as far as possible without
 * waiting; {@link #await} does the rest on a thread that may wait. Both resolve the tool and check
 * the arguments by the same steps.
 */
public final class ToolCall {
    static final String METHOD = "tools/call";

    /** Larger params are not checked on a thread that reads for all requests of a client. */
    private static final int CHECKED_INLINE_BYTES_MAX = 64 * 1024;

    private static final SendResult.Sent ENDED = () -> {};

    /** What a call needs next. */
    private sealed interface Step {
        /** It can be sent. */
        record Ready(ForwardedRequest request, Json params) implements Step {}

        /** Something must be waited for. */
        record MustWait(String reason, Wait work) implements Step {}

        /** It has a result. */
        record Done(CallResult result) implements Step {}
    }

    /** Waits for something. */
    private interface Wait {
        /** The result of the call; null if the call must be resolved again. */
        @Nullable CallResult run() throws InterruptedException;
    }

    private final ToolInvoker invoker;
    private Invocation invocation;
    private final CallObservation.@Nullable ObservedCall observed;
    private @Nullable Json arguments;
    private final long started = System.nanoTime();

    /** A failure to connect that happened after this is the result of the call. */
    private long failuresSharedSince = started;

    private boolean mayBlock;
    private boolean hasRefreshed;
    private boolean hasConnected;

    private @Nullable FullName fullName;
    private @Nullable ServerId server;

    /** The name and the params that the server gets; those of the client while not resolved. */
    private String nameAtServer;

    private Json paramsAtServer;

    ToolCall(
            ToolInvoker invoker,
            Invocation invocation,
            CallObservation.@Nullable ObservedCall observed) {
        this.invoker = invoker;
        this.invocation = invocation;
        this.observed = observed;
        this.arguments = invocation.params().member("arguments");
        this.nameAtServer = invocation.tool();
        this.paramsAtServer = invocation.params();
    }

    /**
     * Makes the call part of an operation that began earlier, at a {@link System#nanoTime}. If the
     * server could not be connected since then, the call fails with that failure and makes no
     * further attempts.
     */
    public ToolCall asPartOfOperationSince(long beganNanos) {
        failuresSharedSince = beganNanos;
        return this;
    }

    /** Runs the call: starts it and waits for its result. An interrupt cancels it. */
    public InvocationResult run() throws InterruptedException {
        var answer = new ArrayBlockingQueue<InvocationResult>(1);
        if (!(start(answer::add) instanceof SendResult.Sent sent)) {
            return await();
        }
        try {
            return answer.take(); // the call has a timeout, so there will be a result
        } catch (InterruptedException e) {
            sent.cancel();
            throw e;
        }
    }

    /**
     * Starts the call if that is possible without waiting. The receiver gets the result, now or on
     * the thread that reads from the server, so it must not block. If nothing was sent, {@link
     * #await} continues the call.
     */
    public SendResult start(Consumer<InvocationResult> receiver) {
        return switch (nextStep()) {
            case Step.MustWait(String reason, _) -> new SendResult.NotSent(reason);
            case Step.Done(CallResult result) -> {
                deliver(result, receiver);
                yield ENDED;
            }
            case Step.Ready(ForwardedRequest request, Json params) -> {
                SendResult sent = request.trySend(params, result -> deliver(result, receiver));
                yield sent instanceof SendResult.Sent call && observed != null
                        ? observedCancel(call)
                        : sent;
            }
        };
    }

    private void deliver(CallResult result, Consumer<InvocationResult> receiver) {
        try {
            reportEnd(
                    result); // first, so that a client with the response also finds the call in the
            // log
        } finally {
            receiver.accept(toInvocationResult(result));
        }
    }

    private SendResult.Sent observedCancel(SendResult.Sent call) {
        return () -> {
            call.cancel();
            reportEnd(null);
        };
    }

    /** Continues the call and waits for its result. An interrupt cancels it. */
    public InvocationResult await() throws InterruptedException {
        mayBlock = true;
        CallResult result = null;
        try {
            while (result == null) {
                result =
                        switch (nextStep()) {
                            case Step.MustWait(_, Wait work) -> work.run();
                            case Step.Done(CallResult done) -> done;
                            case Step.Ready(ForwardedRequest request, Json params) ->
                                    request.send(params);
                        };
            }
            return toInvocationResult(result);
        } finally {
            reportEnd(result);
        }
    }

    private InvocationResult toInvocationResult(CallResult result) {
        if (result instanceof CallResult.ServerError(ServerId id, RpcError error)
                && error.code() == RpcError.INVALID_PARAMS) {
            invoker.recheckListing(id); // the server may have changed its tools
        }
        long durationMs = (System.nanoTime() - started) / 1_000_000;
        return new InvocationResult(
                fullName == null ? invocation.tool() : fullName.text(), server, result, durationMs);
    }

    private void reportEnd(@Nullable CallResult result) {
        if (observed != null) {
            observed.reportEnd(server, nameAtServer, paramsAtServer, result);
        }
    }

    private Step nextStep() {
        CallResult invalid = invoker.rejectInvalid(invocation, arguments);
        if (invalid != null) {
            return new Step.Done(invalid);
        }
        return switch (invoker.find(invocation)) {
            case LookupResult.Found<Tool>(Tool found) -> {
                resolve(found.name());
                yield prepare(found);
            }
            case LookupResult.Ambiguous<Tool>(var candidates) ->
                    new Step.Done(ToolInvoker.ambiguous(invocation, candidates));
            case LookupResult.Filtered<Tool>(FullName name) -> {
                resolve(name);
                yield new Step.Done(ToolInvoker.filtered(name));
            }
            case LookupResult.NotFound<Tool>(ServerId owner) -> notFound(owner);
        };
    }

    private void resolve(FullName name) {
        fullName = name;
        resolve(name.server(), name.name());
    }

    private void resolve(ServerId owner, String name) {
        server = owner;
        nameAtServer = name;
        paramsAtServer = MemberPatch.with(invocation.params(), "name", Json.string(name));
    }

    /** A server that has not sent its lists yet, or was disconnected, may have the tool by now. */
    private Step notFound(@Nullable ServerId owner) {
        if (owner != null) {
            resolve(owner, ToolInvoker.nameAtServer(owner, invocation.tool()));
        }
        if (hasRefreshed) {
            return new Step.Done(invoker.notFound(invocation, owner));
        }
        return new Step.MustWait(
                "The tool is not listed yet",
                () -> {
                    hasRefreshed = true;
                    return invoker.refreshListing(invocation, owner, failuresSharedSince);
                });
    }

    private Step prepare(Tool found) {
        Json given = arguments == null ? Json.EMPTY_OBJECT : arguments;
        if (!mayBlock
                && (!found.isCompiled()
                        || invocation.params().length() > CHECKED_INLINE_BYTES_MAX)) {
            return new Step.MustWait("The check of the arguments may take long", () -> null);
        }
        CallResult invalid = ToolInvoker.checkArguments(found, given);
        if (invalid != null) {
            return new Step.Done(invalid);
        }
        ServerId id = found.name().server();
        if (id.equals(Catalog.GATEWAY_ID) && nameAtServer.equals(BuiltInTools.INVOKE)) {
            return redirect(given);
        }
        if (id.equals(Catalog.GATEWAY_ID)) {
            return new Step.MustWait(
                    "It is a tool of the gateway", () -> invoker.callBuiltIn(nameAtServer, given));
        }
        ServerEntry entry = invoker.findServer(id);
        if (entry == null) {
            return new Step.Done(
                    CallResult.Rejected.of(
                            ErrorReason.SERVER_NOT_FOUND, "There is no server " + id));
        }
        if (arguments == null) {
            paramsAtServer = MemberPatch.with(paramsAtServer, "arguments", Json.EMPTY_OBJECT);
        }
        return route(found, entry, paramsAtServer);
    }

    /** Continues as a call of the tool that the arguments of {@code patchbay.invoke} name. */
    private Step redirect(Json given) {
        Invocation target = invocation.target(given);
        boolean isItself =
                invoker.find(target) instanceof LookupResult.Found<Tool>(Tool tool)
                        && tool.name().equals(fullName);
        if (isItself) {
            return new Step.Done(
                    CallResult.Rejected.of(
                            ErrorReason.INVALID_ARGUMENTS, fullName + " cannot call itself"));
        }
        invocation = target;
        arguments = target.params().member("arguments");
        fullName = null;
        server = null;
        nameAtServer = target.tool();
        paramsAtServer = target.params();
        return nextStep();
    }

    /** Chooses how the server runs the tool: as a plain call or as a task. */
    private Step route(Tool found, ServerEntry entry, Json resolved) {
        boolean asTask = resolved.member(TaskMessages.TASK) != null;
        Duration timeout = invoker.timeout(invocation, entry.id());
        CallContext context = invocation.context();
        if (asTask && found.taskSupport() == TaskSupport.FORBIDDEN) {
            return new Step.Done(ToolInvoker.taskForbidden(found.name()));
        }
        Json params = observed == null ? resolved : observed.withSpan(resolved, entry);
        if (!asTask && found.taskSupport() == TaskSupport.REQUIRED) {
            var call = new LegacyTaskCall(entry, nameAtServer, timeout, context);
            return new Step.MustWait("The tool runs as a task", () -> call.send(params));
        }
        var request = new ForwardedRequest(entry, METHOD, nameAtServer, timeout, context);
        if (asTask || context.listener().acceptsTasks()) {
            return new Step.Ready(request, params);
        }
        ServerSession session = entry.connections().currentSession(context.caller());
        if (session == null && !hasConnected) {
            return new Step.MustWait(
                    "The server is not connected",
                    () -> {
                        hasConnected = true;
                        return request.connect(failuresSharedSince);
                    });
        }
        if (session != null && supportsTasks(session.handshakeResult())) {
            var call = new ModernTaskCall(entry, nameAtServer, timeout, context);
            return new Step.MustWait("The server may answer with a task", () -> call.send(params));
        }
        if (session != null && mayRequireLegacyTask(entry, session.handshakeResult())) {
            return new Step.MustWait(
                    "The tool may run as a task only",
                    () -> sendAsTaskIfRequired(request, entry, params, timeout));
        }
        return new Step.Ready(request, params);
    }

    /**
     * Whether a tool may need a task though its list does not say so, because the list comes from a
     * connection of the other era.
     */
    private static boolean mayRequireLegacyTask(ServerEntry entry, HandshakeResult handshake) {
        return entry.connections().hasBothEras()
                && handshake.version().era() == Era.LEGACY
                && handshake.hasCapability("tasks");
    }

    /** A tool that runs as a task only is refused with this code before it runs. */
    private CallResult sendAsTaskIfRequired(
            ForwardedRequest request, ServerEntry entry, Json params, Duration timeout)
            throws InterruptedException {
        CallResult result = request.send(params);
        return result instanceof CallResult.ServerError(_, RpcError error)
                        && error.code() == RpcError.METHOD_NOT_FOUND
                ? new LegacyTaskCall(entry, nameAtServer, timeout, invocation.context())
                        .send(params)
                : result;
    }

    private static boolean supportsTasks(HandshakeResult handshake) {
        return handshake.version().era() == Era.MODERN
                && TaskMessages.hasTasksExtension(handshake.capabilities());
    }
}
