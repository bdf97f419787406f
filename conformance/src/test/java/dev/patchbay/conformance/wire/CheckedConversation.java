package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.HistoryChecker;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.SampleLine;
import dev.patchbay.testkit.StrictJson;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * One conversation with the packaged program over real pipes. Whatever a test looks at while it
 * lasts, {@link #finishAndCheck} looks at all of it again: every line, every answer, every code.
 */
final class CheckedConversation implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The variable that has options for the JVM. */
    static final String JVM_OPTIONS_VARIABLE = "PATCHBAY_JAVA_OPTS";

    /** The codes that may ever leave the gateway by itself; servers' own are passed on. */
    private static final Set<Long> GATEWAY_ERROR_CODES =
            Set.of(-32700L, -32600L, -32601L, -32602L, -32603L, -32020L, -32021L, -32022L);

    private final WireMatrixCase matrixCase;
    private final Path folder;
    private final RawStdioClient client;
    private final SchemaCheck schema;
    private final AtomicLong sentinels = new AtomicLong();

    private CheckedConversation(WireMatrixCase cell, Path folder, ProcessLaunch launch) {
        this.matrixCase = cell;
        this.folder = folder;
        this.schema = SchemaCheck.ofClient(cell.version());
        this.client = launch.checkedWith(() -> schema).start();
    }

    /** Starts the program and says nothing to it yet. */
    static CheckedConversation start(WireMatrixCase cell) {
        Path folder = newFolder();
        return new CheckedConversation(cell, folder, launchOptions(cell, folder));
    }

    /** Starts the program as described and says nothing to it yet. */
    static CheckedConversation start(WireMatrixCase cell, Path folder, ProcessLaunch launch) {
        return new CheckedConversation(cell, folder, launch);
    }

    /** Starts the program; a legacy client shakes hands, a modern one has nothing to do. */
    static CheckedConversation open(WireMatrixCase cell) throws InterruptedException {
        return start(cell).initialize();
    }

    CheckedConversation initialize() throws InterruptedException {
        if (!matrixCase.isModern()) {
            JsonTree answer = client.initialize(matrixCase.version());
            assertThat(answer.at("result", "protocolVersion").asText())
                    .isEqualTo(matrixCase.version());
        }
        return this;
    }

    /** How the program is started with no servers and nothing of the user's around it. */
    static ProcessLaunch launchOptions(WireMatrixCase cell, Path folder) {
        return launchOptions(cell, folder, "");
    }

    /** The same, with these options for the JVM beside those of the cell. */
    static ProcessLaunch launchOptions(WireMatrixCase cell, Path folder, String options) {
        PackagedProgram program =
                PackagedProgram.find()
                        .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
        Path file = folder.resolve("patchbay.json");
        try {
            Files.writeString(file, "{\"mcpServers\":{}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command =
                switch (cell.endpoint()) {
                    case GATEWAY -> program.launcherCommand("stdio", "--config", file.toString());
                    case REPL -> program.launcherCommand("repl");
                };
        ProcessLaunch launch =
                ProcessLaunch.of(command)
                        .workingDirectory(folder)
                        .deadline(TIMEOUT)
                        .env("PATCHBAY_JAVA_HOME", System.getProperty("java.home"))
                        .env("HOME", folder.toString())
                        .env("XDG_CONFIG_HOME", folder.toString())
                        .env("XDG_STATE_HOME", folder.toString())
                        .env("XDG_CACHE_HOME", folder.toString());
        Map<String, String> environment = cell.localeSetting().environment();
        environment.forEach(launch::env);
        launch.env(
                JVM_OPTIONS_VARIABLE,
                environment.getOrDefault(JVM_OPTIONS_VARIABLE, "") + " " + options);
        return cell.allowsBatches() ? launch.allowArrays() : launch;
    }

    static Path newFolder() {
        try {
            return Files.createTempDirectory("patchbay-wire");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    WireMatrixCase matrixCase() {
        return matrixCase;
    }

    RawStdioClient client() {
        return client;
    }

    LineOracle oracle() {
        return matrixCase.oracle();
    }

    /** A request as a client of this version writes it. */
    String request(String rawId, String method, String params) {
        return matrixCase.request(rawId, method, params);
    }

    void expectResult(String line, String rawId) throws InterruptedException {
        expect(line, new SingleResponse(Set.of(rawId), Set.of(), true, false));
    }

    void expectError(String line, int code, String rawId) throws InterruptedException {
        expect(line, new SingleResponse(Set.of(rawId), Set.of(code), false, false));
    }

    void expectError(byte[] line, int code, String rawId) throws InterruptedException {
        expect(line, new SingleResponse(Set.of(rawId), Set.of(code), false, false));
    }

    void expectNoResponse(String line) throws InterruptedException {
        expect(line, new NoResponse());
    }

    void expect(String line, ExpectedResponse expected) throws InterruptedException {
        expect(bytes(line), expected);
    }

    /** Sends the line and compares what comes back; the program then still answers a ping. */
    void expect(byte[] line, ExpectedResponse expected) throws InterruptedException {
        List<JsonTree> received = new ArrayList<>();
        for (byte[] answer : responsesTo(line, expected instanceof NoResponse ? 0 : 1)) {
            received.add(StrictJson.parse(answer));
        }
        assertThat(expected.mismatch(received)).as("%s", describe(line)).isEmpty();
    }

    /** The lines that come back for a line: as many as wanted, and all before the next ping. */
    List<byte[]> responsesTo(byte[] line, int wanted) throws InterruptedException {
        String sentinel = "\"sentinel " + sentinels.incrementAndGet() + "\"";
        client.send(lines(line, bytes(ClientMessages.request(sentinel, "ping", ""))));
        byte[] end = bytes("{\"jsonrpc\":\"2.0\",\"id\":" + sentinel + ",\"result\":{}}");
        var answers = new ArrayList<byte[]>();
        boolean alive = false;
        while (!alive || answers.size() < wanted) {
            Optional<byte[]> next = client.poll(TIMEOUT);
            if (next.isEmpty()) {
                break;
            }
            if (Arrays.equals(next.get(), end)) {
                alive = true;
            } else if (!isNotification(next.get())) {
                answers.add(next.get());
            }
        }
        assertThat(alive).as("Alive after %s", describe(line)).isTrue();
        return answers;
    }

    /** Sends all lines in one go and gives what was answered under each id. */
    Map<JsonTree, List<JsonTree>> sendPipelined(List<SampleLine> samples)
            throws InterruptedException {
        var whole = new ByteArrayOutputStream();
        for (SampleLine sample : samples) {
            whole.writeBytes(sample.line());
            whole.write('\n');
        }
        Thread writer = Thread.ofPlatform().start(() -> client.send(whole.toByteArray()));
        var byId = new HashMap<JsonTree, List<JsonTree>>();
        for (int count = 0; count < samples.size(); ) {
            JsonTree message = StrictJson.parse(client.nextLine(TIMEOUT));
            if (!message.has("method")) {
                byId.computeIfAbsent(message.at("id"), _ -> new ArrayList<>()).add(message);
                count++;
            }
        }
        assertThat(writer.join(TIMEOUT)).isTrue();
        return byId;
    }

    /** Ends the input: the program ends well, and nothing it ever said was wrong. */
    void finishAndCheck() throws InterruptedException {
        client.closeInput();
        assertThat(client.exitCode(TIMEOUT)).as("exit code, %s", matrixCase).isZero();
        assertThat(client.awaitOutputEnd(TIMEOUT)).isTrue();
        assertAllCorrect();
        close();
    }

    /** Checks all that was said so far. */
    void assertAllCorrect() {
        assertThat(client.violations()).as("%s", matrixCase).isEmpty();
        assertThat(HistoryChecker.check(client.history(), oracle())).as("%s", matrixCase).isEmpty();
        assertThat(schema.errorCodes()).as("%s", matrixCase).isSubsetOf(GATEWAY_ERROR_CODES);
    }

    @Override
    public void close() {
        client.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            return; // a folder left behind fails nothing
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** These lines, each with its line feed. */
    static byte[] lines(byte[]... lines) {
        var whole = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            whole.writeBytes(line);
            whole.write('\n');
        }
        return whole.toByteArray();
    }

    static String describe(byte[] line) {
        return new SampleLine("line", line).toString();
    }

    private static boolean isNotification(byte[] line) {
        return StrictJson.tryParse(line).filter(m -> m.has("method") && !m.has("id")).isPresent();
    }
}
