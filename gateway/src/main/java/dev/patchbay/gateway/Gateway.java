package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Many MCP servers as one. A program that embeds the gateway opens one, registers servers, and
 * calls their tools by name:
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.open(GatewaySettings.DEFAULTS, opener, InstantSource.system())) {
 *     gateway.register(spec);
 *     gateway.discover(DiscoveryRequest.ALL);
 *     InvocationResult result = gateway.invoke(Invocation.of("files.read", arguments));
 * }
 * }</pre>
 *
 * <p>All methods may be used from any thread. Those that wait for servers do so with a deadline and
 * end with {@link InterruptedException} when interrupted; a call that is interrupted is cancelled.
 */
public final class Gateway implements AutoCloseable {
    private final GatewaySettings settings;
    private final DebounceTimer timer = new DebounceTimer();
    private final GatewayListeners listeners = new GatewayListeners();
    private final CallObservation observation = new CallObservation();
    private final ServerRegistry registry;
    private final ListingWriter listingWriter;
    private final CatalogPublisher catalogPublisher;
    private final GatewayViews views;
    private final GatewayView whole;

    /** A gateway whose supervisors have these dependencies; for tests with their own time. */
    Gateway(GatewaySettings settings, Supervisor.Dependencies supervisor) {
        this.settings = settings;
        var events = new EntryEvents();
        var store = new ListingStore(settings.stateDir());
        EntryDependencies dependencies = entryDependencies(settings, supervisor, events);
        registry =
                new ServerRegistry(
                        settings.limits().serversMax(),
                        spec -> new ServerEntry(spec, store.load(spec), dependencies));
        listingWriter = new ListingWriter(store, timer);
        catalogPublisher =
                new CatalogPublisher(
                        registry::all,
                        BuiltInTools.listing(settings.ownTools()),
                        timer,
                        this::announceChanges);
        var sender = new RequestSender(VisibleServers.all(registry), observation);
        var subscriptions = new Subscriptions(Subscriptions.Kind.RESOURCES, sender);
        var logLevels = new ClientLogLevels(registry);
        var tasks = new TaskRegistry(settings.stateDir(), sender);
        views =
                new GatewayViews(
                        new GatewayView.Shared(
                                settings,
                                registry,
                                catalogPublisher,
                                observation,
                                listeners,
                                logLevels,
                                subscriptions,
                                tasks,
                                supervisor.clock()));
        whole = views.whole();
        EntryListener updates = subscriptions.resourceEvents();
        List.of(listingWriter, updates, logLevels, tasks.events(), catalogPublisher, listeners)
                .forEach(events::add);
    }

    private EntryDependencies entryDependencies(
            GatewaySettings chosen, Supervisor.Dependencies supervisor, EntryEvents events) {
        return new EntryDependencies(
                chosen, supervisor, timer, new ListingBudget(), new InstanceBudget(), events);
    }

    private void announceChanges() {
        views.announceChanges(catalogPublisher.takeAnnouncedLists());
    }

    /** Opens a gateway without servers that connects to servers with the given transports. */
    public static Gateway open(
            GatewaySettings settings, TransportFactory opener, InstantSource clock) {
        return new Gateway(
                settings,
                new Supervisor.Dependencies(
                        opener,
                        settings.identity(),
                        clock,
                        new StartLimiter(settings.limits().startsMax(), Ticker.system()),
                        new Backoff(RandomGenerator.getDefault()),
                        Ticker.system(),
                        settings.perServer().callsMax()));
    }

    public GatewaySettings settings() {
        return settings;
    }

    /** The gateway as clients without a view see it: everything. */
    public GatewayView wholeView() {
        return whole;
    }

    /** The gateway as the clients of a view see it; empty if there is no view of this name. */
    public Optional<GatewayView> view(String name) {
        return views.find(name);
    }

    /**
     * Replaces the definitions of all views. The clients of a view see its new definition at once;
     * those of a view that is not defined any more see nothing.
     */
    public void defineViews(Collection<CatalogView> definitions) {
        views.define(definitions);
        catalogPublisher.markChanged();
    }

    /**
     * Adds a server and starts to connect it, unless it is disabled.
     *
     * @throws GatewayException with {@code SERVER_EXISTS} if its id is taken
     */
    public void register(ServerSpec spec) {
        register(List.of(spec));
    }

    /** Adds servers, all of them before the first one starts. */
    public void register(Collection<ServerSpec> specs) {
        List<ServerEntry> added = specs.stream().map(registry::add).toList();
        catalogPublisher.markChanged();
        added.forEach(it -> it.supervisor().start());
    }

    /** Changes the specification of a server; restarts it only if its connection changes. */
    public void update(ServerSpec spec) {
        ServerEntry old = registry.require(spec.id());
        if (old.spec().hasSameConnection(spec)) {
            old.updateSpec(spec);
            if (spec.enabled()) {
                enable(spec.id());
            } else {
                disable(spec.id());
            }
            return;
        }
        unregister(spec.id());
        register(spec);
    }

