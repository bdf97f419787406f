package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Host;
import dev.patchbay.conformance.ecosystem.Workbench;
import dev.patchbay.conformance.fleet.Scripts.Outcome;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Clients of others before a gateway with two servers: {@code old} is of the legacy era and {@code
 * new} of the modern one. Each client uses both, over stdio and HTTP, as far as it can.
 */
@Tag("fleet")
class RealClientsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TEXT = "This is a simple text response for testing.";
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

    @TempDir private Path folder;
    private Parts parts;
    private Scripts scripts;
    private Workbench bench;

    @BeforeEach
    void prepare() throws IOException {
        parts = Parts.installed();
        scripts = new Scripts(parts, folder);
        bench = new Workbench(folder);
        bench.with("old", Parts.entry(scripts.command("fixture.mjs", "legacy"), ""));
        bench.with("new", Parts.entry(scripts.command("fixture.mjs", "modern"), ""));
        bench.save();
    }

    @AfterEach
    void end() throws IOException {
        scripts.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 2025-11-25", "2, 2026-07-28"})
    void theTypeScriptSdkListsCallsProgressesCancelsAndIsAsked(String major, String version)
            throws Exception {
        var file = bench.file().toString();
        assertSaw(
                version,
                scripts.run(
                        scripts.command("sdk-client.mjs", major, "stdio", file),
                        Map.of(),
                        PATIENCE));
        try (Serving serving = Serving.of(bench)) {
            var authorization = Map.of("AUTHORIZATION", serving.authorization());
            assertSaw(
                    version,
                    scripts.run(
                            scripts.command("sdk-client.mjs", major, "http", serving.url()),
                            authorization,
                            PATIENCE));
        }
    }

    private static void assertSaw(String version, Outcome outcome) {
        assertThat(outcome.status()).as("%s", outcome).isZero();
        JsonTree seen = StrictJson.parse(outcome.out());
        assertThat(seen.at("tools").list())
                .map(JsonTree::text)
                .contains("old.test_simple_text", "new.test_simple_text");
        assertThat(seen.at("version").text()).isEqualTo(version);
        assertThat(seen.at("resource").text()).isNotEmpty();
        assertThat(seen.at("elicitations").integer()).isEqualTo(2);
        for (String server : List.of("old", "new")) {
            JsonTree used = seen.at(server);
            assertThat(used.at("text").text()).isEqualTo(TEXT);
            assertThat(used.at("progress").write()).isEqualTo("[0,50,100]");
            assertThat(used.at("elicited").text()).contains("accept", "ada@example.org");
            assertThat(used.at("cancelled").text()).isEqualTo("given up");
            assertThat(used.at("cancellations").text()).isEqualTo("1");
        }
    }

    /** This one has no means to cancel. */
    @Test
    void theJavaSdkListsCallsProgressesAndIsAsked() {
        try (JavaSdkClient client = JavaSdkClient.overStdio(bench)) {
            use(client);
        }
        try (Serving serving = Serving.of(bench);
                JavaSdkClient client = JavaSdkClient.overHttp(serving)) {
            use(client);
        }
    }

    private static void use(JavaSdkClient client) {
        assertThat(client.version()).isBetween("2024-11-05", "2025-11-25");
        assertThat(client.tools()).contains("old.test_simple_text", "new.test_simple_text");
        for (String server : List.of("old", "new")) {
            client.progress().clear();
            assertThat(client.call(server + ".test_simple_text", Map.of())).isEqualTo(TEXT);
            client.call(server + ".test_tool_with_progress", Map.of());
            assertThat(Host.await(Host.PATIENCE, () -> client.progress().size() == 3)).isTrue();
            assertThat(client.progress()).containsExactly(0.0, 50.0, 100.0);
            assertThat(client.call(server + ".test_elicitation", Map.of("message", "Who?")))
                    .contains("accept", "a@example.org");
        }
    }

    /** Its command line has no means to cancel or to be asked, and shows no progress. */
    @Test
    void theInspectorListsAndCalls() throws Exception {
        Path session = folder.resolve("session.json");
        Files.writeString(session, "{\"mcpServers\": {\"gw\": " + started() + "}}");
        var stdio = List.of("--config", session.toString(), "--server", "gw");
        assertThat(inspected(stdio, "tools/list", "").at("result", "tools").list())
                .hasSizeGreaterThan(50);
        assertThat(called(stdio, "new.test_simple_text")).isEqualTo(TEXT);
        try (Serving serving = Serving.of(bench)) {
            String header = "Authorization: " + serving.authorization();
            var http = List.of(serving.url(), "--transport", "http", "--header", header);
            for (String era : List.of("legacy", "modern")) {
                var target =
                        Stream.concat(http.stream(), Stream.of("--protocol-era", era)).toList();
                assertThat(called(target, "old.test_simple_text")).isEqualTo(TEXT);
                assertThat(called(target, "new.test_simple_text")).isEqualTo(TEXT);
            }
        }
    }

    private String called(List<String> target, String tool)
            throws IOException, InterruptedException {
        return inspected(target, "tools/call", tool).at("result", "content", 0, "text").text();
    }

    private JsonTree inspected(List<String> target, String method, String tool)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(parts.command(INSPECTOR, "--cli"));
        command.addAll(target);
        command.addAll(List.of("--method", method, "--format", "json", "-q"));
        if (!tool.isEmpty()) {
            command.addAll(List.of("--tool-name", tool));
        }
        Outcome outcome = scripts.run(command, Map.of(), PATIENCE);
        assertThat(outcome.status()).as("%s", outcome).isZero();
        return StrictJson.parse(outcome.out());
    }

    /** A model that is not one asks it to call a tool; nothing leaves the machine. */
    @Test
    void claudeCodeOffersTheToolsToItsModelAndCallsThem() throws Exception {
        Path said = folder.resolve("said");
        ask("old", listenedTo(said));
        assertThat(Files.readString(said))
                .as("the era it chooses")
                .contains(
                        "tools/call", "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .doesNotContain("\"method\":\"initialize\"");
        try (Serving serving = Serving.of(bench)) {
            ask(
                    "new",
                    "{\"type\": \"http\", \"url\": %s, \"headers\": {\"Authorization\": %s}}"
                            .formatted(
                                    StrictJson.quote(serving.url()),
                                    StrictJson.quote(serving.authorization())));
        }
    }

    private void ask(String server, String entry) throws IOException, InterruptedException {
        Path config = folder.resolve("claude-" + server + ".json");
        Files.writeString(config, "{\"mcpServers\": {\"gw\": " + entry + "}}");
        String tool = "mcp__gw__" + server + "_test_simple_text";
        try (var model = new FakeModel(tool, "{}")) {
            var variables = new HashMap<String, String>();
            variables.put("ANTHROPIC_BASE_URL", model.url());
            variables.put("ANTHROPIC_API_KEY", "none");
            variables.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            variables.put("HTTPS_PROXY", "http://127.0.0.1:9"); // where nobody is
            variables.put("NO_PROXY", "127.0.0.1");
            variables.put("DISABLE_TELEMETRY", "1");
            variables.put("DISABLE_AUTOUPDATER", "1");
            variables.put("ENABLE_TOOL_SEARCH", "false");
            Outcome outcome = scripts.run(claude(config), variables, PATIENCE);
            assertThat(outcome.status()).as("%s", outcome).isZero();
            assertThat(model.offered()).as("%s", outcome).contains(tool);
            assertThat(model.results()).as("%s", outcome).isNotEmpty();
            assertThat(model.results().getFirst()).contains(TEXT);
        }
    }

    private List<String> claude(Path config) {
        Path program =
                Stream.of("linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64")
                        .map(it -> parts.module("@anthropic-ai/claude-code-" + it + "/claude"))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow();
        return List.of(
                program.toString(),
                "-p",
                "Use the tool",
                "--mcp-config",
                config.toString(),
                "--strict-mcp-config",
                "--allowedTools",
                "mcp__gw",
                "--output-format",
                "json");
    }

    /** The same, with all that the host says written to a file. */
    private String listenedTo(Path said) {
        var words = new ArrayList<>(List.of("/bin/sh", "-c", "tee '" + said + "' | \"$@\"", "sh"));
        words.addAll(Workbench.program().launcher("stdio", "--config", bench.file().toString()));
        return Parts.entry(words, "");
    }

    /** How a host's configuration starts the gateway. */
    private String started() {
        return Parts.entry(
                Workbench.program().launcher("stdio", "--config", bench.file().toString()), "");
    }
}
