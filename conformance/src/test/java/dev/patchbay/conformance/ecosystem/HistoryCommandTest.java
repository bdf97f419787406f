package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code patchbay history}: the calls of every client, after the gateway has ended. */
class HistoryCommandTest {
    private static final String TOOLS =
            """
            [{"name": "echo", "x-behaviour": "echo", "inputSchema": {"type": "object"}},
             {"name": "fail", "x-behaviour": "fail", "inputSchema": {"type": "object"}}]
            """;

    @TempDir private Path folder;

    private TestInstallation installation() {
        var installation = new TestInstallation(folder);
        return installation.withServer(installation.script("a").withToolDefinitions(TOOLS));
    }

    private static List<JsonTree> history(TestInstallation installation, String... options)
            throws InterruptedException {
        var words = new ArrayList<>(List.of("history", "--json"));
        words.addAll(List.of(options));
        CommandResult result = installation.run(words.toArray(String[]::new));
        assertThat(result.status()).as(result.err()).isZero();
        return result.out().lines().map(StrictJson::parse).toList();
    }

    @Test
    void showsTheCallsOfHostsAndCommandsAfterTheirEnd() throws Exception {
        TestInstallation installation = installation().save();
        try (TestHost host = installation.connect()) {
            host.callForResult("a.echo", "{\"password\": \"hunter2\", \"n\": 1}");
            host.callForResult("a.fail", "{}");
        }
        installation.run("call", "a.echo", "n=2");

        List<JsonTree> calls = history(installation);
        assertThat(calls)
                .extracting(it -> it.at("via").asText())
                .containsExactly("stdio", "stdio", "command");
        assertThat(calls.getFirst().at("arguments").write())
                .isEqualTo("{\"password\":\"***\",\"n\":1}");
        assertThat(calls.getFirst().at("client").asText()).isNotEmpty();
        assertThat(history(installation, "--failed"))
                .singleElement()
                .satisfies(it -> assertThat(it.at("target").asText()).isEqualTo("fail"));
        assertThat(installation.run("history", "--tool", "a.echo").out().lines()).hasSize(3);
    }

    @Test
    void showsTheCallsOfTheBackgroundGateway() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            try (TestHost host = fixture.connect()) {
                DaemonFixture.call(host, "a");
                assertThat(Await.becomesTrue(() -> hasOneCall(fixture.installation()))).isTrue();
            }
            assertThat(history(fixture.installation()).getFirst().at("via").asText())
                    .isEqualTo("daemon");
        }
    }

    private static boolean hasOneCall(TestInstallation installation) {
        try {
            return history(installation).size() == 1;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothingIsKeptIfTheHistoryIsOff() throws Exception {
        TestInstallation installation =
                installation().settings("\"history\": {\"enabled\": false}").save();
        installation.run("call", "a.echo");

        assertThat(history(installation)).isEmpty();
        assertThat(installation.run("history").err()).contains("the history is off");
        try (var files = Files.walk(folder)) {
            assertThat(files.map(Path::toString)).noneMatch(it -> it.contains("calls-0"));
        }
    }
}
