package dev.patchbay.app;

import dev.patchbay.config.Listen;
import dev.patchbay.config.Settings;
import dev.patchbay.dashboard.Dashboard;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.front.GatewayService;
import dev.patchbay.http.Access;
import dev.patchbay.http.HttpLimits;
import dev.patchbay.http.HttpServer;
import dev.patchbay.http.HttpSettings;
import dev.patchbay.http.WebPart;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/** Serves many clients over HTTP until the process is told to end. */
final class HttpServing {
    private static final Duration DOCTOR_STEP_MAX = Duration.ofSeconds(3);

    private final Context context;
    private final Workspace workspace;
    private final Settings.Http settings;

    /** Where to listen, given on the command line, goes before what the configuration says. */
    HttpServing(Context context, Workspace workspace, @Nullable Listen listen) {
        this.context = context;
        this.workspace = workspace;
        Settings.Http configured = workspace.settings().http();
        this.settings = listen == null ? configured : configured.withListen(listen);
    }

    /** Serves to the end; the exit code. */
    int serve() throws InterruptedException {
        if (settings.isOpenToTheNetwork()) {
            throw new CommandFailed(
                    Exit.WRONG_USAGE,
                    settings.listen()
                            + " can be reached by others, but no token is wanted. Set http.auth to"
                            + " \"token\", or listen on 127.0.0.1.");
        }
        var ended = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        var started = new AtomicReference<@Nullable HttpServer>();
        IntSupplier sessions =
                () -> Optional.ofNullable(started.get()).map(HttpServer::sessions).orElse(0);
        try (var dashboard = dashboard(sessions);
                HttpServer server = start(dashboard)) {
            started.set(server);
            workspace.watch();
            tellWhere(server.address());
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().unstarted(() -> end(ended, done)));
            ended.await();
        } finally {
            workspace.close();
            done.countDown();
        }
        return Exit.OK;
    }

    private Dashboard dashboard(IntSupplier sessions) {
        var doctor = new Doctor(context.surroundings(), DOCTOR_STEP_MAX);
        return new Dashboard(workspace.gateway(), InstantSource.system(), doctor, sessions);
    }

    /** The process was told to end: wait for the way out, and end as one that was asked to. */
    private static void end(CountDownLatch ended, CountDownLatch done) {
        ended.countDown();
        try {
            done.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(Exit.OK);
    }

    private HttpServer start(Dashboard dashboard) {
        var listen = new InetSocketAddress(settings.listen().host(), settings.listen().port());
        var http =
                new HttpSettings(
                        listen,
                        access(),
                        Set.copyOf(settings.allowedHosts()),
                        Set.copyOf(settings.allowedOrigins()),
                        limits());
        var parts = new HashMap<String, WebPart>(dashboard.parts());
        parts.put("/healthz", new Health(workspace.gateway()));
        try {
            var doors = new GatewayDoors(new GatewayService(workspace.gateway()));
            return HttpServer.start(http, doors, parts);
        } catch (IOException e) {
            throw new CommandFailed(
                    Exit.FAILED,
                    "%s. Is another program there? Choose with --listen."
                            .formatted(e.getMessage()));
        }
    }

    private HttpLimits limits() {
        Settings.Limits chosen = workspace.settings().limits();
        var sizes = HttpLimits.DEFAULTS.sizes();
        return HttpLimits.DEFAULTS.withSizes(
                new HttpLimits.Sizes(chosen.clientMessageBytesMax(), sizes.headerBytesMax()));
    }

    private Access access() {
        return settings.auth() == Settings.Auth.NONE
                ? Access.OPEN
                : Access.token(Token.of(context.surroundings()));
    }

    private void tellWhere(InetSocketAddress address) {
        String name = settings.listen().host();
        String numbers = name.contains(":") ? "[" + name + "]" : name;
        String host = address.getAddress().isAnyLocalAddress() ? "127.0.0.1" : numbers;
        Terminal terminal = context.terminal();
        String origin = "http://" + host + ":" + address.getPort();
        terminal.say("Serving MCP at " + origin + "/mcp");
        if (settings.auth() == Settings.Auth.TOKEN) {
            String token = Token.of(context.surroundings());
            terminal.say("Authorization: Bearer " + token);
            // What stands behind the # stays in the browser.
            terminal.say("Dashboard at " + origin + "/#token=" + token);
        } else {
            terminal.say("Dashboard at " + origin + "/");
        }
    }
}
