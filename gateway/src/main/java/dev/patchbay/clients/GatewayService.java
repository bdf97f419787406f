package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.NamePolicy;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.CacheHint;
import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.SubscriptionResult;
import dev.patchbay.gateway.TaskRegistry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParamParser;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The servers of a gateway, as a client sees them: one server. */
public final class GatewayService implements McpService {
    /** How long a list may wait for servers of which nothing is known yet. */
    private static final Duration LIST_WAIT_MAX = Duration.ofSeconds(60);

    private static final Json CAPABILITIES =
            Json.of(
                    """
                    {"tools":{"listChanged":true},"prompts":{"listChanged":true},\
                    "resources":{"subscribe":true,"listChanged":true},\
                    "completions":{},"logging":{}}\
                    """);

    private static final Json TASK_CAPABILITIES =
            MemberPatch.with(
                    CAPABILITIES,
                    "tasks",
                    Json.of("{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}"));
    private static final Json MODERN_CAPABILITIES = TaskMessages.withTasksExtension(CAPABILITIES);

    private final Gateway gateway;
    private final SuspendedCallRegistry suspendedCalls = new SuspendedCallRegistry();
    private final TaskRequestHandler tasks;

    public GatewayService(Gateway gateway) {
        this.gateway = gateway;
        this.tasks = new TaskRequestHandler(gateway);
    }

    @Override
    public Implementation identity() {
        return gateway.settings().identity();
    }

    @Override
    public Json capabilities() {
        return CAPABILITIES;
    }

    /** Which of the tools run as tasks is said with each. */
    @Override
    public Json capabilities(ProtocolVersion version) {
        return switch (version) {
            case V2024_11_05, V2025_03_26, V2025_06_18 -> CAPABILITIES;
            case V2025_11_25 -> TASK_CAPABILITIES;
            case V2026_07_28 -> MODERN_CAPABILITIES;
        };
    }

    @Override
    public @Nullable String instructions() {
        String said = gateway.catalog().instructions();
        return said.isEmpty() ? null : said;
    }

    /** The arguments of a tool that an HTTP client sends as headers too. */
    public List<HeaderParam> headerParams(String tool) {
        if (gateway.lookup(tool) instanceof LookupResult.Found<Tool>(Tool found)
                && HeaderParamParser.parse(found.inputSchema())
                        instanceof HeaderParamParser.ParseResult.Valid(List<HeaderParam> params)) {
            return params;
        }
        return List.of();
    }

    @Override
    public Json serve(McpMethod method, Json params, ClientContext caller)
            throws InterruptedException {
        return switch (method) {
            case TOOLS_LIST, PROMPTS_LIST, RESOURCES_LIST, TEMPLATES_LIST ->
                    list(method, params, caller);
            case TOOLS_CALL, PROMPTS_GET, RESOURCES_READ ->
                    caller.version().era() == Era.MODERN
                            ? new MultiRoundTripRequest(this, suspendedCalls)
                                    .run(method, params, caller)
                            : new InputRequestLoop(
                                            this,
                                            method,
                                            caller,
                                            new ClientCallListener(caller, params))
                                    .run(params);
            case COMPLETE ->
                    sendOnce(method, params, caller, new ClientCallListener(caller, params));
            case TASKS_GET, TASKS_RESULT, TASKS_CANCEL, TASKS_UPDATE ->
                    tasks.serve(method, params, caller);
            case INITIALIZE, PING, DISCOVER, LISTEN, SUBSCRIBE, UNSUBSCRIBE, SET_LEVEL ->
                    throw new RpcException(METHOD_NOT_FOUND, "Method not found");
        };
    }

    @Override
    public boolean pass(
            Json params, ClientContext caller, UnaryOperator<Json> shape, Responder completion) {
        String name = params.memberText("name");
        if (name == null || params.member("requestState") != null) {
            return false; // with a state, a call may be parked for it
        }
        var shaped = new MappedResponder(completion, shape);
        Runnable cancel =
                caller.version().era() == Era.MODERN
                        ? passModern(name, params, caller, shaped)
                        : passLegacy(name, params, caller, shaped);
        if (cancel == null) {
            return false;
        }
        completion.onCancel(cancel);
        return true;
    }

    private @Nullable Runnable passModern(
            String name, Json params, ClientContext caller, Responder completion) {
        var origin = SuspendedCallRegistry.RequestKey.of(McpMethod.TOOLS_CALL, params, caller);
        var call =
                new SuspendedCall(
                        suspendedCalls, origin, new ClientCallListener(caller, params), completion);
        Runnable cancel =
                gateway.tryInvoke(
                        name,
                        params,
                        caller.callContext(call),
                        reply -> {
                            try {
                                CallResult own = tasks.withClientTaskId(reply, caller);
                                call.complete(toResult(own, McpMethod.TOOLS_CALL, caller), null);
                            } catch (RpcException e) {
                                call.complete(null, e.error());
                            }
                        });
        if (cancel == null) {
            return null;
        }
        call.setStopAction(cancel);
        return call::stop;
    }