    /** Removes and stops a server; returns false if there is none with this id. */
    public boolean unregister(ServerId id) {
        Optional<ServerEntry> removed = registry.remove(id);
        removed.ifPresent(it -> it.close());
        catalogPublisher.markChanged();
        return removed.isPresent();
    }

    /** Enables a server and starts to connect it. */
    public void enable(ServerId id) {
        registry.require(id).supervisor().enable();
        catalogPublisher.markChanged();
    }

    /** Stops a server until it is enabled again; calls in flight fail. */
    public void disable(ServerId id) {
        registry.require(id).disable();
        catalogPublisher.markChanged();
    }

    /** Closes a server's connection and connects again, with all attempts. */
    public void reconnect(ServerId id) {
        registry.require(id).reconnect();
    }

    /** The current state of every server, in the order of ids. */
    public List<ServerReport> servers() {
        return registry.reports();
    }

    public Optional<ServerReport> server(ServerId id) {
        return registry.find(id).map(ServerEntry::report);
    }

    /** The number of requests that wait for an answer of a server. */
    public int inFlight(ServerId id) {
        return registry.find(id).map(it -> it.connections().inFlightCount()).orElse(0);
    }

    /** Queries servers for their lists; connects them if necessary. */
    public DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        return whole.discover(request);
    }

    /** The current catalog. Never waits. */
    public Catalog catalog() {
        return whole.catalog();
    }

    /**
     * The catalog for a client's list. Servers that have just started get their connection timeout,
     * and at most the budget, to send their lists. Servers whose lists are known from an earlier
     * run, or that failed then, get only a moment. {@link GatewayListener#listChanged} announces
     * lists that arrive later.
     */
    public Catalog awaitCatalog(Duration budget) throws InterruptedException {
        return whole.awaitCatalog(budget);
    }

    /** How long, and by which clients, the result of a list method may be cached. */
    public CacheHint cacheHint(String listMethod) {
        return whole.cacheHint(listMethod);
    }

    /** All tools that clients see, and whether each can be called now. Never waits. */
    public List<ToolReport> tools() {
        return whole.tools();
    }

    /** Finds a tool by a name that clients use. Never waits. */
    public LookupResult<Tool> lookup(String name) {
        return whole.lookup(name);
    }

    /** Prepares the call of a tool. Nothing is sent before the call is started. */
    public ToolCall call(Invocation invocation) {
        return whole.call(invocation);
    }

    /** Calls a tool and waits for the result. The call is sent at most once. */
    public InvocationResult invoke(Invocation invocation) throws InterruptedException {
        return call(invocation).run();
    }

    /** Gets a prompt; the params are those of {@code prompts/get} as the client sent them. */
    public CallResult prompt(Json params, CallContext source) throws InterruptedException {
        return whole.prompt(params, source);
    }

    /** Forwards a request about the resource whose {@code uri} is in the params. */
    public CallResult resource(String method, Json params, CallContext source)
            throws InterruptedException {
        return whole.resource(method, params, source);
    }

    /**
     * Subscribes to the resource whose {@code uri} is in the params. The consumer gets the params
     * of {@code notifications/resources/updated}, with the URI as given here, on a thread that
     * reads from the server.
     */
    public SubscriptionResult subscribe(Json params, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        return whole.subscribe(params, source, updates);
    }

    /** Completes an argument; the params are those of {@code completion/complete}. */
    public CallResult complete(Json params, CallContext source) throws InterruptedException {
        return whole.complete(params, source);
    }

    /** Forwards any request to a server. */
    public CallResult relay(ServerId server, String method, Json params, CallContext source)
            throws InterruptedException {
        return whole.relay(server, method, params, source);
    }

    /** The tasks of servers that clients hold. */
    public ViewTasks tasks() {
        return whole.tasks();
    }

    /**
     * Sets the lowest level of the log messages that a legacy client wants; null when the client
     * has disconnected. The client may be any object. With a level, waits until servers have it.
     */
    public void setLogLevel(Object client, @Nullable String level) throws InterruptedException {
        whole.setLogLevel(client, level);
    }

    /** Called when a client is gone: ends what servers have opened for it alone. */
    public void clientGone(ClientIdentity client) {
        whole.clientGone(client);
    }

    public void addListener(GatewayListener listener) {
        whole.addListener(listener);
    }

    public void removeListener(GatewayListener listener) {
        whole.removeListener(listener);
    }

    /** Sets the tracer of all requests that begin from now on; replaces the previous one. */
    public void trace(RequestTracer tracer) {
        observation.setTracer(tracer);
    }

    /** Adds an observer of all requests that begin from now on. */
    public void observe(CallObserver observer) {
        observation.addObserver(observer);
    }

    /** Stops all servers, and waits for their end as long as the settings allow. */
    @Override
    public void close() {
        timer.close();
        registry.stopAll(settings.limits().closePatience());
        listingWriter.writePending();
    }
}
