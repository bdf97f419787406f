package dev.patchbay.stdio;

import dev.patchbay.jsonrpc.Channel;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One process that speaks on its standard streams. Its end is noticed at once, by the end of its
 * output or of the process itself, and takes everything it started along. Nothing here makes a
 * caller wait: whatever may take time has a thread of its own.
 */
public final class Child {
    /**
     * How much is taken of a child.
     *
     * @param lineBytesMax the longest message
     * @param errorsBytesMax what is kept of its standard error
     */
    public record Limits(int lineBytesMax, int errorsBytesMax) {
        public static final Limits DEFAULTS = new Limits(16 * 1024 * 1024, 64 * 1024);
    }

    /** In {@link #lastWords}, what comes before the end of its standard error, escaped. */
    public static final String SAID = "; it wrote to standard error: ";

    private static final int QUEUE_BYTES_MAX = 16 * 1024 * 1024;
    private static final int ERRORS_SHOWN_BYTES = 1024;
    private static final int SECRET_CHARS_MIN = 6;
    private static final int SIGNALLED = 128;
    private static final Duration POLITENESS = Duration.ofSeconds(2);
    private static final Duration WORDS_PATIENCE = Duration.ofMillis(50);
    private static final Duration LAST_OUTPUT_PATIENCE = Duration.ofSeconds(1);

    private final String name;
    private final Map<String, String> env;
    private final Process process;
    private final ProcessGroup group;
    private final PipeOutput input;
    private final ChildChannel channel;
    private final Tail errors;
    private final ProcessorTime time;
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch errorsEnded = new CountDownLatch(1);
    private final CountDownLatch outputEnded = new CountDownLatch(1);

    private Child(String name, Command command, Process process, Limits limits, Janitor janitor) {
        this.name = name;
        this.env = command.env();
        this.errors = new Tail(limits.errorsBytesMax());
        this.process = process;
        this.group = new ProcessGroup(process, janitor);
        this.time = new ProcessorTime(process.pid());
        this.input =
                new PipeOutput(
                        process.getOutputStream(), () -> abort("it closed its standard input"));
        var writer = LineWriter.byThread(input, QUEUE_BYTES_MAX, "write " + name);
        this.channel = new ChildChannel(this, process.getInputStream(), writer, limits);
    }

    /** Starts a program. It is said what is missing if it cannot be started. */
    public static Child start(String name, Command command, Limits limits, Janitor janitor)
            throws IOException {
        Map<String, String> ours = System.getenv();
        command.requireExpressible(Charset.forName(System.getProperty("sun.jnu.encoding")));
        var words = new ArrayList<String>(ProcessGroup.prefix());
        words.add(command.program(ours.get("PATH")).toString());
        words.addAll(command.args());
        var builder = new ProcessBuilder(words).directory(command.checkedFolder());
        Process process = start(builder, command.environment(ours));
        var child = new Child(name, command, process, limits, janitor);
        Thread.ofPlatform().daemon().name("errors " + name).start(child::keepErrors);
        Thread.ofVirtual().start(child::awaitExit);
        return child;
    }

    private static Process start(ProcessBuilder builder, Map<String, String> environment)
            throws IOException {
        try {
            builder.environment().clear();
            builder.environment().putAll(environment);
            return Descriptors.start(builder);
        } catch (IllegalArgumentException e) {
            // A null character, or a name with an equals sign.
            throw new IOException("The command or its environment is not legal", e);
        }
    }

    public Channel channel() {
        return channel;
    }

    public long pid() {
        return process.pid();
    }

    String name() {
        return name;
    }

    /** Lets the child end by itself, and helps if it does not. */
    public void stop() {
        if (stopping.compareAndSet(false, true)) {
            Thread.ofVirtual().start(() -> end(true));
        }
    }

    /** Ends the child without waiting for it to end by itself, and says why. */
    public void abort(String why) {
        reason.compareAndSet(null, why);
        Thread.ofVirtual().start(() -> end(false));
    }

    /** Ends the child without a warning. */
    void kill(String why) {
        reason.compareAndSet(null, why);
        group.kill();
    }

    /** Waits for the end of the process; false if it has not ended in time. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** For how long the child has not taken what is being written to it now. */
    public Duration stalled() {
        return input.stalled();
    }

    /** How many lines of its output were no messages. */
    public long noiseLines() {
        return channel.noise().lines();
    }

    /** The last line of its output that was no message, cut short and escaped. */
    public String lastNoise() {
        return channel.noise().last();
    }

    /** Whether the child uses the processor, as far as can be seen. */
    public boolean isAtWork() {
        return time.isSpent();
    }

    /** Why and how the child ended, and the end of what it wrote to its standard error. */
    public String lastWords() {
        boolean exited = awaitLastWords();
        var words = new StringBuilder();
        String why = reason.get();
        if (why != null) {
            words.append(why);
        } else if (!exited) {
            words.append(outputEnded.getCount() == 0 ? "it closed its output" : "it is running");
        }
        if (exited && (why == null || process.exitValue() < SIGNALLED)) {
            words.append(words.isEmpty() ? "" : "; ").append(exit(process.exitValue()));
        }
        String said = withoutSecrets(errors.text(ERRORS_SHOWN_BYTES)).strip();
        if (!said.isEmpty()) {
            words.append(SAID).append(Tail.escaped(said));
        }
        return words.toString();
    }

    private boolean awaitLastWords() {
        try {
            return awaitEnd(WORDS_PATIENCE)
                    && (errorsEnded.await(WORDS_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                            || !process.isAlive());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    private static String exit(int code) {
        return switch (code - SIGNALLED) {
            case 6 -> "it aborted (SIGABRT)";
            case 9 -> "it was killed (SIGKILL)";
            case 11 -> "it crashed (SIGSEGV)";
            case 15 -> "it was terminated (SIGTERM)";
            default -> "it exited with code " + code;
        };
    }

    /** Puts the names of the configured variables where their values stand. */
    private String withoutSecrets(String text) {
        String safe = text;
        for (var entry : env.entrySet()) {
            if (entry.getValue().length() >= SECRET_CHARS_MIN) {
                safe = safe.replace(entry.getValue(), "${" + entry.getKey() + "}");
            }
        }
        return safe;
    }

    /** A child without output is dead to us, whatever else it does. */
    void outputEnded() {
        outputEnded.countDown();
        try {
            if (!awaitEnd(WORDS_PATIENCE)) {
                abort("it closed its standard output");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(boolean politely) {
        channel.closeInput();
        try {
            if (politely && awaitEnd(POLITENESS)) {
                return;
            }
            group.terminate();
            if (!awaitEnd(POLITENESS)) {
                group.kill();
            }
        } catch (InterruptedException _) {
            group.kill();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitExit() {
        try {
            process.waitFor();
            group.sweep();
            // The last answer may still be in the pipe. What left the group may keep the pipe open.
            boolean _ = outputEnded.await(LAST_OUTPUT_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        channel.end();
        channel.closeInput();
    }

    private void keepErrors() {
        byte[] bytes = new byte[8 * 1024];
        try (InputStream in = process.getErrorStream()) {
            while (true) {
                int count = in.read(bytes);
                if (count < 0) {
                    break;
                }
                errors.add(bytes, count);
            }
        } catch (IOException _) {
            // The pipe is gone, and so is the child.
        }
        errorsEnded.countDown();
    }
}
