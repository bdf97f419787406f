package dev.patchbay.app.wiring;

import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.clients.GatewayService;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.Finding;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.read.ConfigWatcher;
import dev.patchbay.embedding.EmbeddedGateway;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.secret.SecretLookup;
import dev.patchbay.stdio.ChildProcess;
import dev.patchbay.stdio.ParentEnvironment;
import dev.patchbay.stdio.ProcessReaper;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A gateway with the servers of a configuration, open while a command runs. */
public final class ConfiguredGateway implements AutoCloseable {
    private final AppContext context;
    private final LoadedConfig loadedConfig;
    private final UnaryOperator<Configuration> restriction;
    private final EmbeddedGateway embedded;
    private final Gateway gateway;
    private final SecretLookup secrets;
    private @Nullable ConfigWatcher watcher;
    private @Nullable GatewayRecords records;
    private Runnable stopTelemetry = () -> {};

    /** A configuration and where it was read from. */
    private record LoadedConfig(ConfigSource source, Configuration configuration) {}

    private ConfiguredGateway(
            AppContext context,
            LoadedConfig source,
            UnaryOperator<Configuration> restriction,
            EmbeddedGateway embedded,
            SecretLookup secrets) {
        this.context = context;
        this.loadedConfig = source;
        this.restriction = restriction;
        this.embedded = embedded;
        this.gateway = embedded.gateway();
        this.secrets = secrets;
    }

    /** Reads the configuration, registers its servers and starts them. */
    public static ConfiguredGateway open(AppContext context, @Nullable Path chosen) {
        return open(context, chosen, UnaryOperator.identity());
    }

    /** The same for a client in another process, whose environment the servers inherit. */
    static ConfiguredGateway open(
            AppContext context, @Nullable Path chosen, ParentEnvironment parent) {
        return open(context, chosen, UnaryOperator.identity(), parent);
    }

    /** The same with a part of the servers. */
    static ConfiguredGateway open(
            AppContext context, @Nullable Path chosen, UnaryOperator<Configuration> restriction) {
        return open(context, chosen, restriction, ParentEnvironment.ofThisProcess());
    }

    private static ConfiguredGateway open(
            AppContext context,
            @Nullable Path chosen,
            UnaryOperator<Configuration> restriction,
            ParentEnvironment parent) {
        var processReaper = new ProcessReaper();
        // Most configurations have programs to start. The first process that a JVM starts takes it
        // many times as long as the next, so that this one begins while the file is read.
        processReaper.start();
        LoadedConfig source = loadedConfig(context, chosen);
        Configuration configuration = source.configuration();
        LoggingSetup.apply(configuration.settings().logLevel());
        GatewaySettings settings = settings(context, configuration);
        SecretLookup secrets = SecretVaults.lookup(context.environment());
        EmbeddedGateway embedded =
                EmbeddedGateway.open(
                        settings,
                        options(processReaper, source, settings.stateDir(), secrets, parent));
        embedded.gateway().defineViews(configuration.settings().views());
        embedded.gateway().register(restriction.apply(configuration).servers());
        return new ConfiguredGateway(context, source, restriction, embedded, secrets);
    }

    /**
     * Opens a gateway for a diagnosis: no cached lists are used, so that the result shows the
     * present state. The configuration must be valid.
     */
    static ConfiguredGateway openForDiagnosis(AppContext context, ConfigSource found) {
        LoadedConfig source =
                found.file().isEmpty() ? replOnly(found) : loadedConfig(found, found.read());
        Configuration configuration = source.configuration();
        LoggingSetup.apply(PatchbaySettings.LogLevel.ERROR);
        GatewaySettings settings = settings(context, configuration);
        SecretLookup secrets = SecretVaults.lookup(context.environment());
        EmbeddedGateway embedded =
                EmbeddedGateway.open(
                        settings.withStateDir(null),
                        options(
                                new ProcessReaper(),
                                source,
                                settings.stateDir(),
                                secrets,
                                ParentEnvironment.ofThisProcess()));
        embedded.gateway().register(configuration.servers());
        return new ConfiguredGateway(context, source, UnaryOperator.identity(), embedded, secrets);
    }

    private static EmbeddedGateway.Options options(
            ProcessReaper processReaper,
            LoadedConfig source,
            @Nullable Path signInDir,
            SecretLookup secrets,
            ParentEnvironment parent) {
        PatchbaySettings.Limits limits = source.configuration().settings().limits();
        var outputLimits =
                new ChildProcess.OutputLimits(
                        limits.serverMessageBytesMax(), limits.stderrBytesMax());
        List<Path> file = source.source().file().stream().toList();
        return new EmbeddedGateway.Options(
                processReaper, outputLimits, signInDir, secrets, parent, file);
    }

    /**
     * Serves a client on the standard streams.
     *
     * @param view the view that the client gets, whose servers alone are started; null for all
     */
    public static int serveStdio(AppContext context, @Nullable Path chosen, @Nullable String view)
            throws InterruptedException {
        UnaryOperator<Configuration> restriction =
                view == null ? UnaryOperator.identity() : all -> all.restrictedTo(view);
        try (ConfiguredGateway configured = open(context, chosen, restriction)) {
            var service = new GatewayService(configured.view(view));
            configured.watchForChanges();
            configured.recordService("stdio");
            return new StdioServerRunner(
                            service,
                            context.streams(),
                            configured.settings().limits(),
                            configured::close)
                    .serve();
        }
    }

