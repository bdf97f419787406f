package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A gateway as the clients of a view see it. Everything they do goes through this class and is
 * resolved in the catalog of the view, so that they cannot name, call or hear of anything else. The
 * whole gateway is a view too.
 */
public final class GatewayView {

    /** The parts that all views of a gateway share. */
    record Shared(
            GatewaySettings settings,
            ServerRegistry registry,
            CatalogPublisher publisher,
            CallObservation observation,
            GatewayListeners listeners,
            ClientLogLevels logLevels,
            Subscriptions subscriptions,
            TaskRegistry tasks,
            InstantSource clock) {}

    private final Shared shared;
    private final VisibleServers servers;
    private final ViewCatalog catalog;
    private final DiscoveryService discovery;
    private final ToolInvoker invoker;
    private final RequestSender sender;
    private final RequestRouter router;
    private final ViewTasks tasks;
    private volatile CatalogView definition;

    GatewayView(Shared shared, CatalogView definition) {
        this.shared = shared;
        this.definition = definition;
        servers = new VisibleServers(shared.registry, this::definition);
        catalog =
                new ViewCatalog(
                        shared.publisher,
                        servers,
                        this::definition,
                        shared.settings.limits().listPatience());
        discovery = new DiscoveryService(servers, shared.clock);
        var builtInTools = new BuiltInTools(servers, discovery, catalog);
        invoker = new ToolInvoker(servers, catalog, builtInTools, shared.observation);
        sender = new RequestSender(servers, shared.observation);
        router = new RequestRouter(servers, catalog, sender, shared.subscriptions);
        tasks = new ViewTasks(shared.tasks, definition.name(), servers);
    }

    private CatalogView definition() {
        return definition;
    }

    /** Shows something else from now on. */
    void redefine(CatalogView other) {
        if (!definition.equals(other)) {
            definition = other;
        }
    }

    /** Tells the listeners of this view which lists have changed, or are announced anyway. */
    void announceChanges(Set<String> announced) {
        List<String> changed = catalog.takeChangedLists(announced);
        if (!changed.isEmpty()) {
            shared.listeners.publishChangedLists(changed, servers);
        }
    }

    /** How the gateway names itself. */
    public Implementation identity() {
        return shared.settings.identity();
    }

    /** Follows the requests of clients; null if they are not traced. */
    public @Nullable RequestTracer tracer() {
        return shared.observation.tracer();
    }

    /** Which names clients see. */
    public NameStylePolicy names() {
        NameStylePolicy own = definition.names();
        return own == null ? shared.settings.names() : own;
    }

    /** Queries servers for their lists; connects them if necessary. */
    DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        return discovery.discover(request);
    }

    /** The current catalog. Never waits. */
    public Catalog catalog() {
        return catalog.current();
    }

    /**
     * The catalog for a client's list. Servers that have just started get their connection timeout,
     * and at most the budget, to send their lists. Servers whose lists are known from an earlier
     * run, or that failed then, get only a moment. {@link GatewayListener#listChanged} announces
     * lists that arrive later.
     */
    public Catalog awaitCatalog(Duration budget) throws InterruptedException {
        return catalog.await(budget);
    }

    /** How long, and by which clients, the result of a list method may be cached. */
    public CacheHint cacheHint(String listMethod) {
        return catalog.cacheHint(listMethod);
    }

    /** All tools that clients see, and whether each can be called now. Never waits. */
    List<ToolReport> tools() {
        return catalog.toolReports();
    }

    /** Finds a tool by a name that clients use. Never waits. */
    public LookupResult<Tool> lookup(String name) {
        return catalog.current().findTool(name);
    }

    /** Prepares the call of a tool. Nothing is sent before the call is started. */
    public ToolCall call(Invocation invocation) {
        return invoker.call(invocation);
    }

    /** Gets a prompt; the params are those of {@code prompts/get} as the client sent them. */
    public CallResult prompt(Json params, CallContext source) throws InterruptedException {
        return router.prompt(params, source);
    }

    /** Forwards a request about the resource whose {@code uri} is in the params. */
    public CallResult resource(String method, Json params, CallContext source)
            throws InterruptedException {
        return router.resource(method, params, source);
    }

    /**
     * Subscribes to the resource whose {@code uri} is in the params. The consumer gets the params
     * of {@code notifications/resources/updated}, with the URI as given here, on a thread that
     * reads from the server.
     */
    public SubscriptionResult subscribe(Json params, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        return router.subscribe(params, source, updates);
    }

    /** Completes an argument; the params are those of {@code completion/complete}. */
    public CallResult complete(Json params, CallContext source) throws InterruptedException {
        return router.completion(params, source);
    }

    /** Forwards any request to a server of this view. */
    public CallResult relay(ServerId server, String method, Json params, CallContext source)
            throws InterruptedException {
        return sender.send(server, method, params, source);
    }

    /** The tasks of servers that clients of this view hold. */
    public ViewTasks tasks() {
        return tasks;
    }

    /**
     * Sets the lowest level of the log messages that a legacy client wants; null when the client
     * has disconnected. The client may be any object. With a level, waits until servers have it.
     */
    public void setLogLevel(Object client, @Nullable String level) throws InterruptedException {
        shared.logLevels.set(client, level, servers);
    }

    /** Called when a client is gone: ends what servers have opened for it alone. */
    public void clientGone(ClientIdentity client) {
        client.markGone();
        shared.registry.all().forEach(it -> it.connections().clientGone(client));
    }

    /** Adds a listener, which hears of the servers of this view only. */
    public void addListener(GatewayListener listener) {
        shared.listeners.add(listener, servers);
        catalog.startAnnouncing();
    }

    public void removeListener(GatewayListener listener) {
        shared.listeners.remove(listener);
    }
}
