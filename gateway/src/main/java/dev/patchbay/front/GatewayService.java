package dev.patchbay.front;

import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.CallSource;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.Reply;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParams;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.Results;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
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

    private final Gateway gateway;
    private final ParkedCalls parked = new ParkedCalls();

    public GatewayService(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public Implementation identity() {
        return gateway.settings().identity();
    }

    @Override
    public Json capabilities() {
        return CAPABILITIES;
    }

    @Override
    public @Nullable String instructions() {
        return null;
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
                            : new InputRounds(this, method, caller).run(params);
            case SUBSCRIBE, UNSUBSCRIBE, COMPLETE ->
                    once(method, params, caller, new ClientEar(caller, params));
            case SET_LEVEL -> Json.EMPTY_OBJECT;
            case INITIALIZE, PING, DISCOVER, LISTEN ->
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
                        source(call, caller),
                        reply -> {
                            try {
                                call.end(result(reply, Method.TOOLS_CALL, caller), null);
                            } catch (RpcException e) {
                                call.end(null, e.error());
                            }
                        });
        if (cancel != null) {
            call.stopWith(cancel);
        }
        return cancel;
    }

    private @Nullable Runnable passLegacy(
            String name, Json params, Caller caller, Completion completion) {
        return gateway.pass(
                name,
                params,
                source(new ClientEar(caller, params), caller),
                reply -> {
                    try {
                        Json result = result(reply, Method.TOOLS_CALL, caller);
                        if (Results.isComplete(result)) {
                            completion.complete(result);
                        } else {
                            var rounds = new InputRounds(this, Method.TOOLS_CALL, caller);
                            completion.resume(() -> rounds.goOn(params, result));
                        }
                    } catch (RpcException e) {
                        completion.fail(e.error());
                    }
                });
    }

    private static Json result(Reply reply, Method method, Caller caller) {
        return Refusals.result(reply, method, caller.version());
    }

    private static CallSource source(CallListener listener, Caller caller) {
        return new CallSource(listener, caller.capabilities(), caller.logLevel());
    }

    /** Asks the server once; what it answers may be a question. */
    Json once(Method method, Json params, Caller caller, CallListener listener)
            throws InterruptedException {
        CallSource source = source(listener, caller);
        Reply reply =
                switch (method) {
                    case TOOLS_CALL -> call(params, source);
                    case PROMPTS_GET -> gateway.prompt(params, source);
                    case COMPLETE -> gateway.complete(params, source);
                    default -> gateway.resource(method.wireName(), params, source);
                };
        return result(reply, method, caller);
    }

    private Reply call(Json params, CallSource source) throws InterruptedException {
        String name = params.memberText("name");
        return gateway.invoke(new Invocation(name == null ? "" : name, null, params, null, source))
                .reply();
    }

    private Json list(Method method, Json params, Caller caller) throws InterruptedException {
        Catalog catalog = gateway.catalogue(LIST_TIME_MAX);
        NameStyle style = gateway.settings().names().styleFor(caller.client().name());
        return switch (method) {
            case TOOLS_LIST ->
                    Pages.page(
                            "tools",
                            catalog.toolsArray(style, caller.version().era()),
                            () -> catalog.shownTools(style, caller.version().era()),
                            params);
            case PROMPTS_LIST ->
                    Pages.page(
                            "prompts",
                            catalog.promptsArray(style),
                            () -> catalog.shownPrompts(style),
                            params);
            case RESOURCES_LIST ->
                    Pages.page(
                            "resources", catalog.resourcesArray(), catalog::shownResources, params);
            default ->
                    Pages.page(
                            "resourceTemplates",
                            catalog.templatesArray(),
                            catalog::shownTemplates,
                            params);
        };
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
                    public void resourceUpdated(Json params) {
                        listener.resourceUpdated(params);
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
