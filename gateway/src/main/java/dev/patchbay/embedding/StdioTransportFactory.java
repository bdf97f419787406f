package dev.patchbay.embedding;

import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.sandbox.ServerSandbox;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.PermanentOpenException;
import dev.patchbay.server.SecretMask;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.StrayOutput;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.stdio.ChildProcess;
import dev.patchbay.stdio.PackageRunner;
import dev.patchbay.stdio.ParentEnvironment;
import dev.patchbay.stdio.ProcessCommand;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.stdio.UnusableCommandException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Starts the processes of servers that speak on their standard streams. */
public final class StdioTransportFactory implements TransportFactory {
    private final ProcessReaper processReaper;
    private final ChildProcess.OutputLimits limits;
    private final SecretResolver secrets;
    private final ParentEnvironment parent;
    private final ServerSandbox sandbox;

    public StdioTransportFactory(ProcessReaper janitor) {
        this(
                janitor,
                ChildProcess.OutputLimits.DEFAULTS,
                SecretResolver.NONE,
                ParentEnvironment.ofThisProcess(),
                new ServerSandbox(System.getenv(), null, List.of()));
    }

    /**
     * @param secrets read each time a server starts
     * @param parent what the processes inherit
     * @param sandbox confines the servers whose configuration demands it
     */
    public StdioTransportFactory(
            ProcessReaper janitor,
            ChildProcess.OutputLimits limits,
            SecretResolver secrets,
            ParentEnvironment parent,
            ServerSandbox sandbox) {
        this.processReaper = janitor;
        this.limits = limits;
        this.secrets = secrets;
        this.parent = parent;
        this.sandbox = sandbox;
    }

    @Override
    public TransportConnection open(ServerSpec spec) throws IOException {
        if (!(spec.transport() instanceof Transport.Stdio stdio)) {
            throw new IOException("Not a program: " + spec.transport().typeName());
        }
        ConfiguredValues.Resolved env = stdio.env().resolve(secrets);
        var command =
                new ProcessCommand(
                        stdio.command(),
                        stdio.args(),
                        env.values(),
                        parent.resolveFolder(stdio.cwd()),
                        env.mask()::apply);
        try {
            return new StdioTransportConnection(
                    ChildProcess.start(
                            spec.id().value(),
                            command,
                            limits,
                            processReaper,
                            new ChildProcess.StartOptions(
                                    parent, sandbox.launcher(spec.id().value(), stdio.sandbox()))),
                    PackageRunner.nameOf(stdio.command(), stdio.args()),
                    env.mask());
        } catch (UnusableCommandException e) {
            throw new PermanentOpenException(String.valueOf(e.getMessage()));
        }
    }

    /** A process as a server's supervisor sees it. */
    private record StdioTransportConnection(
            ChildProcess child, String packageRunner, SecretMask mask)
            implements TransportConnection {
        @Override
        public Channel channel() {
            return child.channel();
        }

        @Override
        public String closeReason() {
            return child.exitDescription();
        }

        @Override
        public String maskSecrets(String text) {
            return mask.apply(text);
        }

        @Override
        public void abort(String why) {
            child.abort(why);
        }

        @Override
        public boolean awaitEnd(Duration patience) throws InterruptedException {
            return child.awaitEnd(patience);
        }

        @Override
        public Duration stalledFor() {
            return child.stalledFor();
        }

        @Override
        public StrayOutput strayOutput() {
            return new StrayOutput(child.strayLineCount(), child.lastStrayLine());
        }

        @Override
        public long measureWork() {
            return child.measureWork();
        }

        @Override
        public boolean isUsingCpu() {
            return child.isUsingCpu();
        }
    }
}
