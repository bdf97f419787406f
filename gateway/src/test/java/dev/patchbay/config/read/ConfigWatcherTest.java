package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Configuration;
import dev.patchbay.config.ConfigurationDiff;
import dev.patchbay.config.Finding;
import dev.patchbay.config.edit.ConfigEditor;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.read.ConfigWatcher.Timing;
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
@Tag("slow")
@Timeout(120)
class ConfigWatcherTest {
    private static final Timing TIMING = new Timing(Duration.ofMillis(50), Duration.ofMillis(400));

    @TempDir Path folder;
    private Path file;
    private ConfigWatcher watcher;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final class RecordingListener implements ConfigWatcher.Listener {
        @Override
        public void onChange(Configuration now, ConfigurationDiff diff, List<Finding> findings) {
            events.add("changed " + commands(now));
        }

        @Override
        public void onInvalidFile(List<Finding> findings) {
            events.add("broken " + findings.getFirst().position());
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
    void reportsNewContent() throws Exception {
        writeAndWatch(text("one"));
        Files.writeString(file, text("two"));
        assertThat(nextEvent()).isEqualTo("changed [two]");
        assertThat(commands(watcher.active())).isEqualTo("[two]");
    }

    @Test
    void reportsChangeMadeBeforeStart() throws Exception {
        Files.writeString(file, text("two"));
        startWatcher(ConfigSamples.readValid(text("one")).configuration());
        assertThat(nextEvent()).isEqualTo("changed [two]");
    }

    @Test
    @Tag("fault-62")
    void keepsLastConfigurationWhileFileIsInvalid() throws Exception {
        writeAndWatch(text("one"));
        Files.writeString(file, text("two").substring(0, 20));
        assertThat(nextEvent()).isEqualTo("broken 1:21");
        assertThat(commands(watcher.active())).isEqualTo("[one]");
        Files.writeString(file, text("one"));
        assertThat(nextEvent()).isEqualTo("changed [one]");
    }

    @Test
    void keepsLastConfigurationWhileFileIsMissing() throws Exception {
        writeAndWatch(text("one"));
        Files.delete(file);
        assertThat(nextEvent()).isEqualTo("broken 1:1");
        assertThat(commands(watcher.active())).isEqualTo("[one]");
        Files.writeString(file, text("two"));
        assertThat(nextEvent()).isEqualTo("changed [two]");
    }

    @Test
    void waitsUntilFileIsFullyWritten() throws Exception {
        Files.writeString(file, text("one"));
        var patient = new Timing(Duration.ofMillis(50), Duration.ofSeconds(3));
        startWatcher(ConfigSamples.readValid(text("one")).configuration(), patient);
        var whole = text("two");
        for (int length = 0; length <= whole.length(); length += 5) {
            Files.writeString(file, whole.substring(0, length));
            assertThat(events.poll(10, TimeUnit.MILLISECONDS)).isNull();
        }
        Files.writeString(file, whole);
        assertThat(nextEvent()).isEqualTo("changed [two]");
    }

    @Test
    void detectsReplacedFile() throws Exception {
        writeAndWatch(text("one"));
        var other = Files.writeString(folder.resolve("other"), text("two"));
        Files.move(
                other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        assertThat(nextEvent()).isEqualTo("changed [two]");
    }

    /**
     * As mounted volumes are renewed: the file and its folder are links, and one of them is
     * swapped.
     */
    @Test
    void detectsSwappedLink() throws Exception {
        for (var name : List.of("one", "two")) {
            var version = Files.createDirectory(folder.resolve("version-" + name));
            Files.writeString(version.resolve("patchbay.json"), text(name));
        }
        Files.createSymbolicLink(folder.resolve("data"), Path.of("version-one"));
        Files.createSymbolicLink(file, Path.of("data/patchbay.json"));
        startWatcher(ConfigSamples.readValid(text("one")).configuration());
        Files.createSymbolicLink(folder.resolve("next"), Path.of("version-two"));
        Files.move(folder.resolve("next"), folder.resolve("data"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(nextEvent()).isEqualTo("changed [two]");

        Files.writeString(folder.resolve("version-two/patchbay.json"), text("three"));
        assertThat(nextEvent()).isEqualTo("changed [three]");
    }

    @Test
    void ignoresChangeWithoutEffect() throws Exception {
        writeAndWatch(text("one"));
        Files.writeString(file, "// a comment\n" + text("one"));
        Files.writeString(folder.resolve("neighbour"), "x");
        assertThat(events.poll(1_000, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void detectsEditByConfigEditor() throws Exception {
        writeAndWatch(text("one"));
        new ConfigEditor(file).add(ConfigEntry.stdio("b", List.of("two"), Map.of()));
        assertThat(nextEvent()).isEqualTo("changed [one, two]");
    }

    /** Whatever is written, what is in force is one of the whole configurations. */
    @Test
    @Tag("fault-62")
    void neverAppliesPartialFile() throws Exception {
        writeAndWatch(text("one"));
        var random = new Random(62);
        for (int i = 0; i < 200; i++) {
            var whole = text(i % 2 == 0 ? "one" : "two");
            Files.writeString(file, whole.substring(0, random.nextInt(whole.length())));
            assertThat(commands(watcher.active())).isIn("[one]", "[two]");
        }
        Files.writeString(file, text("three"));
        var last = nextEvent();
        while (!last.equals("changed [three]")) {
            assertThat(last).startsWith("broken ");
            last = nextEvent();
        }
    }

    @Test
    void waitsUntilTheFileAsItIsNowIsActive() throws Exception {
        writeAndWatch(text("one"));
        Files.writeString(file, text("two"));
        assertThat(watcher.awaitCurrent(Duration.ofSeconds(30))).isTrue();
        assertThat(commands(watcher.active())).isEqualTo("[two]");
        assertThat(watcher.awaitCurrent(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void reportsNothingAfterClose() throws Exception {
        writeAndWatch(text("one"));
        watcher.close();
        Files.writeString(file, text("two"));
        assertThat(events.poll(1_000, TimeUnit.MILLISECONDS)).isNull();
    }

    private void writeAndWatch(String text) throws IOException {
        Files.writeString(file, text);
        startWatcher(ConfigSamples.readValid(text).configuration());
    }

    private void startWatcher(Configuration active) {
        startWatcher(active, TIMING);
    }

    private void startWatcher(Configuration active, Timing timing) {
        watcher =
                new ConfigWatcher(
                        file, new ConfigReader(Map.of()), active, timing, new RecordingListener());
    }

    private String nextEvent() throws InterruptedException {
        var next = events.poll(30, TimeUnit.SECONDS);
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
