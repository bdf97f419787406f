package dev.patchbay.embedding;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.oauth.SignInRegistry;
import dev.patchbay.sandbox.ServerSandbox;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.stdio.ChildProcess;
import dev.patchbay.stdio.ParentEnvironment;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.stdio.StderrListener;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * A gateway with everything that it needs to reach servers: over stdio and HTTP, with sign-in. It
 * leaves no process behind, also when the program that embeds it is killed.
 */
public final class EmbeddedGateway implements AutoCloseable {
    /**
     * What a gateway is wired with.
     *
     * @param processReaper ends the processes of servers when this program is killed
     * @param outputLimits how much a process may write
     * @param signInDir where sign-ins are stored; null to store none
     * @param secrets reads the secrets that the values of servers refer to
     * @param parent what the processes of servers inherit
     * @param privateFiles files that no confined server can read, besides sign-ins
     */
    public record Options(
            ProcessReaper processReaper,
            ChildProcess.OutputLimits outputLimits,
            @Nullable Path signInDir,
            SecretResolver secrets,
            ParentEnvironment parent,
            List<Path> privateFiles) {}

    private final ProcessReaper processReaper;
    private final ServerSandbox sandbox;
    private final SignInRegistry signIns;
    private final Gateway gateway;
    private volatile StderrListener stderrListener = StderrListener.NONE;

    private EmbeddedGateway(GatewaySettings settings, Options options) {
        processReaper = options.processReaper;
        signIns = new SignInRegistry(options.signInDir, InstantSource.system());
        sandbox =
                new ServerSandbox(
                        options.parent.variables(), options.signInDir, options.privateFiles);
        var programs =
                new StdioTransportFactory(
                        processReaper,
                        options.outputLimits.withStderrListener(this::passOnStderr),
                        options.secrets,
                        options.parent,
                        sandbox);
        var transports = new DefaultTransportFactory(programs, signIns, options.secrets);
        gateway = Gateway.open(settings, transports, InstantSource.system());
        transports.attachGateway(gateway);
    }

    /** Opens a gateway that reconnects a server when the user has signed in to it. */
    public static EmbeddedGateway open(GatewaySettings settings) {
        return open(settings, SecretResolver.NONE);
    }

    /**
     * Opens such a gateway whose servers may refer to secrets.
     *
     * @param secrets reads the secrets that the values of servers refer to
     */
    public static EmbeddedGateway open(GatewaySettings settings, SecretResolver secrets) {
        var options =
                new Options(
                        new ProcessReaper(),
                        ChildProcess.OutputLimits.DEFAULTS,
                        settings.stateDir(),
                        secrets,
                        ParentEnvironment.ofThisProcess(),
                        List.of());
        EmbeddedGateway opened = open(settings, options);
        opened.reconnectOnSignIn();
        return opened;
    }

    /** Opens a gateway with other options. */
    public static EmbeddedGateway open(GatewaySettings settings, Options options) {
        return new EmbeddedGateway(settings, options);
    }

    /** From now on, a server is connected again when the user has signed in to it. */
    public void reconnectOnSignIn() {
        signIns.setListener(new ReconnectOnSignIn(gateway));
    }

    /** From now on, a listener receives what servers write to their standard error. */
    public void listenToStderr(StderrListener listener) {
        stderrListener = listener;
    }

    private void passOnStderr(String server, String line) {
        stderrListener.onLine(server, line);
    }

    public Gateway gateway() {
        return gateway;
    }

    /** Ends all servers. */
    @Override
    public void close() {
        try (processReaper;
                signIns;
                sandbox) {
            gateway.close();
        }
    }
}
