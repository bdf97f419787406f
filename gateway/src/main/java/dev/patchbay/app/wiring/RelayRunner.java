package dev.patchbay.app.wiring;

import dev.patchbay.daemon.DaemonConnector;
import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.daemon.Relay;
import dev.patchbay.stdio.LineWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Serves one client on the standard streams through the user's daemon, until its input ends, its
 * output fails, or the process is terminated.
 */
final class RelayRunner {
    private static final int QUEUE_BYTES_MAX = 8 * 1024 * 1024;

    /** Longer than a daemon takes for the last answers. */
    private static final Duration LAST_ANSWERS_MAX = Duration.ofSeconds(310);

    private final AppContext context;
    private final DaemonConnector connector;
    private final DaemonRequest.ClientStart client;
    private final @Nullable String view;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean outputBroken;
    private volatile boolean finished;

    /**
     * @param view the view that the client gets; null for all tools
     */
    RelayRunner(
            AppContext context,
            DaemonConnector connector,
            DaemonRequest.ClientStart client,
            @Nullable String view) {
        this.context = context;
        this.connector = connector;
        this.client = client;
        this.view = view;
    }

    /**
     * Attaches and serves; returns the exit code.
     *
     * @throws IOException if the client cannot be attached; nothing was read from it
     */
    int serve() throws IOException, InterruptedException {
        DaemonConnector.Attached attached = attach(0, true);
        attached.reply().messages().forEach(context.terminal()::printMessage);
        var writer =
                LineWriter.withSenderWrites(
                        new FailureDetectingOutput(context.streams().out(), this::onOutputBroken),
                        QUEUE_BYTES_MAX);
        var relay =
                new Relay(
                        questionId -> attach(questionId, false),
                        attached,
                        writer,
                        context.terminal()::printMessage);
        Thread.ofPlatform().daemon().name("stdin").start(() -> readInput(relay));
        var terminated = Thread.ofPlatform().unstarted(() -> onShutdown(relay, writer));
        Runtime.getRuntime().addShutdownHook(terminated);
        ended.await();
        finish(relay, writer);
        return outputBroken ? ExitCode.FAILED : ExitCode.OK;
    }

    private DaemonConnector.Attached attach(long questionIdMin, boolean isNew) throws IOException {
        return connector.attach(
                new DaemonRequest.Attach(DaemonRunner.build(), isNew, client, view, questionIdMin));
    }

    private void readInput(Relay relay) {
        try {
            relay.run(context.streams().in());
        } catch (IOException _) {
            // The client is gone.
        } finally {
            ended.countDown();
        }
    }

    private void finish(Relay relay, LineWriter writer) throws InterruptedException {
        if (!outputBroken) {
            relay.endInput();
            boolean _ = relay.awaitEnd(LAST_ANSWERS_MAX);
        }
        writer.close();
        finished = true;
    }

    private void onShutdown(Relay relay, LineWriter writer) {
        if (finished) {
            return;
        }
        try {
            finish(relay, writer);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    private void onOutputBroken() {
        outputBroken = true;
        ended.countDown();
    }
}
