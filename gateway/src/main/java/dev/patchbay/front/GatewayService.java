package dev.patchbay.front;

import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.NamePolicy;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.CacheHint;
import dev.patchbay.gateway.CallSource;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.Reply;
import dev.patchbay.gateway.Subscribed;
import dev.patchbay.gateway.TaskDesk;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParams;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.Results;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The servers of a gateway, as a client sees them: one server. */
public final class GatewayService implements Service {
    /** How long a list may wait for servers of which nothing is known yet. */
    private static final Duration LIST_TIME_MAX = Duration.ofSeconds(60);

    private static final Json CAPABILITIES =
            Json.of(
                    """
                    {"tools":{"listChanged":true},"prompts":{"listChanged":true},\
                    "resources":{"subscribe":true,"listChanged":true},\
                    "completions":{},"logging":{}}\
                    """);

    private static final Json TASK_CAPABILITIES =
            Splice.with(
                    CAPABILITIES,
                    "tasks",
                    Json.of("{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}"));
    private static final Json MODERN_CAPABILITIES = Tasks.declared(CAPABILITIES);

    private final Gateway gateway;
    private final ParkedCalls parked = new ParkedCalls();
    private final TaskRelay tasks;

    public GatewayService(Gateway gateway) {
        this.gateway = gateway;
        this.tasks = new TaskRelay(gateway);
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
        if (gateway.lookup(tool) instanceof Lookup.Found<Tool>(Tool found)
                && HeaderParams.of(found.inputSchema())
                        instanceof HeaderParams.Reading.Valid(List<HeaderParam> params)) {
            return params;
        }
        return List.of();
    }

    @Override
    public Json serve(Method method, Json params, Caller caller) throws InterruptedException {
        return switch (method) {
            case TOOLS_LIST, PROMPTS_LIST, RESOURCES_LIST, TEMPLATES_LIST ->
                    list(method, params, caller);
            case TOOLS_CALL, PROMPTS_GET, RESOURCES_READ ->
                    caller.version().era() == Era.MODERN
                            ? new ModernRounds(this, parked).run(method, params, caller)
                            : new InputRounds(this, method, caller, new ClientEar(caller, params))
                                    .run(params);
            case COMPLETE -> once(method, params, caller, new ClientEar(caller, params));
            case TASKS_GET, TASKS_RESULT, TASKS_CANCEL, TASKS_UPDATE ->
                    tasks.serve(method, params, caller);
            case INITIALIZE, PING, DISCOVER, LISTEN, SUBSCRIBE, UNSUBSCRIBE, SET_LEVEL ->
                    throw new RpcException(METHOD_NOT_FOUND, "Method not found");
        };
    }

    @Override
    public boolean pass(
            Json params, Caller caller, UnaryOperator<Json> shape, Completion completion) {
        String name = params.memberText("name");
        if (name == null || params.member("requestState") != null) {
            return false; // with a state, a call may be parked for it
        }
        var shaped = new Shaped(completion, shape);
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
            String name, Json params, Caller caller, Completion completion) {
        var origin = ParkedCalls.Origin.of(Method.TOOLS_CALL, params, caller);
        var call = new Parked(parked, origin, new ClientEar(caller, params), completion);
        Runnable cancel =
                gateway.pass(
                        name,
                        params,
                        caller.source(call),
                        reply -> {
                            try {
                                Reply own = tasks.given(reply, caller);
                                call.end(result(own, Method.TOOLS_CALL, caller), null);
                            } catch (RpcException e) {
                                call.end(null, e.error());
                            }
                        });
        if (cancel == null) {
            return null;
        }
        call.stopWith(cancel);
        return call::stop;
    }

    private @Nullable Runnable passLegacy(
            String name, Json params, Caller caller, Completion completion) {
        var ear = new ClientEar(caller, params);
        return gateway.pass(
                name,
                params,
                caller.source(ear),
                reply -> {
                    try {
                        Json result = result(reply, Method.TOOLS_CALL, caller);
                        if (Results.isComplete(result)) {
                            completion.complete(result);
                        } else {
                            var rounds = new InputRounds(this, Method.TOOLS_CALL, caller, ear);
                            completion.resume(() -> rounds.goOn(params, result));
                        }
                    } catch (RpcException e) {
                        completion.fail(e.error());
                    }
                });
    }

