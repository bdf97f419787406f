package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.clients.McpService;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.stdio.LineChannel;
import dev.patchbay.stdio.LineWriter;
import dev.patchbay.stdio.StandardStreams;
import dev.patchbay.text.LoggedFailure;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Serves one client on the standard streams until its input ends, its output fails, or the process
 * is terminated. Requests that were read before are still answered.
 */
public final class StdioServerRunner {
    private static final int QUEUE_BYTES_MAX = 8 * 1024 * 1024;

    /** How long the client may take to read the last responses after the grace period. */
    private static final Duration FINAL_WRITE_GRACE = Duration.ofSeconds(1);

    private final PatchbaySettings.Limits limits;
    private final LineChannel channel;
    private final Connection connection;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable onEnd;
    private volatile boolean outputBroken;
    private volatile boolean inputFailed;
    private volatile boolean finished;

    /**
     * Creates a runner.
     *
     * @param atEnd called before the process ends
     */
    public StdioServerRunner(
            McpService service,
            StandardStreams streams,
            PatchbaySettings.Limits limits,
            Runnable atEnd) {
        this.limits = limits;
        this.onEnd = atEnd;
        LineWriter writer =
                LineWriter.withSenderWrites(
                        new FailureDetectingOutput(streams.out(), this::onOutputBroken),
                        QUEUE_BYTES_MAX);
        channel =
                new LineChannel(
                        streams.in(),
                        writer,
                        limits.clientMessageBytesMax(),
                        limits.clientLineBytesMax());
        connection = ClientHandler.connect(service, channel, limits.requestsPerClientMax());
    }

    /** Serves until the end and returns the exit code. */
    public int serve() throws InterruptedException {
        Thread.ofPlatform().daemon().name("stdin").start(this::readInput);
        var terminated = Thread.ofPlatform().unstarted(this::onShutdown);
        Runtime.getRuntime().addShutdownHook(terminated);
        ended.await();
        finish();
        return outputBroken || inputFailed ? ExitCode.FAILED : ExitCode.OK;
    }

    private void readInput() {
        try {
            connection.run();
        } catch (IOException e) {
            log().log(DEBUG, "The input broke", new LoggedFailure(e));
        } catch (Throwable e) { // no end of input: it must not look like one
            inputFailed = true;
            log().log(ERROR, "The input cannot be read any more", new LoggedFailure(e));
        } finally {
            ended.countDown();
        }
    }

    private void finish() throws InterruptedException {
        if (!outputBroken) {
            // On its own thread: a client that does not read can block the last responses.
            Thread answers =
                    Thread.ofPlatform().daemon().name("drain").start(this::drainConnection);
            boolean _ = answers.join(limits.shutdownGrace().plus(FINAL_WRITE_GRACE));
        }
        channel.close();
        onEnd.run();
        finished = true;
    }

    private void drainConnection() {
        try {
            connection.drain(limits.shutdownGrace());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The process is being terminated: pending responses are still sent, and the exit code is 0.
     */
    private void onShutdown() {
        if (finished) {
            return;
        }
        try {
            finish();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    private void onOutputBroken() {
        outputBroken = true;
        ended.countDown();
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(StdioServerRunner.class.getName());
    }
}
