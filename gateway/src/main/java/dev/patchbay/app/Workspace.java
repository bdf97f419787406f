package dev.patchbay.app;

import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.NamePolicy;
import dev.patchbay.catalog.Tool;
import dev.patchbay.config.ConfigFile;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReader;
import dev.patchbay.config.ConfigWatcher;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Settings;
import dev.patchbay.front.GatewayService;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.Json;
import dev.patchbay.oauth.SignIns;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.stdio.Child;
import dev.patchbay.stdio.Janitor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A gateway with the servers of a configuration, for as long as a command runs. */
final class Workspace implements AutoCloseable {
    private static final int VISIT_RETRIES = 1;

    private final Context context;
    private final Source source;
    private final Gateway gateway;
    private final SignIns signIns;
    private @Nullable ConfigWatcher watcher;

    /** What was read, and from where; null for the embedded default. */
    private record Source(@Nullable Path file, Configuration configuration) {}

    private Workspace(Context context, Source source, Gateway gateway, SignIns signIns) {
        this.context = context;
        this.source = source;
        this.gateway = gateway;
        this.signIns = signIns;
    }

    /** Reads the configuration and registers its servers, which begin to start. */
    static Workspace open(Context context, @Nullable Path chosen) {
        return open(context, chosen, servers -> servers);
    }

    /** The same with the servers of these ids alone; without any id with all. */
    static Workspace open(Context context, @Nullable Path chosen, List<String> ids) {
        return open(context, chosen, servers -> ids.isEmpty() ? servers : ofIds(servers, ids));
    }

    /** The same for somebody who looks on: each server is tried no more than twice. */
    static Workspace glance(Context context, @Nullable Path chosen) {
        return open(context, chosen, Workspace::triedTwice);
    }

    private static Workspace open(
            Context context, @Nullable Path chosen, UnaryOperator<List<ServerSpec>> manner) {
        var janitor = new Janitor();
        // Most configurations have programs to start. The first process that a JVM starts takes it
        // many times as long as the next, so that this one begins while the file is read.
        janitor.begin();
        Source source = source(context, chosen);
        Configuration configuration = source.configuration();
        LogSettings.apply(configuration.settings().logLevel());
        var settings = settings(context, configuration);
        var signIns = new SignIns(settings.stateDir(), InstantSource.system());
        var openers = new Openers(janitor, children(configuration), signIns);
        var gateway = Gateway.open(settings, openers, InstantSource.system());
        openers.belongTo(gateway);
        gateway.register(manner.apply(configuration.servers()));
        return new Workspace(context, source, gateway, signIns);
    }

    private static List<ServerSpec> triedTwice(List<ServerSpec> servers) {
        return servers.stream().map(spec -> spec.withRetries(VISIT_RETRIES)).toList();
    }

    private static List<ServerSpec> ofIds(List<ServerSpec> servers, List<String> ids) {
        return servers.stream().filter(it -> ids.contains(it.id().value())).toList();
    }

    /**
     * The same for a look at servers: each is tried no more than twice, and nothing is remembered
     * of them, so that what is seen is what is so now. The configuration must be in order.
     */
    static Workspace visit(Context context, @Nullable Path file) {
        var reader = new ConfigReader(context.surroundings().environment());
        Source source = file == null ? embedded() : source(file, reader.read(file));
        Configuration configuration = source.configuration();
        LogSettings.apply(Settings.LogLevel.ERROR);
        var settings = settings(context, configuration);
        var signIns = new SignIns(settings.stateDir(), InstantSource.system());
        var openers = new Openers(new Janitor(), children(configuration), signIns);
        var gateway = Gateway.open(settings.withStateDir(null), openers, InstantSource.system());
        openers.belongTo(gateway);
        gateway.register(triedTwice(configuration.servers()));
        return new Workspace(context, source, gateway, signIns);
    }

    private static Child.Limits children(Configuration configuration) {
        Settings.Limits limits = configuration.settings().limits();
        return new Child.Limits(limits.serverMessageBytesMax(), limits.stderrBytesMax());
    }

    /** The file that a command is about; there must be one. */
    static Path require(Context context, @Nullable Path chosen) {
        var locator = new ConfigLocator(context.surroundings());
        return locator.find(chosen)
                .orElseThrow(
                        () ->
                                new CommandFailed(
                                        Exit.WRONG_USAGE,
                                        "There is no configuration yet: no "
                                                + locator.candidates().stream()
                                                        .map(Path::toString)
                                                        .collect(Collectors.joining(", no "))
                                                + ". Add a server: patchbay add ID -- COMMAND"));
    }