    private @Nullable Runnable passLegacy(
            String name, Json params, ClientContext caller, Responder completion) {
        var ear = new ClientCallListener(caller, params);
        return gateway.tryInvoke(
                name,
                params,
                caller.callContext(ear),
                reply -> {
                    try {
                        Json result = toResult(reply, McpMethod.TOOLS_CALL, caller);
                        if (ResultConverter.isComplete(result)) {
                            completion.succeed(result);
                        } else {
                            var rounds =
                                    new InputRequestLoop(this, McpMethod.TOOLS_CALL, caller, ear);
                            completion.fork(() -> rounds.continueFrom(params, result));
                        }
                    } catch (RpcException e) {
                        completion.fail(e.error());
                    }
                });
    }

    private static Json toResult(CallResult reply, McpMethod method, ClientContext caller) {
        return ErrorMapping.toResult(reply, method, caller);
    }

    /** Asks the server once; what it answers may be a question. */
    Json sendOnce(McpMethod method, Json params, ClientContext caller, CallListener listener)
            throws InterruptedException {
        CallContext source = caller.callContext(listener);
        CallResult reply =
                switch (method) {
                    case TOOLS_CALL ->
                            callTool(
                                    TaskRequestHandler.withoutUnsupportedTask(params, caller),
                                    source);
                    case PROMPTS_GET -> gateway.prompt(params, source);
                    case COMPLETE -> gateway.complete(params, source);
                    default -> gateway.resource(method.wireName(), params, source);
                };
        String uri = params.memberText("uri");
        if (uri != null
                && reply instanceof CallResult.Rejected unresolved
                && unresolved.reason() == ErrorReason.RESOURCE_NOT_FOUND) {
            throw ErrorMapping.resourceNotFound(unresolved, uri);
        }
        return toResult(tasks.withClientTaskId(reply, caller), method, caller);
    }

    private CallResult callTool(Json params, CallContext source) throws InterruptedException {
        String name = params.memberText("name");
        return gateway.invoke(new Invocation(name == null ? "" : name, null, params, null, source))
                .callResult();
    }

    private Json list(McpMethod method, Json params, ClientContext caller)
            throws InterruptedException {
        Catalog catalog = gateway.awaitCatalog(LIST_WAIT_MAX);
        Json page = page(method, params, caller, catalog);
        return caller.version().era() == Era.MODERN ? withCacheHint(method, page) : page;
    }

    private Json withCacheHint(McpMethod method, Json page) {
        CacheHint hint = gateway.cacheHint(method.wireName());
        boolean named = method == McpMethod.TOOLS_LIST || method == McpMethod.PROMPTS_LIST;
        if (named && gateway.settings().names() == NamePolicy.AUTO) {
            hint = hint.asPrivate(); // other clients may need other names
        }
        var writer = new JsonWriter().beginObject();
        MemberCursor members = page.memberCursor();
        while (members.next()) {
            writer.member(members.name(), members.value());
        }
        return writer.member("ttlMs", hint.ttlMs())
                .member("cacheScope", hint.isPublic() ? "public" : "private")
                .endObject()
                .toJson();
    }

    private Json page(McpMethod method, Json params, ClientContext caller, Catalog catalog) {
        NameStyle style = gateway.settings().names().styleFor(caller.clientInfo().name());
        return switch (method) {
            case TOOLS_LIST ->
                    Pagination.page(
                            "tools",
                            catalog.toolsResult(style, caller.version().era()),
                            () -> catalog.advertisedTools(style, caller.version().era()),
                            params);
            case PROMPTS_LIST ->
                    Pagination.page(
                            "prompts",
                            catalog.promptsResult(style),
                            () -> catalog.advertisedPrompts(style),
                            params);
            case RESOURCES_LIST ->
                    Pagination.page(
                            "resources",
                            catalog.resourcesResult(),
                            catalog::advertisedResources,
                            params);
            default ->
                    Pagination.page(
                            "resourceTemplates",
                            catalog.templatesResult(),
                            catalog::advertisedTemplates,
                            params);
        };
    }

    @Override
    public Subscription subscribeToResource(
            Json params, ClientContext caller, Consumer<Json> updates) throws InterruptedException {
        CallContext source = caller.callContext(new ClientCallListener(caller, params));
        SubscriptionResult subscribed = gateway.subscribe(params, source, updates);
        Json _ = toResult(subscribed.result(), McpMethod.SUBSCRIBE, caller);
        return subscribed.stop()::run;
    }

    @Override
    public Subscription subscribeToTask(Json params, ClientContext caller, Consumer<Json> updates)
            throws InterruptedException {
        return tasks.subscribe(params, caller, updates);
    }

    @Override
    public void setLogLevel(Object session, @Nullable String level) throws InterruptedException {
        gateway.setLogLevel(session, level);
    }

    @Override
    public void onSessionEnded(Object session) {
        if (session instanceof TaskRegistry.TaskListener client) {
            gateway.tasks().removeListener(client);
        }
    }

    @Override
    public Subscription subscribeToChanges(ServiceListener listener) {
        var forwarded =
                new GatewayListener() {
                    @Override
                    public void listChanged(String list) {
                        listener.listChanged(list);
                    }

                    @Override
                    public void elicitationCompleted(Json params) {
                        listener.elicitationCompleted(params);
                    }

                    @Override
                    public void logged(ServerId server, Json params) {
                        listener.messageLogged(params);
                    }
                };
        gateway.addListener(forwarded);
        return () -> gateway.removeListener(forwarded);
    }
}
