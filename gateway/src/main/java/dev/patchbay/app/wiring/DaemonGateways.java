package dev.patchbay.app.wiring;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.clients.GatewayService;
import dev.patchbay.config.Environment;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.daemon.DaemonReply;
import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.daemon.DaemonRequest.ClientStart;
import dev.patchbay.daemon.GatewayProvider;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.stdio.ParentEnvironment;
import dev.patchbay.stdio.StandardStreams;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The gateways of the daemon. Clients share one if they use the same file and everything that it
 * depends on is the same for them.
 */
final class DaemonGateways implements GatewayProvider {
    /** How long a change of the configuration may take until it is in use. */
    private static final Duration RELOAD_MAX = Duration.ofSeconds(5);

    private final Ticker ticker;
    private final DaemonRunner.CommandLineRunner commandLine;
    private final List<SharedGateway> gateways = new ArrayList<>();
    private boolean isClosed;

    DaemonGateways(Ticker ticker, DaemonRunner.CommandLineRunner commandLine) {
        this.ticker = ticker;
        this.commandLine = commandLine;
    }

    /** A gateway and its clients. Guarded by the provider. */
    private static final class SharedGateway {
        private final GatewayIdentity identity;
        private final ConfiguredGateway configured;
        private final Map<GatewayView, GatewayService> services = new ConcurrentHashMap<>();
        private int clientCount;

        /** Changes with each client, so that an old plan to close the gateway has no effect. */
        private long leaseCount;

        SharedGateway(GatewayIdentity identity, ConfiguredGateway configured) {
            this.identity = identity;
            this.configured = configured;
        }

        /** What the clients of a view share; null for all tools. */
        GatewayService service(@Nullable String view) throws InterruptedException {
            if (view != null && configured.gateway().view(view).isEmpty()) {
                configured.awaitCurrentFile(RELOAD_MAX); // it may have been added just now
            }
            return services.computeIfAbsent(configured.view(view), GatewayService::new);
        }

        SharedGateway acquire() {
            clientCount++;
            leaseCount++;
            return this;
        }
    }

    @Override
    public Opened open(DaemonRequest.Attach request) {
        ClientStart client = request.client();
        Environment environment = environment(client, client.variables());
        var messages = new ByteArrayOutputStream();
        var terminal = Terminal.ofMessages(new PrintStream(messages, true, StandardCharsets.UTF_8));
        var context = new AppContext(noStreams(), terminal, environment);
        try {
            SharedGateway gateway = acquire(context, client);
            return gateway == null
                    ? refused("the daemon is ending")
                    : new Opened.Ready(lease(gateway, request, lines(messages)));
        } catch (CommandFailedException e) {
            return new Opened.Refused(
                    new DaemonReply.Refused(
                            DaemonReply.Reason.CONFIGURATION,
                            String.valueOf(e.getMessage()),
                            e.exitCode(),
                            lines(messages)));
        }
    }

    private ClientLease lease(
            SharedGateway gateway, DaemonRequest.Attach request, List<String> messages) {
        try {
            GatewayService service = gateway.service(request.view());
            return new ClientLease(gateway, service, messages, request.client().workingDirectory());
        } catch (CommandFailedException e) {
            release(gateway);
            throw e;
        } catch (InterruptedException e) {
            release(gateway);
            Thread.currentThread().interrupt();
            throw new CommandFailedException(ExitCode.FAILED, "Interrupted");
        }
    }

    private static Environment environment(ClientStart client, Map<String, String> variables) {
        return new Environment(
                Environment.Platform.of(System.getProperty("os.name")),
                client.home(),
                client.workingDirectory(),
                variables);
    }

    private static StandardStreams noStreams() {
        return new StandardStreams(InputStream.nullInputStream(), OutputStream.nullOutputStream());
    }

    /** The gateway for a client, opened if there is none; null if the daemon is ending. */
    private synchronized @Nullable SharedGateway acquire(AppContext context, ClientStart client) {
        Environment environment = context.environment();
        GatewayIdentity identity = GatewayIdentity.of(environment, client.config());
        for (SharedGateway gateway : gateways) {
            if (gateway.identity.fits(identity)) {
                ConfiguredGateway.requireValid(context, client.config());
                return gateway.acquire();
            }
        }
        if (isClosed) {
            return null;
        }
        var parent = new ParentEnvironment(environment.variables(), identity.folder());
        var configured = ConfiguredGateway.open(context, client.config(), parent);
        configured.watchForChanges();
        configured.recordService("daemon");
        var gateway = new SharedGateway(identity, configured);
        gateways.add(gateway);
        return gateway.acquire();
    }

