package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigWatcher.Timing;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A file that changes while the gateway runs. */
@Timeout(120)
class ConfigWatcherTest {
    private static final Timing TIMING = new Timing(Duration.ofMillis(50), Duration.ofMillis(400));

    @TempDir Path folder;
    private Path file;
    private ConfigWatcher watcher;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private final class Notes implements ConfigWatcher.Listener {
        @Override
        public void changed(Configuration now, ConfigurationDiff diff, List<Finding> findings) {
            told.add("changed " + commands(now));
        }

        @Override
        public void broken(List<Finding> findings) {
            told.add("broken " + findings.getFirst().place());
        }
    }

    @BeforeEach
    void chooseFile() {
        file = folder.resolve("patchbay.json");
    }

    @AfterEach
    void close() {
        watcher.close();
    }

    @Test
    void tellsANewContent() throws Exception {
        watch(text("one"));
        Files.writeString(file, text("two"));
        assertThat(next()).isEqualTo("changed [two]");
        assertThat(commands(watcher.active())).isEqualTo("[two]");
    }

    @Test
    void tellsWhatChangedBeforeItBegan() throws Exception {
        Files.writeString(file, text("two"));
        begin(Samples.valid(text("one")).configuration());
        assertThat(next()).isEqualTo("changed [two]");
    }

    @Test
    @Tag("fault-62")
    void keepsTheOldWhileTheFileIsBroken() throws Exception {
        watch(text("one"));
        Files.writeString(file, text("two").substring(0, 20));
        assertThat(next()).isEqualTo("broken 1:21");
        assertThat(commands(watcher.active())).isEqualTo("[one]");
        Files.writeString(file, text("one"));
        assertThat(next()).isEqualTo("changed [one]");
    }

    @Test
    void keepsTheOldWhileTheFileIsGone() throws Exception {
        watch(text("one"));
        Files.delete(file);
        assertThat(next()).isEqualTo("broken 1:1");
        assertThat(commands(watcher.active())).isEqualTo("[one]");
        Files.writeString(file, text("two"));
        assertThat(next()).isEqualTo("changed [two]");
    }

    @Test
    void waitsForAFileThatIsStillBeingWritten() throws Exception {
        Files.writeString(file, text("one"));
        var patient = new Timing(Duration.ofMillis(50), Duration.ofSeconds(3));
        begin(Samples.valid(text("one")).configuration(), patient);
        var whole = text("two");
        for (int length = 0; length <= whole.length(); length += 5) {
            Files.writeString(file, whole.substring(0, length));
            assertThat(told.poll(10, TimeUnit.MILLISECONDS)).isNull();
        }
        Files.writeString(file, whole);
        assertThat(next()).isEqualTo("changed [two]");
    }

    @Test
    void seesAReplacedFile() throws Exception {
        watch(text("one"));
        var other = Files.writeString(folder.resolve("other"), text("two"));
        Files.move(
                other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        assertThat(next()).isEqualTo("changed [two]");
    }

    /**
     * As mounted volumes are renewed: the file and its folder are links, and one of them is
     * swapped.
     */
    @Test
    void seesASwappedLink() throws Exception {
        for (var name : List.of("one", "two")) {
            var version = Files.createDirectory(folder.resolve("version-" + name));
            Files.writeString(version.resolve("patchbay.json"), text(name));
        }
        Files.createSymbolicLink(folder.resolve("data"), Path.of("version-one"));
        Files.createSymbolicLink(file, Path.of("data/patchbay.json"));
        begin(Samples.valid(text("one")).configuration());
        Files.createSymbolicLink(folder.resolve("next"), Path.of("version-two"));
        Files.move(folder.resolve("next"), folder.resolve("data"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(next()).isEqualTo("changed [two]");

        Files.writeString(folder.resolve("version-two/patchbay.json"), text("three"));
        assertThat(next()).isEqualTo("changed [three]");
    }

    @Test
    void saysNothingOfAChangeWithoutMeaning() throws Exception {
        watch(text("one"));
        Files.writeString(file, "// a comment\n" + text("one"));
        Files.writeString(folder.resolve("neighbour"), "x");
        assertThat(told.poll(1_000, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void followsTheEditor() throws Exception {
        watch(text("one"));
        new ConfigEditor(file).add(Entry.stdio("b", List.of("two"), Map.of()));
        assertThat(next()).isEqualTo("changed [one, two]");
    }

    /** Whatever is written, what is in force is one of the whole configurations. */
    @Test
    @Tag("fault-62")
    void neverPutsAPartInForce() throws Exception {
        watch(text("one"));
        var random = new Random(62);
        for (int i = 0; i < 200; i++) {
            var whole = text(i % 2 == 0 ? "one" : "two");
            Files.writeString(file, whole.substring(0, random.nextInt(whole.length())));
            assertThat(commands(watcher.active())).isIn("[one]", "[two]");
        }
        Files.writeString(file, text("three"));
        var last = next();
        while (!last.equals("changed [three]")) {
            assertThat(last).startsWith("broken ");
            last = next();
        }
    }

    @Test
    void tellsNothingAfterItIsClosed() throws Exception {
        watch(text("one"));
        watcher.close();
        Files.writeString(file, text("two"));
        assertThat(told.poll(1_000, TimeUnit.MILLISECONDS)).isNull();
    }

    private void watch(String text) throws IOException {
        Files.writeString(file, text);
        begin(Samples.valid(text).configuration());
    }

    private void begin(Configuration active) {
        begin(active, TIMING);
    }

    private void begin(Configuration active, Timing timing) {
        watcher = new ConfigWatcher(file, new ConfigReader(Map.of()), active, timing, new Notes());
    }

    private String next() throws InterruptedException {
        var next = told.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("told within 30 s").isNotNull();
        return next;
    }

    private static String text(String command) {
        return "{\"mcpServers\": {\"a\": {\"command\": \"" + command + "\"}}}";
    }

    private static String commands(Configuration configuration) {
        return configuration.servers().stream()
                .map(server -> (Transport.Stdio) server.transport())
                .map(stdio -> stdio.command())
                .toList()
                .toString();
    }
}
