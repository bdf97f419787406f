package dev.patchbay.app;

import dev.patchbay.config.Listen;
import dev.patchbay.config.Settings;
import dev.patchbay.front.GatewayService;
import dev.patchbay.http.Access;
import dev.patchbay.http.HttpLimits;
import dev.patchbay.http.HttpServer;
import dev.patchbay.http.HttpSettings;
import dev.patchbay.http.WebPart;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Serves many clients over HTTP until the process is told to end. */
final class HttpServing {
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
        try (HttpServer server = start()) {
            workspace.watch();
            tellWhere(server.address());
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().unstarted(() -> end(ended, done)));
            ended.await();
        }
        workspace.close();
        done.countDown();
        return Exit.OK;
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

    private HttpServer start() {
        var listen = new InetSocketAddress(settings.listen().host(), settings.listen().port());
        var http =
                new HttpSettings(listen, access(), Set.copyOf(settings.allowedHosts()), limits());
        Map<String, WebPart> parts = Map.of("/healthz", new Health(workspace.gateway()));
        try {
            var doors = new GatewayDoors(new GatewayService(workspace.gateway()));
            return HttpServer.start(http, doors, parts);
        } catch (IOException e) {
            throw new CommandFailed(
                    Exit.FAILED,
                    "Cannot listen on %s: %s. Is another program there? Choose with --listen."
                            .formatted(settings.listen(), e.getMessage()));
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
        String host =
                address.getAddress().isAnyLocalAddress() ? "127.0.0.1" : address.getHostString();
        Terminal terminal = context.terminal();
        terminal.say("Serving MCP at http://" + host + ":" + address.getPort() + "/mcp");
        if (settings.auth() == Settings.Auth.TOKEN) {
            terminal.say("Authorization: Bearer " + Token.of(context.surroundings()));
        }
    }
}
