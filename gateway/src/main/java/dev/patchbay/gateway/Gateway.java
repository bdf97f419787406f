package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.catalog.Tool;
import dev.patchbay.json.Json;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.Link;
import dev.patchbay.server.Opener;
import dev.patchbay.server.Pause;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.StartGate;
import dev.patchbay.server.Supervisor;

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
    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

    private final GatewaySettings settings;
    private final Supervisor.Shared shared;
    private final Timer timer = new Timer();
    private final Listeners listeners = new Listeners();
    private final Sight sight = new Sight();
    private final Registry registry;
    private final Scribe scribe;
    private final Keeper keeper;
    private final Discovery discovery;
    private final Invoker invoker;
    private final Relay relay;
    private final LogLevels logLevels;
    private final TaskDesk tasks;

    /** A gateway whose servers have that in common; for tests that make time pass. */
    Gateway(GatewaySettings settings, Supervisor.Shared shared) {
        this.settings = settings;
        this.shared = shared;
        var around = new Around();
        var store = new ListingStore(settings.stateDir());
        scribe = new Scribe(store, timer);
        registry =
                new Registry(
                        settings.limits().serversMax(),
                        spec -> new Registered(spec, store.load(spec), around));
        Listing own = settings.selfTools() ? SelfTools.listing() : null;
        keeper = new Keeper(registry::all, own, listeners, timer);
        discovery = new Discovery(registry, shared.clock());
        invoker = new Invoker(registry, around, new SelfTools(around), sight);
        relay = new Relay(registry, around, sight);
        logLevels = new LogLevels(registry);
        tasks = new TaskDesk(settings.stateDir(), relay::send);
    }

    /** A gateway without servers that reaches them by the opener. */
    public static Gateway open(GatewaySettings settings, Opener opener, InstantSource clock) {
        return new Gateway(
                settings,
                new Supervisor.Shared(
                        opener,
                        settings.identity(),
                        clock,
                        new StartGate(settings.limits().startsMax()),
                        new Backoff(RandomGenerator.getDefault()),
                        Pause.REAL,
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
        List<Registered> added = specs.stream().map(registry::add).toList();
        keeper.change();
        added.forEach(it -> it.supervisor().start());
    }

    /** Gives a registered server another specification; begun anew only if reached otherwise. */
    public void update(ServerSpec spec) {
        Registered old = registry.require(spec.id());
        if (old.spec().isReachedLike(spec)) {
            old.become(spec);
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
        Optional<Registered> removed = registry.remove(id);
        removed.ifPresent(it -> it.supervisor().stop());
        keeper.change();
        return removed.isPresent();
    }

    /** Allows a server to be connected, and begins to. */
    public void enable(ServerId id) {
        registry.require(id).supervisor().enable();
        keeper.change();
    }

    /** Ends a server until it is enabled again; calls in flight fail. */
    public void disable(ServerId id) {
        registry.require(id).supervisor().disable();
        keeper.change();
    }

    /** Ends a server's connection and begins anew, with all attempts. */
    public void reconnect(ServerId id) {
        registry.require(id).supervisor().reconnect();
    }

    /** Every server with what is true of it now, in the order of ids. */
    public List<ServerReport> servers() {
        return registry.all().stream().map(Registered::report).toList();
    }

    public Optional<ServerReport> server(ServerId id) {
        return registry.find(id).map(Registered::report);
    }

    /** How many requests to a server wait for their answers now. */
    public int inFlight(ServerId id) {
        Link live = registry.find(id).map(it -> it.supervisor().liveLink()).orElse(null);
        return live == null ? 0 : live.inFlight();
    }

    /** Asks servers for their lists; connects them if need be. */
    public DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        return discovery.discover(request);
    }

    /** The catalogue as it is. Never waits. */
    public Catalog catalog() {
        return keeper.catalog();
    }

    /**
     * The catalogue for a client's list: servers that have just begun get until their connection
     * timeout, and at most the budget, to tell what they offer; those whose lists are known from
     * before, or that failed to tell any the last time, get a moment only. Who comes later is told
     * of by {@link GatewayListener#listChanged}.
     */
    public Catalog catalogue(Duration budget) throws InterruptedException {
        long now = System.nanoTime();
        long deadline = now + budget.toNanos();
        long soon = Math.min(deadline, now + settings.limits().listPatience().toNanos());
        for (Registered server : registry.all()) {
            server.awaitList(deadline, soon);
        }
        keeper.watch();
        return keeper.catalog();
    }

    /** How long, and by whom, what a list method told may be kept. Never waits. */
    public CacheHint cacheHint(String listMethod) {
        return keeper.cacheHint(listMethod);
    }

    /** All tools that clients see, and whether each can be called now. Never waits. */
    public List<ToolReport> tools() {
        Catalog now = keeper.catalog();
        return now.tools().stream().map(it -> new ToolReport(it, isCurrent(now, it))).toList();
    }

    private static boolean isCurrent(Catalog catalog, Tool tool) {
        return catalog.standing(tool.name().server()).orElse(Standing.UNKNOWN) == Standing.CURRENT;
    }

    /** The tool that a name stands for. Never waits. */
    public Lookup<Tool> lookup(String name) {
        return keeper.catalog().tool(name);
    }

    /**
     * Calls a tool without waiting, where that is possible; the receiver gets the reply on a thread
     * that reads from the server, and must be quick.
     *
     * @return the way to give the call up; null if it must be {@link #invoke}d instead
     */
    public @Nullable Runnable pass(
            String tool, Json params, CallSource source, Consumer<Reply> receiver) {
        return invoker.pass(tool, params, source, receiver);
    }

    /** Calls a tool; sent at most once. */
    public InvocationResult invoke(Invocation invocation) throws InterruptedException {
        return invoker.invoke(invocation);
    }

    /** Gets a prompt; the params are those of {@code prompts/get} as the client sent them. */
    public Reply prompt(Json params, CallSource source) throws InterruptedException {
        return relay.prompt(params, source);
    }

    /** Passes on a request about the resource whose {@code uri} is in the params. */
    public Reply resource(String method, Json params, CallSource source)
            throws InterruptedException {
        return relay.resource(method, params, source);
    }

    /**
     * Begins to tell of changes of the resource whose {@code uri} is in the params. The consumer
     * gets the params of {@code notifications/resources/updated}, with the URI as given here, on a
     * thread that reads from the server.
     */
    public Subscribed subscribe(Json params, CallSource source, Consumer<Json> updates)
            throws InterruptedException {
        return relay.subscribe(params, source, updates);
    }

    /** Completes an argument; the params are those of {@code completion/complete}. */
    public Reply complete(Json params, CallSource source) throws InterruptedException {
        return relay.completion(params, source);
    }

    /** Passes any request on to a server. */
    public Reply relay(ServerId server, String method, Json params, CallSource source)
            throws InterruptedException {
        return relay.send(server, method, params, source);
    }

    /** Who holds which tasks of servers. */
    public TaskDesk tasks() {
        return tasks;
    }

    /**
     * Has log messages from a level on sent by servers whose level is that of a whole conversation.
     * The client may be any object; null when it is gone, and then nothing waits.
     */
    public void logLevel(Object client, @Nullable String level) throws InterruptedException {
        logLevels.set(client, level);
    }

    public void addListener(GatewayListener listener) {
        listeners.add(listener);
        keeper.watch();
    }

    public void removeListener(GatewayListener listener) {
        listeners.remove(listener);
    }

    /** Has all requests that end from now on seen by that observer, and by no other. */
    public void observe(CallObserver observer) {
        sight.observe(observer);
    }

    /** Ends all servers, and waits for them as long as the settings say. */
    @Override
    public void close() {
        timer.close();
        long deadline = System.nanoTime() + settings.limits().closePatience().toNanos();
        List<Registered> all = List.copyOf(registry.all());
        all.forEach(it -> it.supervisor().stop());
        try {
            for (Registered server : all) {
                long left = Math.max(1, deadline - System.nanoTime());
                boolean _ = server.supervisor().awaitEnd(Duration.ofNanos(left));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        scribe.write();
    }

    /** What the parts know of the whole. */
    private final class Around implements Registered.Surroundings, Catalogs, SelfTools.View {
        @Override
        public Supervisor.Shared shared() {
            return shared;
        }

        @Override
        public Timer timer() {
            return timer;
        }

        @Override
        public Listeners listeners() {
            return listeners;
        }

        @Override
        public Instant instant() {
            return shared.clock().instant();
        }

        @Override
        public GatewaySettings settings() {
            return settings;
        }

        @Override
        public void changed() {
            keeper.change();
        }

        @Override
        public void told(ServerSpec spec, Listing listing) {
            scribe.told(spec, listing);
        }

        @Override
        public void toldNothing(ServerSpec spec) {
            scribe.toldNothing(spec);
        }

        @Override
        public void connected(ServerId server) {
            relay.resubscribe(server);
            logLevels.connected(server);
        }

        @Override
        public void updated(ServerId server, Json params) {
            relay.updated(server, params);
        }

        @Override
        public void missed(ServerId server) {
            relay.missed(server);
        }

        @Override
        public TaskDesk tasks() {
            return tasks;
        }

        @Override
        public Catalog now() {
            return keeper.catalog();
        }

        @Override
        public Catalog settled() throws InterruptedException {
            return catalogue(SETTLE_MAX);
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
            return keeper.catalog();
        }
    }
}
