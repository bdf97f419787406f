package dev.patchbay.repl;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.Printed.Target;
import dev.patchbay.repl.kernel.Wire;

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
final class Kernel implements AutoCloseable {
    private static final System.Logger log = System.getLogger(Kernel.class.getName());

    private static final int LINE_BYTES_MAX = 32 * 1024 * 1024;
    private static final int EVENTS_MAX = 4_096;
    private static final int REQUESTS_MAX = 16;
    private static final Duration EXIT_PATIENCE = Duration.ofSeconds(2);
    private static final Duration MARK_PATIENCE = Duration.ofMillis(250);

    /** The event after which no other comes: the JVM is gone. */
    static final Json DEAD =
            new JsonWriter().beginObject().member("say", "dead").endObject().toJson();

    private final KernelLaunch launch;
    private final SocketChannel channel;
    private final Printed sink;
    private final RawOutput rawOut;
    private final RawOutput rawErr;
    private final BlockingQueue<Json> events = new ArrayBlockingQueue<>(EVENTS_MAX);
    private final BlockingQueue<Json> requests = new ArrayBlockingQueue<>(REQUESTS_MAX);
    private volatile boolean dead;
    private volatile String lastWords = "";
    private boolean marksWork = true;
    private long sequence;

    private Kernel(KernelLaunch launch, SocketChannel channel, Printed sink) {
        this.launch = launch;
        this.channel = channel;
        this.sink = sink;
        this.rawOut = raw(launch.process().getInputStream(), Target.OUT);
        this.rawErr = raw(launch.process().getErrorStream(), Target.ERR);
    }

    private RawOutput raw(InputStream input, Target target) {
        return new RawOutput(input, target, sink, launch.secret());
    }

    /** Starts a JVM and waits until it has said who it is. It is not ready by then. */
    static Kernel start(SessionOptions options, Printed sink)
            throws IOException, InterruptedException {
        var launch = KernelLaunch.start(options);
        try {
            var kernel = new Kernel(launch, launch.accept(), sink);
            kernel.rawOut.start();
            kernel.rawErr.start();
            daemon(kernel::read, "repl session reader");
            daemon(kernel::write, "repl session writer");
            return kernel;
        } catch (IOException | InterruptedException | RuntimeException e) {
            launch.close();
            throw e;
        }
    }

    private static void daemon(Runnable work, String name) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    boolean isDead() {
        return dead || !launch.process().isAlive();
    }

    /** Sends a request made by {@link #request}. */
    void send(Json request) {
        if (!requests.offer(request)) {
            // It has not taken requests for long: nothing of it can be waited for.
            launch.kill();
        }
    }

    /** Begins a request of a kind, with a number of its own. */
    JsonWriter request(String operation) {
        return new JsonWriter().beginObject().member("do", operation).member("n", ++sequence);
    }

    /** Asks all code that runs to stop. */
    void stop() {
        send(new JsonWriter().beginObject().member("do", Wire.STOP).endObject().toJson());
    }

    /** The next event, if one comes in time. */
    Optional<Json> next(Duration patience) throws InterruptedException {
        return Optional.ofNullable(events.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Waits until all is read that was printed to the raw descriptors before an answer. */
    void awaitRawOutput() throws InterruptedException {
        if (marksWork) {
            // Code that closed a descriptor made it useless; that is waited for once only.
            marksWork =
                    rawOut.awaitMark(sequence, MARK_PATIENCE)
                            && rawErr.awaitMark(sequence, MARK_PATIENCE);
        }
    }

    /** How a dead JVM ended, in words. */
    String ending() {
        try {
            if (!launch.process().waitFor(EXIT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return "stopped answering";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "ended";
        }
        int status = launch.process().exitValue();
        String words = lastWords.isEmpty() ? "" : " (" + lastWords + ")";
        if (status > 128 && status < 160) {
            return "was killed by signal " + (status - 128) + words;
        }
        return status == Wire.EXIT_FAULT
                ? "could not go on" + words
                : "ended with exit status " + status + words;
    }

    /** Ends the JVM, and the processes that it started. */
    @Override
    public void close() {
        dead = true;
        launch.close();
        try {
            channel.close();
        } catch (IOException e) {
            log.log(DEBUG, "A session's socket does not close", e);
        }
    }

    /** A thread of its own: a socket channel closes under a caller that is interrupted. */
    private void write() {
        try {
            while (!dead) {
                Json request = requests.poll(1, TimeUnit.SECONDS);
                if (request != null) {
                    write(request);
                }
            }
        } catch (IOException | InterruptedException e) {
            log.log(DEBUG, "A session takes no request", e);
            launch.kill();
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
            Json event = line(input);
            while (event != null && accept(event)) {
                event = line(input);
            }
        } catch (IOException | JsonException e) {
            log.log(DEBUG, "A session's line broke", e);
        }
        launch.kill();
        dead = true;
        if (!events.offer(DEAD)) {
            events.clear();
            events.add(DEAD);
        }
    }

    private static @Nullable Json line(InputStream input) throws IOException, JsonException {
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
            case Wire.OUT -> sink.printed(Target.OUT, text == null ? "" : text);
            case Wire.ERR -> sink.printed(Target.ERR, text == null ? "" : text);
            case "log" -> lastWords = text == null ? "" : text;
            default -> {
                return events.offer(event);
            }
        }
        return true;
    }
}