    private static Json result(Reply reply, Method method, Caller caller) {
        return Refusals.result(reply, method, caller);
    }

    /** Asks the server once; what it answers may be a question. */
    Json once(Method method, Json params, Caller caller, CallListener listener)
            throws InterruptedException {
        CallSource source = caller.source(listener);
        Reply reply =
                switch (method) {
                    case TOOLS_CALL -> call(TaskRelay.asked(params, caller), source);
                    case PROMPTS_GET -> gateway.prompt(params, source);
                    case COMPLETE -> gateway.complete(params, source);
                    default -> gateway.resource(method.wireName(), params, source);
                };
        String uri = params.memberText("uri");
        if (uri != null
                && reply instanceof Reply.Unresolved unresolved
                && unresolved.reason() == Reason.RESOURCE_NOT_FOUND) {
            throw Refusals.noResource(unresolved, uri);
        }
        return result(tasks.given(reply, caller), method, caller);
    }

    private Reply call(Json params, CallSource source) throws InterruptedException {
        String name = params.memberText("name");
        return gateway.invoke(new Invocation(name == null ? "" : name, null, params, null, source))
                .reply();
    }

    private Json list(Method method, Json params, Caller caller) throws InterruptedException {
        Catalog catalog = gateway.catalogue(LIST_TIME_MAX);
        Json page = page(method, params, caller, catalog);
        return caller.version().era() == Era.MODERN ? withHint(method, page) : page;
    }

    private Json withHint(Method method, Json page) {
        CacheHint hint = gateway.cacheHint(method.wireName());
        boolean named = method == Method.TOOLS_LIST || method == Method.PROMPTS_LIST;
        if (named && gateway.settings().names() == NamePolicy.AUTO) {
            hint = hint.ofOneUser(); // other clients may need other names
        }
        var writer = new JsonWriter().beginObject();
        Members members = page.walk();
        while (members.next()) {
            writer.member(members.name(), members.value());
        }
        return writer.member("ttlMs", hint.ttlMs())
                .member("cacheScope", hint.isPublic() ? "public" : "private")
                .endObject()
                .toJson();
    }

    private Json page(Method method, Json params, Caller caller, Catalog catalog) {
        NameStyle style = gateway.settings().names().styleFor(caller.client().name());
        return switch (method) {
            case TOOLS_LIST ->
                    Pages.page(
                            "tools",
                            catalog.toolsResult(style, caller.version().era()),
                            () -> catalog.shownTools(style, caller.version().era()),
                            params);
            case PROMPTS_LIST ->
                    Pages.page(
                            "prompts",
                            catalog.promptsResult(style),
                            () -> catalog.shownPrompts(style),
                            params);
            case RESOURCES_LIST ->
                    Pages.page(
                            "resources",
                            catalog.resourcesResult(),
                            catalog::shownResources,
                            params);
            default ->
                    Pages.page(
                            "resourceTemplates",
                            catalog.templatesResult(),
                            catalog::shownTemplates,
                            params);
        };
    }

    @Override
    public Subscription subscribe(Json params, Caller caller, Consumer<Json> updates)
            throws InterruptedException {
        CallSource source = caller.source(new ClientEar(caller, params));
        Subscribed subscribed = gateway.subscribe(params, source, updates);
        Json _ = result(subscribed.reply(), Method.SUBSCRIBE, caller);
        return subscribed.stop()::run;
    }

    @Override
    public Subscription watch(Json params, Caller caller, Consumer<Json> updates)
            throws InterruptedException {
        return tasks.watch(params, caller, updates);
    }

    @Override
    public void logLevel(Object session, @Nullable String level) throws InterruptedException {
        gateway.logLevel(session, level);
    }

    @Override
    public void ended(Object session) {
        if (session instanceof TaskDesk.Client client) {
            gateway.tasks().leave(client);
        }
    }

    @Override
    public Subscription listen(ServiceListener listener) {
        var forwarded =
                new GatewayListener() {
                    @Override
                    public void listChanged(String list) {
                        listener.listChanged(list);
                    }

                    @Override
                    public void elicited(Json params) {
                        listener.elicited(params);
                    }

                    @Override
                    public void logged(ServerId server, Json params) {
                        listener.logged(params);
                    }
                };
        gateway.addListener(forwarded);
        return () -> gateway.removeListener(forwarded);
    }
}
