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

/** Configuration keys take effect in the packaged program. */
class ConfigurationSettingsTest {
    @TempDir private Path folder;

    @Test
    void descriptionAndTagsAreReported() throws Exception {
        var installation = new TestInstallation(folder);
        installation.withServer(
                "off",
                "{\"command\": \"x\", \"enabled\": false, \"description\": \"Old notes\", \"tags\":"
                        + " [\"work\", \"slow\"]}");
        JsonTree reported =
                StrictJson.parse(installation.save().run("servers", "--json").out()).at(0);
        assertThat(reported.at("description").asText()).isEqualTo("Old notes");
        assertThat(reported.at("tags").write()).isEqualTo("[\"work\",\"slow\"]");
    }

    @Test
    void stateIsStoredInTheConfiguredFolder() throws Exception {
        Path state = folder.resolve("mine/state");
        var installation = new TestInstallation(folder);
        installation.settings("\"stateDir\": " + StrictJson.quote(state.toString()));
        installation.withServer(installation.script("a")).save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("a");
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> Files.exists(state.resolve("lists"))))
                    .isTrue();
        }
        assertThat(folder.resolve(".local")).doesNotExist();
    }

    /** Each change is logged before the next one is detected. */
    @ParameterizedTest
    @CsvSource({"error, 0", "warning, 1", "info, 2", "debug, 2"})
    void logLevelIsApplied(String level, int lines) throws Exception {
        var installation =
                new TestInstallation(folder).settings("\"logLevel\": \"" + level + "\"").save();
        try (TestHost host = installation.connect()) {
            installation.settings("\"names\": \"safe\"");
            for (String late : List.of("late", "later")) {
                installation.withServer(late, "{\"command\": \"x\", \"enabled\": false}").save();
                assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer(late))).isTrue();
            }
            assertThat(isLoggedAsExpected(host, "take effect at the next start", lines > 0))
                    .isTrue();
            assertThat(isLoggedAsExpected(host, "Configuration reloaded", lines > 1)).isTrue();
            assertThat(host.client().stderr()).doesNotContain("java.lang");
        }
    }

    /** Whether the text is logged if it should be, and not logged otherwise. */
    private static boolean isLoggedAsExpected(TestHost host, String words, boolean wanted) {
        return wanted
                ? TestHost.await(TestHost.TIMEOUT, () -> host.client().stderr().contains(words))
                : !host.client().stderr().contains(words);
    }

    @Test
    void headersAreSentWithEveryRequest() throws Exception {
        try (var server = new HttpEchoServer()) {
            var installation = new TestInstallation(folder).env("KEY_OF_IT", "s3same");
            installation
                    .withServer(
                            "web", server.configEntry("\"headers\": {\"X-Key\": \"${KEY_OF_IT}\"}"))
                    .save();
            try (TestHost host = installation.connect()) {
                host.awaitListed("web");
                assertThat(host.callForText("web.echo", "{}")).isEqualTo("{}");
            }
            assertThat(server.received())
                    .hasSizeGreaterThan(3)
                    .allMatch(it -> it.header("X-Key").orElse("").equals("s3same"));
        }
    }

    /** Independent of the limit for stdio servers. */
    @Test
    void httpResponseMayHaveSixteenMebibytes() throws Exception {
        try (var server = new HttpEchoServer()) {
            var installation = new TestInstallation(folder);
            installation.settings(
                    "\"limits\": {\"serverMessageBytesMax\": 65536, \"clientLineBytesMax\":"
                            + " 67108864}");
            installation.withServer("web", server.configEntry("\"maxRetries\": 1")).save();
            try (TestHost host = installation.connect()) {
                host.awaitListed("web");
                server.on(
                        "tools/call",
                        exchange -> exchange.respondWithResult(textOf((16 << 20) - 1_000)));
                assertThat(host.callForText("web.echo", "{}")).hasSize((16 << 20) - 1_000);
                server.on("tools/call", exchange -> exchange.respondWithResult(textOf(16 << 20)));
                assertThat(host.failureDetails("web.echo", "{}").at("message").asText())
                        .contains("16,777,216");
            }
        }
    }

    private static String textOf(int chars) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(chars) + "\"}]}";
    }

    @Test
    void onlyTheConfiguredEraIsUsed() throws Exception {
        var installation = new TestInstallation(folder);
        ServerScript old = installation.script("old").tools("echo");
        ServerScript fresh = installation.script("fresh").era("modern").tools("echo");
        installation
                .withServer(old, "\"era\": \"legacy\"")
                .withServer(fresh, "\"era\": \"modern\"")
                .save();
        try (TestHost host = installation.connect()) {
            for (ServerScript server : new ServerScript[] {old, fresh}) {
                host.awaitListed(server.name());
                assertThat(host.callForText(server.name() + ".echo", "{}")).isEqualTo("{}");
            }
            assertThat(host.server("old").at("era").asText()).isEqualTo("legacy");
            assertThat(host.server("fresh").at("era").asText()).isEqualTo("modern");
        }
        assertThat(old.recording().receivedCount("server/discover")).isZero();
        assertThat(fresh.recording().receivedCount("initialize")).isZero();
    }
}
