package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a key of the configuration says happens in the program, seen from outside. */
class SettingsTest {
    @TempDir private Path folder;

    @Test
    void whatIsSaidOfAServerIsTold() throws Exception {
        var bench = new Workbench(folder);
        bench.with(
                "off",
                "{\"command\": \"x\", \"enabled\": false, \"description\": \"Old notes\", \"tags\":"
                        + " [\"work\", \"slow\"]}");
        JsonTree told = StrictJson.parse(bench.save().run("servers", "--json").out()).at(0);
        assertThat(told.at("description").text()).isEqualTo("Old notes");
        assertThat(told.at("tags").write()).isEqualTo("[\"work\",\"slow\"]");
    }

    @Test
    void whatIsLearnedIsKeptWhereTheFileSays() throws Exception {
        Path state = folder.resolve("mine/state");
        var bench = new Workbench(folder);
        bench.settings("\"stateDir\": " + StrictJson.quote(state.toString()));
        bench.with(bench.script("a")).save();
        try (Host host = bench.open()) {
            host.awaitListed("a");
            assertThat(Host.await(Host.PATIENCE, () -> Files.exists(state.resolve("lists"))))
                    .isTrue();
        }
        assertThat(folder.resolve(".local")).doesNotExist();
    }

    /** A change is told, and one of the settings warned of, before the next change is seen. */
    @ParameterizedTest
    @CsvSource({"error, 0", "warning, 1", "info, 2", "debug, 2"})
    void soMuchIsLogged(String level, int lines) throws Exception {
        var bench = new Workbench(folder).settings("\"logLevel\": \"" + level + "\"").save();
        try (Host host = bench.open()) {
            bench.settings("\"names\": \"safe\"");
            for (String late : List.of("late", "later")) {
                bench.with(late, "{\"command\": \"x\", \"enabled\": false}").save();
                assertThat(Host.await(Host.PATIENCE, () -> host.knows(late))).isTrue();
            }
            assertThat(says(host, "take effect at its next start", lines > 0)).isTrue();
            assertThat(says(host, "Configuration reloaded", lines > 1)).isTrue();
            assertThat(host.client().stderr()).doesNotContain("java.lang");
        }
    }

    /** Whether it says so, if that is wanted, and does not if not. What it says is soon here. */
    private static boolean says(Host host, String words, boolean wanted) {
        return wanted
                ? Host.await(Host.PATIENCE, () -> host.client().stderr().contains(words))
                : !host.client().stderr().contains(words);
    }

    @Test
    void headersAreSentWithEveryRequest() throws Exception {
        try (var server = new WebServer()) {
            var bench = new Workbench(folder).env("KEY_OF_IT", "s3same");
            bench.with("web", server.config("\"headers\": {\"X-Key\": \"${KEY_OF_IT}\"}")).save();
            try (Host host = bench.open()) {
                host.awaitListed("web");
                assertThat(host.text("web.echo", "{}")).isEqualTo("{}");
            }
            assertThat(server.received())
                    .hasSizeGreaterThan(3)
                    .allMatch(it -> it.header("X-Key").orElse("").equals("s3same"));
        }
    }

    /** Whatever the limit for servers on stdio is. */
    @Test
    void anAnswerOverHttpMayHaveSixteenMebibytes() throws Exception {
        try (var server = new WebServer()) {
            var bench = new Workbench(folder);
            bench.settings(
                    "\"limits\": {\"serverMessageBytesMax\": 65536, \"clientLineBytesMax\":"
                            + " 67108864}");
            bench.with("web", server.config("\"maxRetries\": 1")).save();
            try (Host host = bench.open()) {
                host.awaitListed("web");
                server.on("tools/call", exchange -> exchange.result(textOf((16 << 20) - 1_000)));
                assertThat(host.text("web.echo", "{}")).hasSize((16 << 20) - 1_000);
                server.on("tools/call", exchange -> exchange.result(textOf(16 << 20)));
                assertThat(host.failure("web.echo", "{}").at("message").text())
                        .contains("16,777,216");
            }
        }
    }

    private static String textOf(int chars) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(chars) + "\"}]}";
    }

    @Test
    void onlyTheEraThatIsChosenIsSpoken() throws Exception {
        var bench = new Workbench(folder);
        ServerScript old = bench.script("old").tools("echo");
        ServerScript fresh = bench.script("fresh").era("modern").tools("echo");
        bench.with(old, "\"era\": \"legacy\"").with(fresh, "\"era\": \"modern\"").save();
        try (Host host = bench.open()) {
            for (ServerScript server : new ServerScript[] {old, fresh}) {
                host.awaitListed(server.name());
                assertThat(host.text(server.name() + ".echo", "{}")).isEqualTo("{}");
            }
            assertThat(host.server("old").at("era").text()).isEqualTo("legacy");
            assertThat(host.server("fresh").at("era").text()).isEqualTo("modern");
        }
        assertThat(old.record().count("server/discover")).isZero();
        assertThat(fresh.record().count("initialize")).isZero();
    }
}
