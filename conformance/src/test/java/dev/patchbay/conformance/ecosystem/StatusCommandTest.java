package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code patchbay status}, {@code logs} and {@code completion}, which start no server. */
class StatusCommandTest {
    private static final String TOOLS =
            """
            [{"name": "echo", "x-behaviour": "echo",
              "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]
            """;

    @TempDir private Path folder;

    private TestInstallation installation() {
        var installation = new TestInstallation(folder);
        installation.withServer(installation.script("good").withToolDefinitions(TOOLS));
        return installation
                .withServer(
                        "bad",
                        "{\"command\": \"sh\", \"args\": [\"-c\", \"echo no token >&2; exit 3\"],"
                                + " \"maxRetries\": 0}")
                .save();
    }

    private static boolean showsTrouble(TestInstallation installation) {
        try {
            return installation.run("status").status() == 1;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void showsGatewaysServersInTroubleAndErrors() throws Exception {
        TestInstallation installation = installation();
        try (TestHost host = installation.connect()) {
            host.awaitStatus("bad", "error");
            host.callForResult("good.echo", "{}");
            host.callForResult("bad.x", "{}");
            assertThat(Await.becomesTrue(() -> showsTrouble(installation))).isTrue();

            JsonTree status = StrictJson.parse(installation.run("status", "--json").out());
            assertThat(status.at("gateways").asList())
                    .singleElement()
                    .satisfies(it -> assertThat(it.at("via").asText()).isEqualTo("stdio"));
            assertThat(status.at("trouble").asList())
                    .singleElement()
                    .satisfies(it -> assertThat(it.at("serverId").asText()).isEqualTo("bad"))
                    .satisfies(it -> assertThat(it.at("message").asText()).contains("no token"));
            assertThat(status.at("daemon", "state").asText()).isEqualTo("stopped");
        }
        CommandResult after = installation.run("status");
        assertThat(after.status()).as(after.out()).isZero();
        assertThat(after.out()).contains("No host uses Patchbay now", "Last errors", "bad");
        assertThat(installation.run("logs", "bad").out())
                .contains(" INFO    bad stderr no token", " ERROR   bad error CONNECTION_FAILED");
        assertThat(installation.run("logs", "--errors").out()).doesNotContain("stderr no token\n");
    }

    @Test
    void completesServersToolsKeysAndHosts() throws Exception {
        TestInstallation installation = installation();
        installation.run("tools", "--server", "good");

        assertThat(candidates(installation, "logs", "")).containsExactly("bad", "good");
        assertThat(candidates(installation, "call", "go")).containsExactly("good.echo");
        assertThat(candidates(installation, "call", "good.echo", "")).containsExactly("path=");
        assertThat(candidates(installation, "install", "cur")).containsExactly("cursor");
        assertThat(candidates(installation, "history", "--fo")).containsExactly("--follow");
        assertThat(candidates(installation, "sta")).containsExactly("status");
        for (String shell : List.of("bash", "zsh", "fish")) {
            assertThat(installation.runWithoutConfig("completion", shell).out())
                    .contains("candidates --", " history ");
        }
    }

    private static List<String> candidates(TestInstallation installation, String... words)
            throws InterruptedException {
        var line = new ArrayList<>(List.of("candidates", "--"));
        line.addAll(List.of(words));
        if (words.length > 1) {
            line.addAll(3, List.of("--config", installation.configFile().toString()));
        }
        CommandResult result = installation.runWithoutConfig(line.toArray(String[]::new));
        assertThat(result.status()).as(result.err()).isZero();
        return result.out().lines().toList();
    }

    @Test
    void bashCompletesWithTheScript() throws Exception {
        TestInstallation installation = installation();
        Path script =
                Files.writeString(
                        folder.resolve("c.sh"), installation.runWithoutConfig("completion").out());
        String program =
                "source '%s'; COMP_WORDS=('%s' logs g); COMP_CWORD=2; _patchbay; echo $COMPREPLY"
                        .formatted(script, System.getProperty("patchbay.launcher"));
        var builder = new ProcessBuilder("bash", "-c", program).directory(folder.toFile());
        builder.environment().putAll(installation.environment());
        Process bash = builder.start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("good\n");
    }
}
