package dev.patchbay.stdio;

import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A child process that communicates over its standard streams. Its end is detected at once, by the
 * end of its output or of the process, and ends everything that it started. No method blocks: work
 * that may take time runs on its own thread.
 */
public final class ChildProcess {
    /**
     * Limits of a child's output.
     *
     * @param lineBytesMax the maximum length of a message
     * @param stderrBytesMax how much of the standard error is kept
     * @param stderrListener receives the lines of the standard error
     */
    public record OutputLimits(
            int lineBytesMax, int stderrBytesMax, StderrListener stderrListener) {
        public static final OutputLimits DEFAULTS = new OutputLimits(16 * 1024 * 1024, 64 * 1024);

        public OutputLimits(int lineBytesMax, int stderrBytesMax) {
            this(lineBytesMax, stderrBytesMax, StderrListener.NONE);
        }

        public OutputLimits withStderrListener(StderrListener other) {
            return new OutputLimits(lineBytesMax, stderrBytesMax, other);
        }
    }

    /**
     * How a child is started.
     *
     * @param parent what it inherits
     */
    public record StartOptions(ParentEnvironment parent, ProcessLauncher launcher) {}

    private static final String CLOSED_INPUT = "it closed standard input";
    private static final String CLOSED_OUTPUT = "it closed standard output";

    /** In {@link #exitDescription}, precedes the end of the standard error, escaped. */
    public static final String STDERR_PREFIX = "; standard error: ";

    private static final int READ_FAILURES_MAX = 20;
    private static final int QUEUE_BYTES_MAX = 16 * 1024 * 1024;
    private static final int STDERR_SHOWN_CHARS_MAX = 1024;
    private static final int STDERR_SEARCHED_BYTES_MAX = 64 * 1024;
    private static final int SECRET_CHARS_MIN = 6;
    private static final int SIGNAL_EXIT_OFFSET = 128;
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(2);
    private static final Duration EXIT_DETAILS_TIMEOUT = Duration.ofMillis(50);

    /**
     * Longer than reading takes on a busy machine; a process left behind may keep the pipe open.
     */
    private static final Duration STDERR_TIMEOUT = Duration.ofMillis(500);

    private static final Duration LAST_OUTPUT_TIMEOUT = Duration.ofSeconds(1);

    private final String name;
    private final ProcessCommand command;
    private final Process process;
    private final ProcessGroup group;
    private final StallTrackingOutputStream stdin;
    private final ChildProcessChannel channel;
    private final TailBuffer stderrTail;
    private final StderrListener stderrListener;
    private final CpuActivity cpuActivity;
    private final AtomicReference<@Nullable String> abortReason = new AtomicReference<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicLong stderrBytes = new AtomicLong();
    private final CountDownLatch stderrEnded = new CountDownLatch(1);
    private final CountDownLatch stdoutEnded = new CountDownLatch(1);

    private ChildProcess(
            String name,
            ProcessCommand command,
            Process process,
            OutputLimits limits,
            ProcessGroup group) {
        this.name = name;
        this.command = command;
        this.stderrTail = new TailBuffer(limits.stderrBytesMax());
        this.stderrListener = limits.stderrListener();
        this.process = process;
        this.group = group;
        this.cpuActivity = new CpuActivity(process.pid());
        this.stdin =
                new StallTrackingOutputStream(
                        process.getOutputStream(), () -> abort(CLOSED_INPUT), Ticker.system());
        var writer = LineWriter.withWriterThread(stdin, QUEUE_BYTES_MAX, "write " + name);
        this.channel = new ChildProcessChannel(this, process.getInputStream(), writer, limits);
    }

    /** Starts a program. The exception says what is missing if it cannot be started. */
    public static ChildProcess start(
            String name, ProcessCommand command, OutputLimits limits, ProcessReaper reaper)
            throws IOException {
        var options = new StartOptions(ParentEnvironment.ofThisProcess(), ProcessLauncher.DIRECT);
        return start(name, command, limits, reaper, options);
    }

    /** Starts a program with other options. */
    public static ChildProcess start(
            String name,
            ProcessCommand command,
            OutputLimits limits,
            ProcessReaper reaper,
            StartOptions options)
            throws IOException {
        Map<String, String> ours = options.parent.variables();
        ProcessLauncher launcher = options.launcher;
        command.requireEncodable(Charset.forName(System.getProperty("sun.jnu.encoding")));
        var words = new ArrayList<String>();
        words.add(command.findProgram(ours.get("PATH")).toString());
        words.addAll(command.args());
        var builder = new ProcessBuilder(words).directory(command.requireFolder());
        Process process = start(builder, command.fullEnvironment(ours), launcher);
        var group = new ProcessGroup(process, reaper, launcher.isMonitor());
        var child = new ChildProcess(name, command, process, limits, group);
        Thread.ofPlatform().daemon().name("errors " + name).start(child::readStderr);
        Thread.ofVirtual().start(child::awaitExit);
        return child;
    }

