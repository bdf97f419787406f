package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What servers told is there at once after a start, and told as what it is. */
@Tag("slow")
class LastKnownListTest {
    @TempDir private Path folder;
    private GatewaySettings settings;

    @BeforeEach
    void configureStateDir() {
        settings = GatewaySettings.DEFAULTS.withStateDir(folder.resolve("state"));
    }

    private List<Path> storedFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("state").resolve("lists"))) {
            return files.toList();
        }
    }

    /** A server whose traces and command are the same in every gateway of a test. */
    private ServerScript script(GatewayFixture fleet) throws IOException {
        Path tools = folder.resolve("tools.json");
        if (Files.notExists(tools)) {
            Files.writeString(
                    tools, "[{\"name\":\"echo\",\"description\":\"é\",\"x-behaviour\":\"echo\"}]");
        }
        return fleet.script("a")
                .withOption("tools-file", tools.toString())
                .withOption("start-delay", 1_000);
    }

    private void storeListing() throws Exception {
        try (var fleet = new GatewayFixture(folder, settings)) {
            fleet.add(script(fleet));
            assertThat(GatewayFixture.names(fleet.discover().tools())).containsExactly("a.echo");
        }
    }

    @Test
    void clientListIsAvailableBeforeTheServerStarts() throws Exception {
        storeListing();
        try (var fleet = new GatewayFixture(folder, settings)) {
            fleet.add(script(fleet));
            var watch = Stopwatch.start();
            var catalog = fleet.gateway.awaitCatalog(Duration.ofSeconds(60));
            assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(250));
            assertThat(catalog.tools()).hasSize(1);
            assertThat(fleet.gateway.tools()).noneMatch(ToolReport::available);
            assertThat(fleet.report("a").stale()).isTrue();
            assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.equals(List.of("tools"))))
                    .isTrue();
            assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
            assertThat(GatewayFixture.becomesTrue(() -> !fleet.report("a").stale())).isTrue();
            assertThat(fleet.changes).as("clients see the same").containsExactly("tools");
        }
    }

    @Test
    void toolsOfAFailedServerStayListedAsStale() throws Exception {
        storeListing();
        Files.writeString(folder.resolve("tools.json"), "no list at all");
        try (var fleet = new GatewayFixture(folder, settings)) {
            fleet.add(script(fleet));
            DiscoveryResult result = fleet.discover();
            assertThat(result.serverResults().getFirst().status())
                    .isEqualTo(DiscoveryResult.DiscoveryStatus.ERROR);
            assertThat(result.tools()).isEmpty();
            assertThat(fleet.gateway.tools()).hasSize(1).noneMatch(ToolReport::available);
            InvocationResult call = fleet.call("a.echo", "{}");
            assertThat(call.server()).isEqualTo(new ServerId("a"));
        }
    }

    @Test
    void changedConfigurationHasNoStoredListing() throws Exception {
        storeListing();
        try (var fleet = new GatewayFixture(folder, settings)) {
            fleet.add(script(fleet).withOption("instructions", "other"));
            assertThat(fleet.gateway.tools()).isEmpty();
        }
    }

    @Test
    void corruptAndForeignFilesAreIgnored() throws Exception {
        storeListing();
        Path file = storedFiles().getFirst();
        byte[] whole = Files.readAllBytes(file);
        for (String text :
                List.of(
                        "",
                        "{",
                        "null",
                        "[]",
                        "{\"format\":\"patchbay-lists-2\",\"server\":\"a\",\"tools\":[]}",
                        new String(whole, 0, whole.length / 2, UTF_8),
                        new String(whole, UTF_8).replace("\"server\":\"a\"", "\"server\":\"b\""))) {
            Files.writeString(file, text);
            try (var fleet = new GatewayFixture(folder, settings)) {
                fleet.gateway.register(
                        GatewayFixture.spec(script(fleet), GatewayFixture.NO_RETRIES)
                                .withEnabled(false));
                assertThat(fleet.report("a").counts().tools()).as(text).isZero();
            }
        }
    }

    @Test
    void storedFilesContainNoSecrets() throws Exception {
        var secret = "s3cr3t-value";
        try (var fleet = new GatewayFixture(folder, settings)) {
            List<String> words = script(fleet).command();
            fleet.gateway.register(
                    new ServerSpec(
                            new ServerId("a"),
                            new Transport.Stdio(
                                    words.getFirst(),
                                    words.subList(1, words.size()),
                                    Map.of("API_KEY", secret),
                                    null),
                            Options.DEFAULTS));
            fleet.discover();
        }
        assertThat(storedFiles()).hasSize(1);
        assertThat(storedFiles().getFirst()).content().doesNotContain(secret, "API_KEY", "java");
        assertThat(storedFiles().getFirst().getFileName().toString())
                .matches("[0-9a-f]{32}\\.json");
    }
}
