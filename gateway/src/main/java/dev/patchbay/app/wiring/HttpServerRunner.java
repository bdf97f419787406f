package dev.patchbay.app.wiring;

import dev.patchbay.config.ListenAddress;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.TokenIssuer;
import dev.patchbay.dashboard.Dashboard;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.http.server.HttpLimits;
import dev.patchbay.http.server.HttpRoute;
import dev.patchbay.http.server.HttpServer;
import dev.patchbay.http.server.HttpSettings;
import dev.patchbay.http.server.ProtectedResource;
import dev.patchbay.http.server.TokenAuthenticator;
import dev.patchbay.secret.SecretLookup;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/** Serves clients over HTTP until the process is terminated. */
public final class HttpServerRunner {
    private static final Duration DOCTOR_STEP_TIMEOUT = Duration.ofSeconds(3);

    private final AppContext context;
    private final ConfiguredGateway configuredGateway;
    private final PatchbaySettings.Http settings;

    /**
     * Creates a runner.
     *
     * @param listen the address of the command line, which overrides the configuration; null for
     *     none
     */
    public HttpServerRunner(
            AppContext context, ConfiguredGateway workspace, @Nullable ListenAddress listen) {
        this.context = context;
        this.configuredGateway = workspace;
        PatchbaySettings.Http configured = workspace.settings().http();
        this.settings = listen == null ? configured : configured.withListen(listen);
    }

    /** Serves until the end and returns the exit code. */
    public int serve() throws InterruptedException {
        if (settings.isUnprotectedOnNetwork()) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    settings.listen()
                            + " can be reached from other machines, but http.auth is \"none\". Set"
                            + " it to \"token\", or listen on 127.0.0.1.");
        }
        var ended = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        var started = new AtomicReference<@Nullable HttpServer>();
        IntSupplier sessions =
                () -> Optional.ofNullable(started.get()).map(HttpServer::sessions).orElse(0);
        try (var dashboard = dashboard(sessions);
                HttpServer server = startServer(dashboard)) {
            started.set(server);
            configuredGateway.watchForChanges();
            configuredGateway.recordService("http");
            printAddresses(server.address());
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().unstarted(() -> awaitShutdown(ended, done)));
            ended.await();
        } finally {
            configuredGateway.close();
            done.countDown();
        }
        return ExitCode.OK;
    }

    private Dashboard dashboard(IntSupplier sessions) {
        SecretLookup secrets = configuredGateway.secrets();
        var doctor = new Doctor(context.environment(), DOCTOR_STEP_TIMEOUT, secrets);
        var dashboard =
                new Dashboard(
                        configuredGateway.gateway(),
                        InstantSource.system(),
                        doctor,
                        secrets::valuesRead,
                        sessions);
        dashboard.linkTraces(configuredGateway.settings().telemetry().traceLink());
        return dashboard;
    }

    /** Waits for an orderly shutdown and ends the process with exit code 0. */
    private static void awaitShutdown(CountDownLatch ended, CountDownLatch done) {
        ended.countDown();
        try {
            done.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    private HttpServer startServer(Dashboard dashboard) {
        var listen = new InetSocketAddress(settings.listen().host(), settings.listen().port());
        TokenAuthenticator authenticator = authenticator();
        var http =
                new HttpSettings(
                        listen,
                        authenticator,
                        allowedHosts(authenticator.protectedResource()),
                        Set.copyOf(settings.allowedOrigins()),
                        limits());
        var parts = new HashMap<String, HttpRoute>(dashboard.routes());
        parts.put("/healthz", new HealthRoute(configuredGateway.gateway()));
        ProtectedResource resource = authenticator.protectedResource();
        if (resource != null) {
            parts.put(ProtectedResource.METADATA_PATH, resource);
        }
        String cardUrl = settings.serverCard();
        if (cardUrl != null) {
            boolean isTokenRequired = settings.auth() == PatchbaySettings.Auth.TOKEN;
            parts.put(ServerCardRoute.PATH, new ServerCardRoute(cardUrl, isTokenRequired));
        }
        try {
            var handlers =
                    new HttpGatewayHandlerFactory(
                            configuredGateway.gateway(), !configuredGateway.isProject());
            return HttpServer.start(http, handlers, parts, sessionFolder());
        } catch (IOException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "%s. If another program uses the address, choose another one with --listen."
                            .formatted(e.getMessage()));
        }
    }

    private @Nullable Path sessionFolder() {
        Path stateDir = configuredGateway.gateway().settings().stateDir();
        return stateDir == null ? null : stateDir.resolve("sessions");
    }

    private HttpLimits limits() {
        PatchbaySettings.Limits chosen = configuredGateway.settings().limits();
        var sizes = HttpLimits.DEFAULTS.sizes();
        return HttpLimits.DEFAULTS.withSizes(
                new HttpLimits.Sizes(chosen.clientMessageBytesMax(), sizes.headerBytesMax()));
    }

    private TokenAuthenticator authenticator() {
        if (settings.auth() == PatchbaySettings.Auth.NONE) {
            return TokenAuthenticator.ALLOW_ALL;
        }
        String ownerToken = ClientToken.loadOrCreate(context.environment());
        var ownTokens =
                new StoredTokenAuthenticator(
                        ownerToken, ClientTokenStore.of(context), InstantSource.system());
        return settings.auth() == PatchbaySettings.Auth.OAUTH
                ? new OAuthAccess(settings, configuredGateway.secrets()).authenticator(ownTokens)
                : ownTokens;
    }

    /** The configured names, and the one under which clients are told to reach the gateway. */
    private Set<String> allowedHosts(@Nullable ProtectedResource resource) {
        var hosts = new HashSet<>(settings.allowedHosts());
        if (resource != null) {
            hosts.add(URI.create(resource.baseUrl()).getHost());
        }
        return hosts;
    }

    private void printAddresses(InetSocketAddress address) {
        String name = settings.listen().host();
        String numbers = name.contains(":") ? "[" + name + "]" : name;
        String host = address.getAddress().isAnyLocalAddress() ? "127.0.0.1" : numbers;
        Terminal terminal = context.terminal();
        String origin = "http://" + host + ":" + address.getPort();
        terminal.printMessage("Serving MCP at " + origin + "/mcp");
        if (settings.auth() == PatchbaySettings.Auth.OAUTH) {
            terminal.printMessage(
                    "Clients sign in at "
                            + String.join(
                                    ", ",
                                    settings.issuers().stream().map(TokenIssuer::issuer).toList()));
        }
        if (!settings.listen().isLoopback()) {
            terminal.printMessage(
                    "Warning: other machines can connect to "
                            + settings.listen()
                            + " over plain HTTP. Tokens and data are not encrypted: use a proxy"
                            + " with TLS, or listen on 127.0.0.1.");
        }
        if (settings.auth() == PatchbaySettings.Auth.NONE) {
            terminal.printMessage("Dashboard at " + origin + "/");
            terminal.printMessage(
                    "No token is required (http.auth is none): every program and every user of"
                            + " this machine can call the tools.");
        } else if (terminal.isInteractive()) {
            String token = ClientToken.loadOrCreate(context.environment());
            terminal.printMessage("Authorization: Bearer " + token);
            // The browser does not send the part after #.
            terminal.printMessage("Dashboard at " + origin + "/#token=" + token);
        } else {
            // Not a terminal: the output may be stored in a log that others can read.
            terminal.printMessage("Dashboard at " + origin + "/");
            terminal.printMessage("The token is in " + ClientToken.file(context.environment()));
        }
    }
}