    private static Process start(
            ProcessBuilder builder, Map<String, String> environment, ProcessLauncher launcher)
            throws IOException {
        try {
            builder.environment().clear();
            builder.environment().putAll(environment);
            return launcher.launch(builder);
        } catch (IllegalArgumentException e) {
            // A NUL character, or a name with an equals sign.
            throw new UnusableCommandException(
                    "The command or its environment contains an illegal character");
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

    /** Lets the child exit by itself, and terminates it if it does not. */
    public void stop() {
        if (stopping.compareAndSet(false, true)) {
            Thread.ofVirtual().start(() -> end(true));
        }
    }

    /** Terminates the child at once. */
    public void abort(String why) {
        abortReason.compareAndSet(null, why);
        Thread.ofVirtual().start(() -> end(false));
    }

    /** Kills the child at once. */
    void kill(String why) {
        abortReason.compareAndSet(null, why);
        group.kill();
    }

    /** Waits for the end of the process; returns false on a timeout. */
    public boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** How long the child has not read the data that is being written. */
    public Duration stalledFor() {
        return stdin.stalledFor();
    }

    /** The number of output lines that were not messages. */
    public long strayLineCount() {
        return channel.strayOutput().lineCount();
    }

    /** The last output line that was not a message, shortened and escaped. */
    public String lastStrayLine() {
        return channel.strayOutput().lastLine();
    }

    /** Whether the child is using the processor, if that can be determined. */
    public boolean isUsingCpu() {
        return cpuActivity.isActive();
    }

    /** A number that changes while the child, or a process that it started, is at work. */
    public long measureWork() {
        return ProcessActivity.measure(process.toHandle()) + stderrBytes.get();
    }

    /** Why and how the child ended, and the end of what it wrote to its standard error. */
    public String exitDescription() {
        boolean exited = awaitExitDetails();
        var words = new StringBuilder();
        String why = abortReason.get();
        boolean exitedByItself =
                exited && process.exitValue() < SIGNAL_EXIT_OFFSET && isClosedPipe(why);
        if (why != null && !exitedByItself) {
            words.append(why);
        } else if (!exited) {
            words.append(stdoutEnded.getCount() == 0 ? CLOSED_OUTPUT : "it is running");
        }
        if (exited && (why == null || process.exitValue() < SIGNAL_EXIT_OFFSET)) {
            words.append(words.isEmpty() ? "" : "; ").append(describeExit(process.exitValue()));
        }
        // A secret must be found as a whole, before the text is cut.
        String all = redactSecrets(stderrTail.text(STDERR_SEARCHED_BYTES_MAX)).strip();
        String said = all.substring(Math.max(0, all.length() - STDERR_SHOWN_CHARS_MAX));
        if (!said.isEmpty()) {
            words.append(STDERR_PREFIX).append(DisplayText.escape(said));
        }
        return words.toString();
    }

    /** Whether the child was only given up because it closed a pipe, as an exiting process does. */
    private static boolean isClosedPipe(@Nullable String abortReason) {
        return CLOSED_INPUT.equals(abortReason) || CLOSED_OUTPUT.equals(abortReason);
    }

    private boolean awaitExitDetails() {
        try {
            return awaitEnd(EXIT_DETAILS_TIMEOUT)
                    && (stderrEnded.await(STDERR_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                            || !process.isAlive());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    private static String describeExit(int code) {
        return switch (code - SIGNAL_EXIT_OFFSET) {
            case 6 -> "aborted (SIGABRT)";
            case 9 -> "killed (SIGKILL)";
            case 11 -> "crashed (SIGSEGV)";
            case 15 -> "terminated (SIGTERM)";
            default -> "exited with code " + code;
        };
    }

    /** Puts the names of the configured variables where their values stand, and hides secrets. */
    String redactSecrets(String text) {
        String safe = text;
        for (var entry : command.env().entrySet()) {
            if (entry.getValue().length() >= SECRET_CHARS_MIN) {
                safe = safe.replace(entry.getValue(), "${" + entry.getKey() + "}");
            }
        }
        return command.secretMask().apply(safe);
    }

    /** A child without standard output is useless and is terminated. */
    void stdoutEnded() {
        stdoutEnded.countDown();
        try {
            if (!awaitEnd(EXIT_DETAILS_TIMEOUT)) {
                abort(CLOSED_OUTPUT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(boolean politely) {
        channel.closeInput();
        try {
            if (politely && awaitEnd(GRACE_PERIOD)) {
                return;
            }
            group.terminate();
            if (!awaitEnd(GRACE_PERIOD)) {
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
            group.killRemaining();
            // The last response may still be in the pipe. Processes outside the group may keep the
            // pipe open.
            boolean _ = stdoutEnded.await(LAST_OUTPUT_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        channel.markEnded();
        channel.closeInput();
    }

    private void readStderr() {
        byte[] bytes = new byte[8 * 1024];
        var lines = new StderrLines(line -> stderrListener.onLine(name, redactSecrets(line)));
        try (InputStream in = process.getErrorStream()) {
            while (true) {
                int count = readAfterExitToo(in, bytes);
                if (count < 0) {
                    break;
                }
                stderrTail.add(bytes, count);
                stderrBytes.addAndGet(count);
                lines.add(bytes, count);
            }
        } catch (IOException _) {
            // The pipe is closed, so the child has ended.
        }
        lines.end();
        stderrEnded.countDown();
    }

    /**
     * Reads from the pipe. When a process exits, the JDK takes the rest out of its pipe and closes
     * the pipe. A read at that moment fails, and the next one gets the rest.
     */
    private int readAfterExitToo(InputStream in, byte[] bytes) throws IOException {
        for (int failures = 0; ; failures++) {
            try {
                return in.read(bytes);
            } catch (IOException e) {
                if (process.isAlive() || failures == READ_FAILURES_MAX) {
                    throw e;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