    /** The gateway that fits a command best. */
    @Override
    public synchronized @Nullable CommandLease find(ClientStart client) {
        Environment environment = environment(client, client.variables());
        GatewayIdentity identity = GatewayIdentity.of(environment, client.config());
        SharedGateway found = null;
        for (SharedGateway gateway : gateways) {
            if (gateway.identity.fits(identity)) {
                return new GatewayForCommand(gateway.acquire(), true);
            }
            if (found == null && gateway.identity.answers(identity)) {
                found = gateway;
            }
        }
        return found == null ? null : new GatewayForCommand(found.acquire(), false);
    }

    private static Opened refused(String message) {
        return new Opened.Refused(
                new DaemonReply.Refused(
                        DaemonReply.Reason.ENDING, message, ExitCode.FAILED, List.of()));
    }

    private static List<String> lines(ByteArrayOutputStream messages) {
        return messages.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private synchronized void release(SharedGateway gateway) {
        gateway.clientCount--;
        if (gateway.clientCount == 0) {
            long lease = gateway.leaseCount;
            Duration patience = gateway.configured.settings().daemon().idleExit();
            ticker.schedule(
                    patience, () -> Thread.ofVirtual().start(() -> closeIfUnused(gateway, lease)));
        }
    }

    private void closeIfUnused(SharedGateway gateway, long lease) {
        synchronized (this) {
            if (gateway.clientCount > 0 || gateway.leaseCount != lease) {
                return;
            }
            gateways.remove(gateway);
        }
        gateway.configured.close();
    }

    @Override
    public Json describe() {
        var writer = new JsonWriter().beginArray();
        for (SharedGateway gateway : present()) {
            writer.beginObject();
            Path file = gateway.identity.file();
            if (file != null) {
                writer.member("config", file.toString());
            }
            writer.member("clients", gateway.clientCount).name("servers").beginArray();
            for (ServerReport server : gateway.configured.gateway().servers()) {
                writer.value(server.toJson());
            }
            writer.endArray().endObject();
        }
        return writer.endArray().toJson();
    }

    private synchronized List<SharedGateway> present() {
        return List.copyOf(gateways);
    }

    @Override
    public void close() {
        List<SharedGateway> open;
        synchronized (this) {
            isClosed = true;
            open = List.copyOf(gateways);
            gateways.clear();
        }
        open.forEach(gateway -> gateway.configured.close());
    }

    /** The use of a gateway by one client. */
    private final class ClientLease implements Lease {
        private final SharedGateway gateway;
        private final GatewayService service;
        private final List<String> messages;
        private final Path directory;

        ClientLease(
                SharedGateway gateway,
                GatewayService service,
                List<String> messages,
                Path directory) {
            this.gateway = gateway;
            this.service = service;
            this.messages = List.copyOf(messages);
            this.directory = directory;
        }

        private PatchbaySettings settings() {
            return gateway.configured.settings();
        }

        @Override
        public ClientConnection connect(Channel channel) {
            var session =
                    ClientHandler.open(
                            service,
                            channel,
                            settings().limits().requestsPerClientMax(),
                            directory.toString());
            return new ClientConnection() {
                @Override
                public Connection connection() {
                    return session.connection();
                }

                @Override
                public void close() {
                    session.close();
                }
            };
        }

        @Override
        public Limits limits() {
            PatchbaySettings.Limits limits = settings().limits();
            return new Limits(
                    limits.clientMessageBytesMax(),
                    limits.clientLineBytesMax(),
                    limits.shutdownGrace());
        }

        @Override
        public List<String> messages() {
            return messages;
        }

        @Override
        public Duration idleExit() {
            return settings().daemon().idleExit();
        }

        @Override
        public void close() {
            release(gateway);
        }
    }

    /** The use of a gateway by a command. */
    private final class GatewayForCommand implements CommandLease {
        private final SharedGateway gateway;
        private final boolean isSameEnvironment;

        GatewayForCommand(SharedGateway gateway, boolean isSameEnvironment) {
            this.gateway = gateway;
            this.isSameEnvironment = isSameEnvironment;
        }

        @Override
        public int run(Command command) {
            var terminal = Terminal.ofRemote(command);
            ClientStart client = command.request().client();
            // The servers see these variables, and a diagnosis has to see the same.
            Environment environment = environment(client, gateway.identity.variables());
            ConfiguredGateway lent = gateway.configured;
            try {
                lent.awaitCurrentFile(RELOAD_MAX);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return ExitCode.FAILED;
            }
            if (!isSameEnvironment) {
                terminal.printMessage(
                        "patchbay: Answered by the background gateway, whose environment differs"
                                + " from this one, for example in PATH. Use --standalone to start"
                                + " the servers here.");
            }
            var context = new AppContext(noStreams(), terminal, environment, lent);
            return commandLine.run(command.request().arguments().toArray(String[]::new), context);
        }

        @Override
        public Duration idleExit() {
            return gateway.configured.settings().daemon().idleExit();
        }

        @Override
        public void close() {
            release(gateway);
        }
    }
}
