package dev.patchbay.app;

import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.server.Chatter;
import dev.patchbay.server.Opener;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.stdio.Child;
import dev.patchbay.stdio.Command;
import dev.patchbay.stdio.Janitor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Starts the processes of servers that speak on their standard streams. */
public final class ProcessOpener implements Opener {
    private final Janitor janitor;
    private final Child.Limits limits;

    public ProcessOpener(Janitor janitor) {
        this(janitor, Child.Limits.DEFAULTS);
    }

    public ProcessOpener(Janitor janitor, Child.Limits limits) {
        this.janitor = janitor;
        this.limits = limits;
    }

    @Override
    public Opened open(ServerSpec spec) throws IOException {
        if (!(spec.transport() instanceof Transport.Stdio stdio)) {
            throw new IOException("Not a program: " + spec.transport().word());
        }
        String folder = stdio.cwd();
        var command =
                new Command(
                        stdio.command(),
                        stdio.args(),
                        stdio.env(),
                        folder == null ? null : Path.of(folder));
        return new OpenedProcess(Child.start(spec.id().value(), command, limits, janitor));
    }

    /** A process as a server's supervisor sees it. */
    private record OpenedProcess(Child child) implements Opened {
        @Override
        public Channel channel() {
            return child.channel();
        }

        @Override
        public String lastWords() {
            return child.lastWords();
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
        public Duration stalled() {
            return child.stalled();
        }

        @Override
        public Chatter chatter() {
            return new Chatter(child.noiseLines(), child.lastNoise());
        }

        @Override
        public boolean isAtWork() {
            return child.isAtWork();
        }
    }
}
