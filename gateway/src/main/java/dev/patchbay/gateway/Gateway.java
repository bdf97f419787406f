package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
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
    /** No server's connection timeout is longer. */
    private static final Duration CATALOG_WAIT_MAX = Duration.ofSeconds(60);

    private final GatewaySettings settings;
    private final Supervisor.Dependencies supervisorDependencies;
    private final DebounceTimer timer = new DebounceTimer();
    private final GatewayListeners listeners = new GatewayListeners();
    private final CallObservation observation = new CallObservation();
    private final ListingBudget listingBudget = new ListingBudget();
    private final ServerRegistry registry;
    private final ListingWriter listingWriter;
    private final CatalogPublisher catalogPublisher;
    private final DiscoveryService discovery;
    private final ToolInvoker invoker;
    private final RequestRouter relay;
    private final ClientLogLevels logLevels;
    private final TaskRegistry tasks;

    /** A gateway whose servers have that in common; for tests that make time pass. */
    Gateway(GatewaySettings settings, Supervisor.Dependencies shared) {
        this.settings = settings;
        this.supervisorDependencies = shared;
        var around = new GatewayContext();
        var store = new ListingStore(settings.stateDir());
        listingWriter = new ListingWriter(store, timer);
        registry =
                new ServerRegistry(
                        settings.limits().serversMax(),
                        spec -> new ServerEntry(spec, store.load(spec), around));
        Listing own = settings.selfTools() ? BuiltInTools.listing() : null;
        catalogPublisher = new CatalogPublisher(registry::all, own, listeners, timer);
        discovery = new DiscoveryService(registry, shared.clock());
        invoker = new ToolInvoker(registry, around, new BuiltInTools(around), observation);
        relay = new RequestRouter(registry, around, observation);
        logLevels = new ClientLogLevels(registry);
        tasks = new TaskRegistry(settings.stateDir(), relay::send);
    }

    /** A gateway without servers that reaches them by the opener. */
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

    /**
     * Adds a server and begins to connect it, unless it is disabled.
     *
     * @throws GatewayException with {@code SERVER_EXISTS} if its id is taken
     */
    public void register(ServerSpec spec) {
        register(List.of(spec));
    }

    /** Adds servers, all of them before the first begins to start. */
    public void register(Collection<ServerSpec> specs) {
        List<ServerEntry> added = specs.stream().map(registry::add).toList();
        catalogPublisher.markChanged();
        added.forEach(it -> it.supervisor().start());
    }

    /** Gives a registered server another specification; begun anew only if reached otherwise. */
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

    /** Takes a server away and ends it; false if there was none. */
    public boolean unregister(ServerId id) {
        Optional<ServerEntry> removed = registry.remove(id);
        removed.ifPresent(it -> it.close());
        catalogPublisher.markChanged();
        return removed.isPresent();
    }

    /** Allows a server to be connected, and begins to. */
    public void enable(ServerId id) {
        registry.require(id).supervisor().enable();
        catalogPublisher.markChanged();
    }

    /** Ends a server until it is enabled again; calls in flight fail. */
    public void disable(ServerId id) {
        registry.require(id).supervisor().disable();
        catalogPublisher.markChanged();
    }

    /** Ends a server's connection and begins anew, with all attempts. */
    public void reconnect(ServerId id) {
        registry.require(id).supervisor().reconnect();
    }

    /** Every server with what is true of it now, in the order of ids. */
    public List<ServerReport> servers() {
        return registry.all().stream().map(ServerEntry::report).toList();
    }

    public Optional<ServerReport> server(ServerId id) {
        return registry.find(id).map(ServerEntry::report);
    }

    /** How many requests to a server wait for their answers now. */
    public int inFlight(ServerId id) {
        ServerSession live =
                registry.find(id).map(it -> it.supervisor().currentSession()).orElse(null);
        return live == null ? 0 : live.inFlightCount();
    }

    /** Asks servers for their lists; connects them if need be. */
    public DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        return discovery.discover(request);
    }

    /** The catalogue as it is. Never waits. */
    public Catalog catalog() {
        return catalogPublisher.catalog();
    }

    /**
     * The catalogue for a client's list: servers that have just begun get until their connection
     * timeout, and at most the budget, to tell what they offer; those whose lists are known from
     * before, or that failed to tell any the last time, get a moment only. Who comes later is told
     * of by {@link GatewayListener#listChanged}.
     */
    public Catalog awaitCatalog(Duration budget) throws InterruptedException {
        long now = System.nanoTime();
        long deadline = now + budget.toNanos();
        long soon = Math.min(deadline, now + settings.limits().listPatience().toNanos());
        for (ServerEntry server : registry.all()) {
            server.awaitListing(deadline, soon);
        }
        catalogPublisher.startAnnouncing();
        return catalogPublisher.catalog();
    }

    /** How long, and by whom, what a list method told may be kept. Never waits. */
    public CacheHint cacheHint(String listMethod) {
        return catalogPublisher.cacheHint(listMethod);
    }

    /** All tools that clients see, and whether each can be called now. Never waits. */
    public List<ToolReport> tools() {
        Catalog now = catalogPublisher.catalog();
        return now.tools().stream().map(it -> new ToolReport(it, isCurrent(now, it))).toList();
    }

    private static boolean isCurrent(Catalog catalog, Tool tool) {
        return catalog.freshness(tool.name().server()).orElse(Freshness.UNKNOWN)
                == Freshness.CURRENT;
    }

    /** The tool that a name stands for. Never waits. */
    public LookupResult<Tool> lookup(String name) {
        return catalogPublisher.catalog().findTool(name);
    }

    /** Prepares the call of a tool. Nothing is sent before the call is started. */
    public ToolCall call(Invocation invocation) {
        return invoker.call(invocation);
    }

    /** Calls a tool and waits for the result. The call is sent at most once. */
    public InvocationResult invoke(Invocation invocation) throws InterruptedException {
        return call(invocation).run();
    }

    /** Gets a prompt; the params are those of {@code prompts/get} as the client sent them. */
    public CallResult prompt(Json params, CallContext source) throws InterruptedException {
        return relay.prompt(params, source);
    }

    /** Passes on a request about the resource whose {@code uri} is in the params. */
    public CallResult resource(String method, Json params, CallContext source)
            throws InterruptedException {
        return relay.resource(method, params, source);
    }

    /**
     * Begins to tell of changes of the resource whose {@code uri} is in the params. The consumer
     * gets the params of {@code notifications/resources/updated}, with the URI as given here, on a
     * thread that reads from the server.
     */
    public SubscriptionResult subscribe(Json params, CallContext source, Consumer<Json> updates)
            throws InterruptedException {
        return relay.subscribe(params, source, updates);
    }

    /** Completes an argument; the params are those of {@code completion/complete}. */
    public CallResult complete(Json params, CallContext source) throws InterruptedException {
        return relay.completion(params, source);
    }

    /** Passes any request on to a server. */
    public CallResult relay(ServerId server, String method, Json params, CallContext source)
            throws InterruptedException {
        return relay.send(server, method, params, source);
    }

    /** Who holds which tasks of servers. */
    public TaskRegistry tasks() {
        return tasks;
    }

    /**
     * Has log messages from a level on sent by servers whose level is that of a whole conversation.
     * The client may be any object; null when it is gone, and then nothing waits.
     */
    public void setLogLevel(Object client, @Nullable String level) throws InterruptedException {
        logLevels.set(client, level);
    }

    public void addListener(GatewayListener listener) {
        listeners.add(listener);
        catalogPublisher.startAnnouncing();
    }

    public void removeListener(GatewayListener listener) {
        listeners.remove(listener);
    }

    /** Has all requests that end from now on seen by that observer, and by no other. */
    public void observe(CallObserver observer) {
        observation.setObserver(observer);
    }

    /** Ends all servers, and waits for them as long as the settings say. */
    @Override
    public void close() {
        timer.close();
        long deadline = System.nanoTime() + settings.limits().closePatience().toNanos();
        List<ServerEntry> all = List.copyOf(registry.all());
        all.forEach(it -> it.supervisor().stop());
        try {
            for (ServerEntry server : all) {
                long left = Math.max(1, deadline - System.nanoTime());
                boolean _ = server.supervisor().awaitEnd(Duration.ofNanos(left));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listingWriter.writePending();
    }

    /** What the parts know of the whole. */
    private final class GatewayContext
            implements ServerEntry.EntryContext, CatalogSource, BuiltInTools.GatewayView {
        @Override
        public Supervisor.Dependencies supervisorDependencies() {
            return supervisorDependencies;
        }

        @Override
        public DebounceTimer timer() {
            return timer;
        }

        @Override
        public GatewayListeners listeners() {
            return listeners;
        }

        @Override
        public Instant instant() {
            return supervisorDependencies.clock().instant();
        }

        @Override
        public GatewaySettings settings() {
            return settings;
        }

        @Override
        public ListingBudget budget() {
            return listingBudget;
        }

        @Override
        public void listingChanged() {
            catalogPublisher.markChanged();
        }

        @Override
        public void listingFetched(ServerSpec spec, Listing listing) {
            listingWriter.save(spec, listing);
        }

        @Override
        public void listingFailed(ServerSpec spec) {
            listingWriter.saveFailure(spec);
        }

        @Override
        public void serverConnected(ServerId server) {
            relay.resubscribe(server);
            logLevels.serverConnected(server);
        }

        @Override
        public void resourceUpdated(ServerId server, Json params) {
            relay.resourceUpdated(server, params);
        }

        @Override
        public void notificationsLost(ServerId server) {
            relay.notificationsLost(server);
        }

        @Override
        public TaskRegistry tasks() {
            return tasks;
        }

        @Override
        public Catalog current() {
            return catalogPublisher.catalog();
        }

        @Override
        public Catalog awaitComplete() throws InterruptedException {
            return awaitCatalog(CATALOG_WAIT_MAX);
        }

        @Override
        public List<ServerReport> servers() {
            return Gateway.this.servers();
        }

        @Override
        public DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
            return Gateway.this.discover(request);
        }

        @Override
        public Catalog catalog() {
            return catalogPublisher.catalog();
        }
    }
}