    static int serveStdio(Context context, @Nullable Path chosen) throws InterruptedException {
        try (Workspace workspace = open(context, chosen)) {
            var service = new GatewayService(workspace.gateway);
            workspace.watch();
            return new StdioServing(
                            service,
                            context.streams(),
                            workspace.settings().limits(),
                            workspace::close)
                    .serve();
        }
    }

    /** Begins to follow changes of the configuration file, and who signs in to a server. */
    void watch() {
        signIns.watch(new SignInNews(gateway));
        if (source.file() != null) {
            watcher =
                    new ConfigWatcher(
                            source.file(),
                            new ConfigReader(context.surroundings().environment()),
                            source.configuration(),
                            ConfigWatcher.Timing.DEFAULT,
                            new HotReload(gateway));
        }
    }

    private static Source source(Context context, @Nullable Path chosen) {
        Path file = new ConfigLocator(context.surroundings()).find(chosen).orElse(null);
        if (file == null) {
            return embedded();
        }
        ConfigFile read = new ConfigReader(context.surroundings().environment()).read(file);
        for (Finding finding : read.findings()) {
            context.terminal().say(file + ":" + finding);
        }
        return source(file, read);
    }

    private static Source embedded() {
        return new Source(null, Configuration.embedded(Product.command("repl")));
    }

    private static Source source(Path file, ConfigFile read) {
        return switch (read) {
            case ConfigFile.Valid(Configuration configuration, _) ->
                    new Source(file, configuration);
            case ConfigFile.Faulty _ ->
                    throw new CommandFailed(
                            Exit.WRONG_USAGE, file + " has faults. Mend them and try again.");
        };
    }

    private static GatewaySettings settings(Context context, Configuration configuration) {
        String folder = configuration.settings().stateDir();
        Settings.Limits limits = configuration.settings().limits();
        Path stateDir = stateDir(context, folder);
        return new GatewaySettings(
                Product.identity(),
                NamePolicy.valueOf(configuration.settings().names().name()),
                stateDir,
                configuration.settings().selfTools(),
                GatewaySettings.Limits.DEFAULTS,
                new GatewaySettings.PerServer(
                        limits.pagesMax(),
                        limits.toolsPerServerMax(),
                        limits.requestsPerServerMax()));
    }

    /** Where what was learned is kept: the folder that is configured, or the usual one. */
    static Path stateDir(Context context, @Nullable String configured) {
        return configured == null ? StateFolder.of(context.surroundings()) : Path.of(configured);
    }

    Settings settings() {
        return source.configuration().settings();
    }

    Gateway gateway() {
        return gateway;
    }

    /** Asks all servers; whether all that are enabled answered. */
    boolean discoverAll() throws InterruptedException {
        DiscoveryResult result = discover(DiscoveryRequest.ALL);
        for (DiscoveryResult.Row row : result.serverResults()) {
            if (row.error() != null) {
                context.terminal()
                        .say("patchbay: " + row.serverId() + ": " + row.error().message());
            }
        }
        return result.serverResults().stream().allMatch(row -> row.error() == null);
    }

    /** Asks the server of a tool, or all servers, and leaves it to others to say how it went. */
    void discoverQuietly(@Nullable String tool) throws InterruptedException {
        if (tool == null) {
            discover(DiscoveryRequest.ALL);
        } else {
            prepare(tool);
        }
    }

    DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        try (Waiting _ = Waiting.on(context.terminal(), gateway)) {
            return gateway.discover(request);
        }
    }

    /** Makes sure that the server of a tool has been asked, if its name tells which that is. */
    void prepare(String tool) throws InterruptedException {
        int dot = tool.indexOf('.');
        String server = dot > 0 ? tool.substring(0, dot) : "";
        boolean known =
                gateway.servers().stream().anyMatch(it -> it.spec().id().value().equals(server));
        var servers = known ? List.of(server) : List.<String>of();
        discover(new DiscoveryRequest(servers, false, false));
    }

    /** The input schema of a tool; an empty object if there is none such. */
    Json schema(String tool) {
        return gateway.lookup(tool) instanceof Lookup.Found<?>(var found)
                        && found instanceof Tool entry
                ? entry.inputSchema()
                : Json.EMPTY_OBJECT;
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.close();
        }
        signIns.close();
        gateway.close();
    }
}
