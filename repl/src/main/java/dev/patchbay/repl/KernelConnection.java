package dev.patchbay.repl;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.OutputListener.StandardStream;
import dev.patchbay.repl.kernel.KernelChannel;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One running session JVM, seen from the server: a request goes in, events come out, and its death
 * is an event too. The code in it may do anything, so nothing that it says is taken on trust but
 * its own results: lines and queues are bounded, and a JVM that breaks the rules is ended.
 */
final class KernelConnection implements AutoCloseable {
    private static final System.Logger log = System.getLogger(KernelConnection.class.getName());

    private static final int LINE_BYTES_MAX = 32 * 1024 * 1024;
    private static final int EVENTS_MAX = 4_096;
    private static final int REQUESTS_MAX = 16;
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MARK_TIMEOUT = Duration.ofMillis(250);

    /** The event after which no other comes: the JVM is gone. */
    static final Json JVM_ENDED =
            new JsonWriter().beginObject().member("say", "dead").endObject().toJson();

    private final KernelProcess kernelProcess;
    private final SocketChannel channel;
    private final OutputListener outputListener;
    private final RawOutputReader rawOut;
    private final RawOutputReader rawErr;
    private final BlockingQueue<Json> events = new ArrayBlockingQueue<>(EVENTS_MAX);
    private final BlockingQueue<Json> requests = new ArrayBlockingQueue<>(REQUESTS_MAX);
    private volatile boolean ended;
    private volatile String lastLogMessage = "";
    private boolean marksUsable = true;
    private long sequence;

    private KernelConnection(KernelProcess launch, SocketChannel channel, OutputListener sink) {
        this.kernelProcess = launch;
        this.channel = channel;
        this.outputListener = sink;
        this.rawOut = rawOutputReader(launch.process().getInputStream(), StandardStream.OUT);
        this.rawErr = rawOutputReader(launch.process().getErrorStream(), StandardStream.ERR);
    }

    private RawOutputReader rawOutputReader(InputStream input, StandardStream target) {
        return new RawOutputReader(input, target, outputListener, kernelProcess.secret());
    }

    /** Starts a JVM and waits until it has said who it is. It is not ready by then. */
    static KernelConnection start(ReplSessionOptions options, OutputListener sink)
            throws IOException, InterruptedException {
        var launch = KernelProcess.start(options);
        try {
            var kernel = new KernelConnection(launch, launch.accept(), sink);
            kernel.rawOut.start();
            kernel.rawErr.start();
            startDaemon(kernel::read, "repl session reader");
            startDaemon(kernel::write, "repl session writer");
            return kernel;
        } catch (IOException | InterruptedException | RuntimeException e) {
            launch.close();
            throw e;
        }
    }

    private static void startDaemon(Runnable work, String name) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    boolean hasEnded() {
        return ended || !kernelProcess.process().isAlive();
    }

    /** Sends a request made by {@link #request}. */
    void send(Json request) {
        if (!requests.offer(request)) {
            // It has not taken requests for long: nothing of it can be waited for.
            kernelProcess.kill();
        }
    }

    /** Begins a request of a kind, with a number of its own. */
    JsonWriter request(String operation) {
        return new JsonWriter().beginObject().member("do", operation).member("n", ++sequence);
    }

    /** Asks all code that runs to stop. */
    void stop() {
        send(new JsonWriter().beginObject().member("do", KernelChannel.STOP).endObject().toJson());
    }

    /** The next event, if one comes in time. */
    Optional<Json> nextEvent(Duration patience) throws InterruptedException {
        return Optional.ofNullable(events.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Waits until all is read that was printed to the raw descriptors before an answer. */
    void awaitRawOutput() throws InterruptedException {
        if (marksUsable) {
            // Code that closed a descriptor made it useless; that is waited for once only.
            marksUsable =
                    rawOut.awaitMark(sequence, MARK_TIMEOUT)
                            && rawErr.awaitMark(sequence, MARK_TIMEOUT);
        }
    }

    /** How a dead JVM ended, in words. */
    String exitDescription() {
        try {
            if (!kernelProcess.process().waitFor(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return "stopped answering";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "ended";
        }
        int status = kernelProcess.process().exitValue();
        String words = lastLogMessage.isEmpty() ? "" : " (" + lastLogMessage + ")";
        if (status > 128 && status < 160) {
            return "was killed by signal " + (status - 128) + words;
        }
        return status == KernelChannel.EXIT_FAULT
                ? "could not go on" + words
                : "ended with exit status " + status + words;
    }

    /** Ends the JVM, and the processes that it started. */
    @Override
    public void close() {
        ended = true;
        kernelProcess.close();
        try {
            channel.close();
        } catch (IOException e) {
            log.log(DEBUG, "A session's socket does not close", e);
        }
    }

    /** A thread of its own: a socket channel closes under a caller that is interrupted. */
    private void write() {
        try {
            while (!ended) {
                Json request = requests.poll(1, TimeUnit.SECONDS);
                if (request != null) {
                    write(request);
                }
            }
        } catch (IOException | InterruptedException e) {
            log.log(DEBUG, "A session takes no request", e);
            kernelProcess.kill();
        }
    }

    private void write(Json request) throws IOException {
        var line = ByteBuffer.allocate(request.length() + 1);
        line.put(request.toBytes()).put((byte) '\n').flip();
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    private void read() {
        try (var input = new BufferedInputStream(Channels.newInputStream(channel))) {
            Json event = readLine(input);
            while (event != null && accept(event)) {
                event = readLine(input);
            }
        } catch (IOException | JsonException e) {
            log.log(DEBUG, "A session's line broke", e);
        }
        kernelProcess.kill();
        ended = true;
        if (!events.offer(JVM_ENDED)) {
            events.clear();
            events.add(JVM_ENDED);
        }
    }

    private static @Nullable Json readLine(InputStream input) throws IOException, JsonException {
        var line = new ByteArrayOutputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                return null;
            }
            if (line.size() == LINE_BYTES_MAX) {
                throw new IOException("A line of a session is too long");
            }
            line.write(next);
        }
        return Json.parse(line.toByteArray());
    }

    /** Takes one event in; false if the session is not to be heard any more. */
    private boolean accept(Json event) {
        String kind = event.memberText("say");
        String text = event.memberText("text");
        switch (kind == null ? "" : kind) {
            case KernelChannel.OUT ->
                    outputListener.onOutput(StandardStream.OUT, text == null ? "" : text);
            case KernelChannel.ERR ->
                    outputListener.onOutput(StandardStream.ERR, text == null ? "" : text);
            case "log" -> lastLogMessage = text == null ? "" : text;
            default -> {
                return events.offer(event);
            }
        }
        return true;
    }
}