    /** The gateway as the clients of a view see it; null for all of it. */
    GatewayView view(@Nullable String name) {
        if (name == null) {
            return gateway.wholeView();
        }
        ViewLookup.require(configuration().settings(), source().file().orElse(null), name);
        return gateway.view(name).orElseThrow();
    }

    /** Starts to record the calls of a command, unless the settings say otherwise. */
    public void recordCalls() {
        records = records == null ? GatewayRecords.ofCommand(this) : records;
    }

    /** Starts to record the calls of clients who come this way, and what happens to servers. */
    void recordService(String via) {
        Path file = loadedConfig.source().file().orElse(null);
        records = GatewayRecords.ofService(this, new GatewayRecords.Source(embedded, file, via));
    }

    /** Starts to watch the configuration file and the sign-ins, and to export telemetry. */
    void watchForChanges() {
        if (settings().telemetry().isRequested(context.environment().variables())) {
            stopTelemetry = TelemetryStarter.start(this, context.environment());
        }
        embedded.reconnectOnSignIn();
        ConfigSource source = loadedConfig.source();
        if (source.file().isPresent()) {
            watcher =
                    new ConfigWatcher(
                            source.file().get(),
                            source.reader(),
                            loadedConfig.configuration(),
                            ConfigWatcher.Timing.DEFAULT,
                            new ConfigReloader(gateway, loadedConfig.configuration(), restriction));
        }
    }

    /** Reads the configuration and prints what is wrong with it. */
    static void requireValid(AppContext context, @Nullable Path chosen) {
        LoadedConfig _ = loadedConfig(context, chosen);
    }

    private static LoadedConfig loadedConfig(AppContext context, @Nullable Path chosen) {
        ConfigSource source = ConfigSource.find(context, chosen);
        if (source.file().isEmpty()) {
            return replOnly(source);
        }
        if (!Files.exists(source.file().get())) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, "No such file: " + source.file().get());
        }
        ConfigReadResult read = source.read();
        for (Finding finding : read.findings()) {
            if (isShownBeforeCommand(finding)) {
                context.terminal().printMessage(source.file().get() + ":" + finding);
            }
        }
        return loadedConfig(source, read);
    }

    /** Other notices are shown by {@code patchbay check} only. */
    private static boolean isShownBeforeCommand(Finding finding) {
        return finding.severity() != Finding.Severity.NOTICE
                || finding.kind() == Finding.Kind.IGNORED_SETTING;
    }

    private static LoadedConfig replOnly(ConfigSource source) {
        return new LoadedConfig(source, Configuration.replOnly(ProductInfo.launchCommand("repl")));
    }

    private static LoadedConfig loadedConfig(ConfigSource source, ConfigReadResult read) {
        return switch (read) {
            case ConfigReadResult.Valid(Configuration configuration, _) ->
                    new LoadedConfig(source, configuration);
            case ConfigReadResult.Invalid invalid ->
                    throw new CommandFailedException(
                            ExitCode.WRONG_USAGE,
                            "%d error%s in %s. Fix them and run the command again."
                                    .formatted(
                                            invalid.errors().size(),
                                            invalid.errors().size() == 1 ? "" : "s",
                                            source.file().orElseThrow()));
        };
    }

    private static GatewaySettings settings(AppContext context, Configuration configuration) {
        String folder = configuration.settings().stateDir();
        PatchbaySettings.Limits limits = configuration.settings().limits();
        Path stateDir = stateDir(context, folder);
        return new GatewaySettings(
                ProductInfo.identity(),
                NameStylePolicy.valueOf(configuration.settings().names().name()),
                stateDir,
                new GatewaySettings.OwnTools(
                        configuration.settings().selfTools(),
                        configuration.settings().invokeTool()),
                GatewaySettings.Limits.DEFAULTS,
                new GatewaySettings.PerServer(
                        limits.pagesMax(),
                        limits.toolsPerServerMax(),
                        limits.requestsPerServerMax()));
    }

    /** The configured folder for cached lists and sign-ins, or the default one. */
    public static Path stateDir(AppContext context, @Nullable String configured) {
        return configured == null
                ? StateDirectory.locate(context.environment())
                : Path.of(configured);
    }

    public PatchbaySettings settings() {
        return loadedConfig.configuration().settings();
    }

    /** The configuration in use, which a change of the file replaces. */
    Configuration configuration() {
        return watcher == null ? loadedConfig.configuration() : watcher.active();
    }

    ConfigSource source() {
        return loadedConfig.source();
    }

    /** Waits until the file as it is now is in use. */
    void awaitCurrentFile(Duration timeout) throws InterruptedException {
        if (watcher != null) {
            boolean _ = watcher.awaitCurrent(timeout);
        }
    }

    /** Whether the configuration belongs to a project and was not chosen by the user. */
    boolean isProject() {
        return loadedConfig.source().isProject();
    }

    public Gateway gateway() {
        return gateway;
    }

    /** The secrets that the servers of this gateway refer to. */
    public SecretLookup secrets() {
        return secrets;
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.close();
        }
        embedded.close();
        if (records != null) {
            records.close();
        }
        stopTelemetry.run();
    }
}
