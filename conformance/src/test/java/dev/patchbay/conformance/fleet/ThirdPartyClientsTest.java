package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.conformance.fleet.NodeScripts.ProcessResult;
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
 * Third-party clients of a gateway with two servers: {@code old} of the legacy era and {@code new}
 * of the modern era. Each client uses both, over stdio and HTTP if it can.
 */
@Tag("fleet")
class ThirdPartyClientsTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String EXPECTED_TEXT = "This is a simple text response for testing.";
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

    @TempDir private Path folder;
    private NpmPackages packages;
    private NodeScripts scripts;
    private TestInstallation installation;

    @BeforeEach
    void prepare() throws IOException {
        packages = NpmPackages.installed();
        scripts = new NodeScripts(packages, folder);
        installation = new TestInstallation(folder);
        installation.withServer(
                "old", NpmPackages.configEntry(scripts.nodeCommand("fixture.mjs", "legacy"), ""));
        installation.withServer(
                "new", NpmPackages.configEntry(scripts.nodeCommand("fixture.mjs", "modern"), ""));
        installation.save();
    }

    @AfterEach
    void closeScripts() throws IOException {
        scripts.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 2025-11-25", "2, 2026-07-28"})
    void typeScriptSdkListsCallsGetsProgressCancelsAndAnswersRequests(String major, String version)
            throws Exception {
        var file = installation.configFile().toString();
        assertReport(
                version,
                scripts.run(
                        scripts.nodeCommand("sdk-client.mjs", major, "stdio", file),
                        Map.of(),
                        TIMEOUT));
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            var authorization = Map.of("AUTHORIZATION", gateway.authorization());
            assertReport(
                    version,
                    scripts.run(
                            scripts.nodeCommand("sdk-client.mjs", major, "http", gateway.url()),
                            authorization,
                            TIMEOUT));
        }
    }

    private static void assertReport(String version, ProcessResult outcome) {
        assertThat(outcome.status()).as("%s", outcome).isZero();
        JsonTree seen = StrictJson.parse(outcome.out());
        assertThat(seen.at("tools").asList())
                .map(JsonTree::asText)
                .contains("old__test_simple_text", "new__test_simple_text");
        assertThat(seen.at("version").asText()).isEqualTo(version);
        assertThat(seen.at("resource").asText()).isNotEmpty();
        assertThat(seen.at("elicitations").asLong()).isEqualTo(2);
        for (String server : List.of("old", "new")) {
            JsonTree used = seen.at(server);
            assertThat(used.at("text").asText()).isEqualTo(EXPECTED_TEXT);
            assertThat(used.at("progress").write()).isEqualTo("[0,50,100]");
            assertThat(used.at("elicited").asText()).contains("accept", "ada@example.org");
            assertThat(used.at("cancelled").asText()).isEqualTo("given up");
            assertThat(used.at("cancellations").asText()).isEqualTo("1");
        }
    }

    /** This SDK cannot cancel. */
    @Test
    void javaSdkListsCallsGetsProgressAndAnswersRequests() {
        try (JavaSdkClient client = JavaSdkClient.overStdio(installation)) {
            assertWorks(client);
        }
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation);
                JavaSdkClient client = JavaSdkClient.overHttp(gateway)) {
            assertWorks(client);
        }
    }

    private static void assertWorks(JavaSdkClient client) {
        assertThat(client.protocolVersion()).isBetween("2024-11-05", "2025-11-25");
        assertThat(client.tools()).contains("old__test_simple_text", "new__test_simple_text");
        for (String server : List.of("old", "new")) {
            client.progress().clear();
            assertThat(client.call(server + ".test_simple_text", Map.of()))
                    .isEqualTo(EXPECTED_TEXT);
            client.call(server + ".test_tool_with_progress", Map.of());
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> client.progress().size() == 3))
                    .isTrue();
            assertThat(client.progress()).containsExactly(0.0, 50.0, 100.0);
            assertThat(client.call(server + ".test_elicitation", Map.of("message", "Who?")))
                    .contains("accept", "a@example.org");
        }
    }

    /** Its command line cannot cancel or answer requests, and shows no progress. */
    @Test
    void inspectorListsAndCallsTools() throws Exception {
        Path session = folder.resolve("session.json");
        Files.writeString(session, "{\"mcpServers\": {\"gw\": " + gatewayEntry() + "}}");
        var stdio = List.of("--config", session.toString(), "--server", "gw");
        assertThat(runInspector(stdio, "tools/list", "").at("result", "tools").asList())
                .hasSizeGreaterThan(50);
        assertThat(callWithInspector(stdio, "new.test_simple_text")).isEqualTo(EXPECTED_TEXT);
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            String header = "Authorization: " + gateway.authorization();
            var http = List.of(gateway.url(), "--transport", "http", "--header", header);
            for (String era : List.of("legacy", "modern")) {
                var target =
                        Stream.concat(http.stream(), Stream.of("--protocol-era", era)).toList();
                assertThat(callWithInspector(target, "old.test_simple_text"))
                        .isEqualTo(EXPECTED_TEXT);
                assertThat(callWithInspector(target, "new.test_simple_text"))
                        .isEqualTo(EXPECTED_TEXT);
            }
        }
    }

    private String callWithInspector(List<String> target, String tool)
            throws IOException, InterruptedException {
        return runInspector(target, "tools/call", tool).at("result", "content", 0, "text").asText();
    }

    private JsonTree runInspector(List<String> target, String method, String tool)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(packages.nodeCommand(INSPECTOR, "--cli"));
        command.addAll(target);
        command.addAll(List.of("--method", method, "--format", "json", "-q"));
        if (!tool.isEmpty()) {
            command.addAll(List.of("--tool-name", tool));
        }
        ProcessResult outcome = scripts.run(command, Map.of(), TIMEOUT);
        assertThat(outcome.status()).as("%s", outcome).isZero();
        return StrictJson.parse(outcome.out());
    }

    /** A fake model requests a tool call; nothing leaves the machine. */
    @Test
    void claudeCodeOffersToolsToItsModelAndCallsThem() throws Exception {
        Path output = folder.resolve("input");
        runClaude("old", recordingGatewayEntry(output));
        assertThat(Files.readString(output))
                .as("the era it chooses")
                .contains(
                        "tools/call", "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .doesNotContain("\"method\":\"initialize\"");
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            runClaude(
                    "new",
                    "{\"type\": \"http\", \"url\": %s, \"headers\": {\"Authorization\": %s}}"
                            .formatted(
                                    StrictJson.quote(gateway.url()),
                                    StrictJson.quote(gateway.authorization())));
        }
    }

    private void runClaude(String server, String entry) throws IOException, InterruptedException {
        Path config = folder.resolve("claude-" + server + ".json");
        Files.writeString(config, "{\"mcpServers\": {\"gw\": " + entry + "}}");
        String tool = "mcp__gw__" + server + "_test_simple_text";
        try (var model = new FakeLanguageModel(tool, "{}")) {
            var variables = new HashMap<String, String>();
            variables.put("ANTHROPIC_BASE_URL", model.url());
            variables.put("ANTHROPIC_API_KEY", "none");
            variables.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            variables.put("HTTPS_PROXY", "http://127.0.0.1:9"); // a closed port
            variables.put("NO_PROXY", "127.0.0.1");
            variables.put("DISABLE_TELEMETRY", "1");
            variables.put("DISABLE_AUTOUPDATER", "1");
            variables.put("ENABLE_TOOL_SEARCH", "false");
            ProcessResult outcome = scripts.run(claudeCommand(config), variables, TIMEOUT);
            assertThat(outcome.status()).as("%s", outcome).isZero();
            assertThat(model.offeredTools()).as("%s", outcome).contains(tool);
            assertThat(model.toolResults()).as("%s", outcome).isNotEmpty();
            assertThat(model.toolResults().getFirst()).contains(EXPECTED_TEXT);
        }
    }

    private List<String> claudeCommand(Path config) {
        Path program =
                Stream.of("linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64")
                        .map(
                                it ->
                                        packages.modulePath(
                                                "@anthropic-ai/claude-code-" + it + "/claude"))
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

    /** The same, with the host's input recorded in a file. */
    private String recordingGatewayEntry(Path output) {
        var words =
                new ArrayList<>(List.of("/bin/sh", "-c", "tee '" + output + "' | \"$@\"", "sh"));
        words.addAll(
                TestInstallation.program()
                        .launcherCommand(
                                "stdio", "--config", installation.configFile().toString()));
        return NpmPackages.configEntry(words, "");
    }

    /** The entry in a host's configuration that starts the gateway. */
    private String gatewayEntry() {
        return NpmPackages.configEntry(
                TestInstallation.program()
                        .launcherCommand("stdio", "--config", installation.configFile().toString()),
                "");
    }
}
