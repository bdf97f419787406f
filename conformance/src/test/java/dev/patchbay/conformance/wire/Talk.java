package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.HistoryChecker;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.Sample;
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
 * lasts, {@link #finish} looks at all of it again: every line, every answer, every code.
 */
final class Talk implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The variable that has options for the JVM. */
    static final String OPTIONS = "PATCHBAY_JAVA_OPTS";

    /** The codes that may ever leave the gateway by itself; servers' own are passed on. */
    private static final Set<Long> CODES =
            Set.of(-32700L, -32600L, -32601L, -32602L, -32603L, -32020L, -32021L, -32022L);

    private final Cell cell;
    private final Path folder;
    private final RawClient client;
    private final SchemaCheck schema;
    private final AtomicLong sentinels = new AtomicLong();

    private Talk(Cell cell, Path folder, Launch launch) {
        this.cell = cell;
        this.folder = folder;
        this.schema = SchemaCheck.ofClient(cell.version());
        this.client = launch.checkedBy(() -> schema).start();
    }

    /** Starts the program and says nothing to it yet. */
    static Talk start(Cell cell) {
        Path folder = newFolder();
        return new Talk(cell, folder, launch(cell, folder));
    }

    /** Starts the program as described and says nothing to it yet. */
    static Talk start(Cell cell, Path folder, Launch launch) {
        return new Talk(cell, folder, launch);
    }

    /** Starts the program; a legacy client shakes hands, a modern one has nothing to do. */
    static Talk open(Cell cell) throws InterruptedException {
        return start(cell).opened();
    }

    Talk opened() throws InterruptedException {
        if (!cell.modern()) {
            JsonTree answer = client.initialize(cell.version());
            assertThat(answer.at("result", "protocolVersion").text()).isEqualTo(cell.version());
        }
        return this;
    }

    /** How the program is started with no servers and nothing of the user's around it. */
    static Launch launch(Cell cell, Path folder) {
        return launch(cell, folder, "");
    }

    /** The same, with these options for the JVM beside those of the cell. */
    static Launch launch(Cell cell, Path folder, String options) {
        Program program = Program.find().orElseThrow(() -> new AssertionError(Program.MISSING));
        Path file = folder.resolve("patchbay.json");
        try {
            Files.writeString(file, "{\"mcpServers\":{}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command =
                switch (cell.endpoint()) {
                    case GATEWAY -> program.launcher("stdio", "--config", file.toString());
                    case REPL -> program.launcher("repl");
                };
        Launch launch =
                Launch.of(command)
                        .in(folder)
                        .deadline(PATIENCE)
                        .env("PATCHBAY_JAVA_HOME", System.getProperty("java.home"))
                        .env("HOME", folder.toString())
                        .env("XDG_CONFIG_HOME", folder.toString())
                        .env("XDG_STATE_HOME", folder.toString())
                        .env("XDG_CACHE_HOME", folder.toString());
        Map<String, String> environment = cell.surroundings().environment();
        environment.forEach(launch::env);
        launch.env(OPTIONS, environment.getOrDefault(OPTIONS, "") + " " + options);
        return cell.batches() ? launch.allowArrays() : launch;
    }

    static Path newFolder() {
        try {
            return Files.createTempDirectory("patchbay-wire");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Cell cell() {
        return cell;
    }

    RawClient client() {
        return client;
    }

    LineOracle oracle() {
        return cell.oracle();
    }

    /** A request as a client of this version writes it. */
    String request(String rawId, String method, String params) {
        return cell.request(rawId, method, params);
    }

    void expectResult(String line, String rawId) throws InterruptedException {
        expect(line, new Answer(Set.of(rawId), Set.of(), true, false));
    }

    void expectError(String line, int code, String rawId) throws InterruptedException {
        expect(line, new Answer(Set.of(rawId), Set.of(code), false, false));
    }

    void expectError(byte[] line, int code, String rawId) throws InterruptedException {
        expect(line, new Answer(Set.of(rawId), Set.of(code), false, false));
    }

    void expectSilence(String line) throws InterruptedException {
        expect(line, new Silence());
    }

    void expect(String line, Expectation expected) throws InterruptedException {
        expect(bytes(line), expected);
    }

    /** Sends the line and compares what comes back; the program then still answers a ping. */
    void expect(byte[] line, Expectation expected) throws InterruptedException {
        List<JsonTree> received = new ArrayList<>();
        for (byte[] answer : answersTo(line, expected instanceof Silence ? 0 : 1)) {
            received.add(StrictJson.parse(answer));
        }
        assertThat(expected.complaint(received)).as("%s", shown(line)).isEmpty();
    }

    /** The lines that come back for a line: as many as wanted, and all before the next ping. */
    List<byte[]> answersTo(byte[] line, int wanted) throws InterruptedException {
        String sentinel = "\"sentinel " + sentinels.incrementAndGet() + "\"";
        client.send(lines(line, bytes(Messages.request(sentinel, "ping", ""))));
        byte[] end = bytes("{\"jsonrpc\":\"2.0\",\"id\":" + sentinel + ",\"result\":{}}");
        var answers = new ArrayList<byte[]>();
        boolean alive = false;
        while (!alive || answers.size() < wanted) {
            Optional<byte[]> next = client.poll(PATIENCE);
            if (next.isEmpty()) {
                break;
            }
            if (Arrays.equals(next.get(), end)) {
                alive = true;
            } else if (!isNotification(next.get())) {
                answers.add(next.get());
            }
        }
        assertThat(alive).as("Alive after %s", shown(line)).isTrue();
        return answers;
    }

    /** Sends all lines in one go and gives what was answered under each id. */
    Map<JsonTree, List<JsonTree>> pipelined(List<Sample> samples) throws InterruptedException {
        var whole = new ByteArrayOutputStream();
        for (Sample sample : samples) {
            whole.writeBytes(sample.line());
            whole.write('\n');
        }
        Thread writer = Thread.ofPlatform().start(() -> client.send(whole.toByteArray()));
        var byId = new HashMap<JsonTree, List<JsonTree>>();
        for (int count = 0; count < samples.size(); ) {
            JsonTree message = StrictJson.parse(client.next(PATIENCE));
            if (!message.has("method")) {
                byId.computeIfAbsent(message.at("id"), _ -> new ArrayList<>()).add(message);
                count++;
            }
        }
        assertThat(writer.join(PATIENCE)).isTrue();
        return byId;
    }

    /** Ends the input: the program ends well, and nothing it ever said was wrong. */
    void finish() throws InterruptedException {
        client.closeInput();
        assertThat(client.exitCode(PATIENCE)).as("exit code, %s", cell).isZero();
        assertThat(client.awaitEnd(PATIENCE)).isTrue();
        assertAllWell();
        close();
    }

    /** Checks all that was said so far. */
    void assertAllWell() {
        assertThat(client.violations()).as("%s", cell).isEmpty();
        assertThat(HistoryChecker.check(client.history(), oracle())).as("%s", cell).isEmpty();
        assertThat(schema.codes()).as("%s", cell).isSubsetOf(CODES);
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

    static String shown(byte[] line) {
        return new Sample("line", line).toString();
    }

    private static boolean isNotification(byte[] line) {
        return StrictJson.tryParse(line).filter(m -> m.has("method") && !m.has("id")).isPresent();
    }
}
