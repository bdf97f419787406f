package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.CacheHint;
import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.ClientIdentity;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.gateway.SubscriptionResult;
import dev.patchbay.gateway.TaskRegistry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParamParser;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Presents the servers of a gateway, or of a view of it, to clients as one server. */
public final class GatewayService implements McpService {
    /** How long a list request waits for servers whose lists are not known yet. */
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

    private final GatewayView view;
    private final TaskRequestHandler tasks;
    private final RequestForwarder forwarder;

    /** Presents all servers. */
    public GatewayService(Gateway gateway) {
        this(gateway.wholeView());
    }

    public GatewayService(GatewayView view) {
        this.view = view;
        this.tasks = new TaskRequestHandler(view);
        this.forwarder = new RequestForwarder(view, tasks);
    }

    @Override
    public Implementation identity() {
        return view.identity();
    }

    @Override
    public @Nullable RequestTracer tracer() {
        return view.tracer();
    }

    @Override
    public Json capabilities() {
        return CAPABILITIES;
    }

    /** Each tool says by itself whether it runs as a task. */
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
        String text = view.catalog().instructions();
        return text.isEmpty() ? null : text;
    }

    /** The arguments of a tool that an HTTP client also sends as headers. */
    public List<HeaderParam> headerParams(String tool) {
        if (view.lookup(tool) instanceof LookupResult.Found<Tool>(Tool found)
                && HeaderParamParser.parse(found.inputSchema())
                        instanceof HeaderParamParser.ParseResult.Valid(List<HeaderParam> params)) {
            return params;
        }
        return List.of();
    }

    @Override
    public void handle(McpMethod method, Json params, ClientContext client, Responder responder) {
        switch (method) {
            case TOOLS_CALL, PROMPTS_GET, RESOURCES_READ ->
                    forwarder.start(method, params, client, responder);
            case TOOLS_LIST, PROMPTS_LIST, RESOURCES_LIST, TEMPLATES_LIST ->
                    responder.fork(() -> list(method, params, client));
            case COMPLETE -> {
                var listener = new ClientCallListener(client, params);
                forwarder.send(method, params, client, listener, responder);
            }
            case TASKS_GET, TASKS_RESULT, TASKS_CANCEL, TASKS_UPDATE ->
                    responder.fork(() -> tasks.serve(method, params, client));
            case INITIALIZE, PING, DISCOVER, LISTEN, SUBSCRIBE, UNSUBSCRIBE, SET_LEVEL ->
                    throw new RpcException(METHOD_NOT_FOUND, "Method not found");
        }
    }

    private Json list(McpMethod method, Json params, ClientContext client)
            throws InterruptedException {
        Catalog catalog = view.awaitCatalog(LIST_WAIT_MAX);
        Json page = page(method, params, client, catalog);
        return client.version().era() == Era.MODERN ? withCacheHint(method, page) : page;
    }

    private Json withCacheHint(McpMethod method, Json page) {
        CacheHint hint = view.cacheHint(method.wireName());
        boolean named = method == McpMethod.TOOLS_LIST || method == McpMethod.PROMPTS_LIST;
        if (named && view.names() == NameStylePolicy.AUTO) {
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

    private Json page(McpMethod method, Json params, ClientContext client, Catalog catalog) {
        NameStyle style = view.names().styleFor(client.clientInfo().name());
        return switch (method) {
            case TOOLS_LIST ->
                    Pagination.page(
                            "tools",
                            catalog.toolsResult(style, client.version().era()),
                            () -> catalog.advertisedTools(style, client.version().era()),
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
            Json params, ClientContext client, Consumer<Json> updates) throws InterruptedException {
        CallContext context = client.callContext(new ClientCallListener(client, params));
        SubscriptionResult subscribed = view.subscribe(params, context, updates);
        Json _ = ErrorMapping.toResult(subscribed.result(), McpMethod.SUBSCRIBE, client);
        return subscribed.stop()::run;
    }

    @Override
    public Subscription subscribeToTask(Json params, ClientContext client, Consumer<Json> updates)
            throws InterruptedException {
        return tasks.subscribe(params, client, updates);
    }

    @Override
    public void setLogLevel(Object session, @Nullable String level) throws InterruptedException {
        view.setLogLevel(session, level);
    }

    @Override
    public void onSessionEnded(Object session) {
        if (session instanceof TaskRegistry.TaskListener client) {
            view.tasks().removeListener(client);
        }
    }

    @Override
    public void onClientGone(ClientIdentity client) {
        view.clientGone(client);
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
        view.addListener(forwarded);
        return () -> view.removeListener(forwarded);
    }
}
