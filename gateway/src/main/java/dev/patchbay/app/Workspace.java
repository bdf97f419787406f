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
import dev.patchbay.stdio.Janitor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A gateway with the servers of a configuration, for as long as a command runs. */
final class Workspace implements AutoCloseable {
    private final Context context;
    private final Source source;
    private final Gateway gateway;
    private @Nullable ConfigWatcher watcher;

    /** What was read, and from where; null for the embedded default. */
    private record Source(@Nullable Path file, Configuration configuration) {}

    private Workspace(Context context, Source source, Gateway gateway) {
        this.context = context;
        this.source = source;
        this.gateway = gateway;
    }

    /** Reads the configuration and registers its servers, which begin to start. */
    static Workspace open(Context context, @Nullable Path chosen) {
        Source source = source(context, chosen);
        Configuration configuration = source.configuration();
        LogSettings.apply(configuration.settings().logLevel());
        var openers = new Openers(new Janitor());
        var gateway =
                Gateway.open(settings(context, configuration), openers, InstantSource.system());
        openers.belongTo(gateway);
        configuration.servers().forEach(gateway::register);
        return new Workspace(context, source, gateway);
    }

    /** The file that a command is about; there must be one. */
    static Path require(Context context, @Nullable Path chosen) {
        var locator = new ConfigLocator(context.surroundings());
        return locator.find(chosen)
                .orElseThrow(
                        () ->
                                new CommandFailed(
                                        Exit.WRONG_USAGE,
                                        "There is no configuration yet. Looked for "
                                                + locator.candidates()
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

    /** Begins to follow changes of the configuration file. */
    void watch() {
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
        Optional<Path> file = new ConfigLocator(context.surroundings()).find(chosen);
        if (file.isEmpty()) {
            return new Source(null, Configuration.embedded(Product.command("repl")));
        }
        ConfigFile read = new ConfigReader(context.surroundings().environment()).read(file.get());
        for (Finding finding : read.findings()) {
            context.terminal().say(file.get() + ":" + finding);
        }
        return switch (read) {
            case ConfigFile.Valid(Configuration configuration, _) ->
                    new Source(file.get(), configuration);
            case ConfigFile.Faulty _ ->
                    throw new CommandFailed(
                            Exit.WRONG_USAGE, file.get() + " has faults. Mend them and try again.");
        };
    }

    private static GatewaySettings settings(Context context, Configuration configuration) {
        String folder = configuration.settings().stateDir();
        Path stateDir = folder == null ? StateFolder.of(context.surroundings()) : Path.of(folder);
        return new GatewaySettings(
                Product.identity(),
                NamePolicy.valueOf(configuration.settings().names().name()),
                stateDir,
                configuration.settings().selfTools(),
                GatewaySettings.Limits.DEFAULTS);
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

    DiscoveryResult discover(DiscoveryRequest request) throws InterruptedException {
        context.terminal().progress("Asking the servers for their tools …");
        try {
            return gateway.discover(request);
        } finally {
            context.terminal().progressDone();
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
        gateway.close();
    }
}
