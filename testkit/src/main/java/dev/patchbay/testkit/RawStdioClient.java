package dev.patchbay.testkit;

import dev.patchbay.testkit.ProcessLaunch.StderrMode;
import dev.patchbay.testkit.ReceivedLineQueue.Line;
import dev.patchbay.testkit.TrafficLine.Direction;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A client that speaks raw bytes over real pipes to a process it started. Every line received is
 * checked; what was wrong is in {@link #violations}. Lines nobody waited for are kept, so
 * notifications and answers may be awaited in any order and from several threads.
 */
public final class RawStdioClient implements AutoCloseable {
    private static final int READ_BYTES = 64 * 1024;
    private static final int SHOWN_VIOLATIONS_MAX = 3;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STDERR_END_TIMEOUT = Duration.ofSeconds(5);

    private final ProcessLaunch launch;
    private final Process process;
    private final OutputStream input;
    private final ReceivedLineQueue inbox = new ReceivedLineQueue();
    private final OutputRules rules;
    private final OutputTail stderrTail = new OutputTail();
    private final CountDownLatch stderrEnded = new CountDownLatch(1);
    private final PauseGate reading = new PauseGate();
    private final TrafficLog traffic;
    private final LineSplitter sentLines = new LineSplitter(this::recordSent);
    private final AtomicLong receivedBytes = new AtomicLong();
    private final AtomicLong nextId = new AtomicLong(1);
    private volatile boolean hasSent;
    private volatile boolean killed;

    private RawStdioClient(ProcessLaunch launch, Process process) {
        this.launch = launch;
        this.process = process;
        this.input = process.getOutputStream();
        this.rules = new OutputRules(launch.allowsArrays());
        this.traffic = new TrafficLog(launch.keepsHistory(), launch.check());
    }

    /** Starts the process; failing to start it fails the test. */
    public static RawStdioClient start(ProcessLaunch launch) {
        try {
            var client = new RawStdioClient(launch, launch.builder().start());
            client.startReaders();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + launch.command(), e);
        }
    }

    private void startReaders() throws IOException {
        Thread.ofPlatform().daemon().name("stdout of " + pid()).start(this::readOutput);
        if (launch.stderr() == StderrMode.READ) {
            Thread.ofPlatform().daemon().name("stderr of " + pid()).start(this::readStderr);
        } else if (launch.stderr() == StderrMode.READER_CLOSED) {
            process.getErrorStream().close();
        }
    }

    /** Writes these bytes as they are. A process that is gone or deaf fails the test. */
    public void send(byte[] bytes) {
        if (!trySend(bytes)) {
            throw new AssertionError("Cannot write to the process. " + describeProcess());
        }
    }

    /** Writes these bytes as they are; says whether the process took them. */
    public boolean trySend(byte[] bytes) {
        hasSent = true;
        synchronized (input) {
            sentLines.accept(bytes, bytes.length);
            try {
                input.write(bytes);
                input.flush();
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** Writes the text in UTF-8 and a line feed, in one write. */
    public void sendLine(String line) {
        send(Utf8Text.encode(line + "\n"));
    }

    /** Writes the bytes and a line feed, in one write. */
    public void sendLine(byte[] line) {
        byte[] whole = Arrays.copyOf(line, line.length + 1);
        whole[line.length] = '\n';
        send(whole);
    }

    /** Ends the input of the process. */
    public void closeInput() {
        try {
            input.close();
        } catch (IOException e) {
            return; // the process was gone already, which is the same to it
        }
    }

    /** Closes our end of its output: its next write fails with a broken pipe. */
    public void closeOutput() {
        killed = true;
        try {
            process.getInputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops reading its output once the next bytes have come, so that the pipe fills up. */
    public void pauseReading() {
        reading.shut();
    }

    public void resumeReading() {
        reading.open();
    }

    /** The next line nobody has taken, without its line feed; none in time fails the test. */
    public byte[] nextLine(Duration patience) throws InterruptedException {
        return poll(patience)
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "No line within " + patience + ". " + describeProcess()));
    }

    /** The next line nobody has taken, or nothing if none came in time. */
    public Optional<byte[]> poll(Duration patience) throws InterruptedException {
        return inbox.take(line -> true, patience).map(Line::bytes);
    }

    /** Takes the first message that fits; none in time fails the test. */
    public JsonTree awaitMessage(Predicate<JsonTree> fits, Duration patience)
            throws InterruptedException {
        return poll(fits, patience)
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "No such message within "
                                                + patience
                                                + ". "
                                                + describeProcess()));
    }

    /** Takes the first message that fits, or nothing if none came in time. */
    public Optional<JsonTree> poll(Predicate<JsonTree> fits, Duration patience)
            throws InterruptedException {
        return inbox.take(line -> line.tree().filter(fits).isPresent(), patience)
                .flatMap(Line::tree);
    }

    /** Takes the answer to the request with this id, given as it was spelled. */
    public JsonTree awaitResponse(String rawId) throws InterruptedException {
        Optional<JsonTree> id = Optional.of(StrictJson.parse(rawId));
        return awaitMessage(
                message -> !message.has("method") && message.member("id").equals(id),
                launch.deadline());
    }

    /** Takes the first notification or request of this method. */
    public JsonTree awaitMethod(String method) throws InterruptedException {
        var wanted = Optional.of(new JsonTree.Str(method));
        return awaitMessage(message -> message.member("method").equals(wanted), launch.deadline());
    }

    /** An id this client has not used before. */
    public String uniqueId() {
        return Long.toString(nextId.getAndIncrement());
    }

    /** Sends a request (params as JSON text, empty for none) and returns the id it went under. */
    public String sendRequest(String method, String params) {
        String id = uniqueId();
        sendLine(ClientMessages.request(id, method, params));
        return id;
    }

    /** Sends a request, as {@link #sendRequest}, and returns the whole answer. */
    public JsonTree request(String method, String params) throws InterruptedException {
        return awaitResponse(sendRequest(method, params));
    }

    /** Sends a request of 2026-07-28: the params and the {@code _meta} that version wants. */
    public JsonTree modernRequest(String method, String params) throws InterruptedException {
        return request(method, ClientMessages.modernParams(params));
    }

    public void sendNotification(String method, String params) {
        sendLine(ClientMessages.notification(method, params));
    }

    /** The legacy handshake: returns the answer to initialize, after which we said initialized. */
    public JsonTree initialize(String version) throws InterruptedException {
        JsonTree answer = request("initialize", ClientMessages.initializeParams(version));
        sendNotification("notifications/initialized", "");
        return answer;
    }

    /** Calls a tool (arguments as JSON text) and returns the whole answer. */
    public JsonTree callTool(String tool, String arguments) throws InterruptedException {
        return request("tools/call", ClientMessages.callParams(tool, arguments));
    }

    /** Everything that was wrong with the output so far; empty is the aim. */
    public List<String> violations() {
        var all = new ArrayList<>(rules.violations());
        all.addAll(traffic.violations());
        return all;
    }

    /** The lines sent and received so far, in order. */
    public List<TrafficLine> history() {
        return traffic.lines();
    }

    /** How many lines lie untaken. */
    public int untakenLineCount() {
        return inbox.size();
    }

    public long receivedBytes() {
        return receivedBytes.get();
    }

    /** The newest part of what the process wrote to standard error. */
    public String stderr() {
        awaitStderrEnd();
        return stderrTail.text();
    }

    public long stderrBytes() {
        awaitStderrEnd();
        return stderrTail.totalBytes();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long residentBytes() {
        return ProcessInspector.residentBytes(pid());
    }

    public List<Long> children() {
        return ProcessInspector.children(pid());
    }

    /** Waits until the output ended and was read; says whether it did. */
    public boolean awaitOutputEnd(Duration patience) throws InterruptedException {
        return inbox.awaitEnd(patience);
    }

    /** Waits for the process to end; its survival fails the test. */
    public int exitCode(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("Still running after " + patience + ". " + describeProcess());
        }
        return process.exitValue();
    }

    /** Sends a signal by name, as {@code signal("TERM")}. */
    public void signal(String name) throws InterruptedException {
        killed = true;
        ProcessInspector.signal(pid(), name);
    }

    /** Ends the process at once (SIGKILL). */
    public void kill() {
        killed = true;
        process.destroyForcibly();
    }

    /**
     * Ends the input, waits a while, then kills what is left of the process. A line that did not
     * pass the check of the launch fails the test here, if it did not before.
     */
    @Override
    public void close() {
        terminate();
        List<String> faults = traffic.violations();
        if (!faults.isEmpty()) {
            throw new AssertionError("Lines that do not fit: " + faults);
        }
    }

    private void terminate() {
        killed = true;
        reading.open();
        try {
            Thread closer = Thread.ofPlatform().daemon().start(this::closeInput);
            if (!process.waitFor(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            closer.join(CLOSE_TIMEOUT);
            inbox.awaitEnd(STDERR_END_TIMEOUT);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void readOutput() {
        var lines = new LineSplitter(this::recordReceived);
        byte[] buffer = new byte[READ_BYTES];
        try (InputStream output = process.getInputStream()) {
            for (int n = output.read(buffer); n >= 0; n = output.read(buffer)) {
                if (!hasSent) {
                    rules.addViolation("Output before the first request", Arrays.copyOf(buffer, n));
                }
                reading.awaitOpen();
                receivedBytes.addAndGet(n);
                lines.accept(buffer, n);
            }
        } catch (IOException | InterruptedException e) {
            killed = true; // our own doing: the stream was closed under us
        } finally {
            if (lines.remainder().length > 0 && !killed) {
                rules.addViolation("The output ended within a line", lines.remainder());
            }
            inbox.close();
        }
    }

    private void recordReceived(byte[] line) {
        traffic.add(Direction.RECEIVED, line);
        inbox.put(new Line(line, rules.check(line)));
    }

    private void recordSent(byte[] line) {
        traffic.add(Direction.SENT, line);
    }

    private void readStderr() {
        byte[] buffer = new byte[READ_BYTES];
        try (InputStream stream = process.getErrorStream()) {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                stderrTail.add(buffer, n);
            }
        } catch (IOException e) {
            return; // the process was killed
        } finally {
            stderrEnded.countDown();
        }
    }

    /** The last words of a process that has ended may still be on their way. */
    private void awaitStderrEnd() {
        if (launch.stderr() == StderrMode.READ && !process.isAlive()) {
            try {
                var _ = stderrEnded.await(STDERR_END_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<String> firstViolations(List<String> violations) {
        return violations.subList(0, Math.min(violations.size(), SHOWN_VIOLATIONS_MAX));
    }

    /** What a failed test wants to know about the process. */
    private String describeProcess() {
        String life = process.isAlive() ? "runs" : "exited with " + process.exitValue();
        return "Process "
                + pid()
                + " "
                + life
                + (inbox.ended() ? ", its output ended" : "")
                + "; untaken lines: "
                + inbox.size()
                + "; violations: "
                + firstViolations(violations())
                + "; stderr: "
                + Utf8Text.abbreviate(stderr());
    }
}
