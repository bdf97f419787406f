package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Servers are found in a registry and added from it, or from a bundle or a server card. Nothing is
 * started before it is accepted.
 */
class RegistryCommandsTest {
    private static final String ENTRY =
            """
            {"server": {"name": "io.github.kim/weather", "description": "Weather data",
              "version": "1.0.0", "packages": [{"registryType": "npm",
                "identifier": "@kim/weather", "version": "1.0.0", "transport": {"type": "stdio"},
                "packageArguments": [{"type": "named", "name": "--units", "default": "metric",
                  "choices": ["metric", "imperial"]}],
                "environmentVariables": [{"name": "API_KEY", "isRequired": true,
                  "isSecret": true, "description": "The key"}]}]}}
            """;

    private static final String MANIFEST =
            """
            {"manifest_version": "0.4", "name": "echo-bundle", "version": "1.0.0",
             "description": "Echoes", "author": {"name": "Kim"},
             "server": {"type": "python", "entry_point": "server.sh", "mcp_config": {
               "command": "sh", "args": ["${__dirname}/server.sh", "${__dirname}/tools.json",
                 "none"]}}}
            """;

    private static final String TOOLS =
            """
            {"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}\
            """;

    @TempDir private Path folder;

    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private HttpServer registry;
    private TestInstallation installation;

    @BeforeEach
    void start() throws IOException {
        installation = new TestInstallation(folder);
        registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext(
                "/",
                exchange -> {
                    byte[] body = answers.get(exchange.getRequestURI().getRawPath());
                    exchange.sendResponseHeaders(body == null ? 404 : 200, 0);
                    if (body != null) {
                        exchange.getResponseBody().write(body);
                    }
                    exchange.close();
                });
        registry.start();
        String url = "http://127.0.0.1:" + registry.getAddress().getPort();
        installation.env("PATCHBAY_REGISTRY", url);
    }

    @AfterEach
    void stop() {
        registry.stop(0);
    }

    private JsonTree writtenServer(String id) throws IOException {
        String text = Files.readString(installation.configFile());
        return StrictJson.parse(text).at("mcpServers", id);
    }

    @Test
    void serverOfTheRegistryIsFoundAndAddedAfterAcceptance() throws Exception {
        answers.put("/v0.1/servers", ("{\"servers\":[" + ENTRY + "]}").getBytes(UTF_8));
        answers.put("/v0.1/servers/io.github.kim%2Fweather/versions/latest", ENTRY.getBytes(UTF_8));

        CommandResult search = installation.runWithoutConfig("search", "weather");
        assertThat(search.out()).as(search.err()).contains("io.github.kim/weather", "1.0.0", "npm");
        String[] add = {"add", "io.github.kim/weather", "API_KEY=t0p-s3cret", "units=imperial"};
        CommandResult asked = installation.run(add);
        assertThat(asked.status()).isEqualTo(2);
        assertThat(asked.err())
                .contains("runs: npx -y @kim/weather@1.0.0 --units imperial", "with --yes")
                .contains("variable: API_KEY=${secret:weather.API_KEY}")
                .doesNotContain("t0p-s3cret");
        assertThat(installation.configFile()).doesNotExist();
        assertThat(asked.err()).containsPattern("sandbox: (standard|none); ");
        CommandResult accepted =
                installation.run(add[0], add[1], add[2], add[3], "--yes", "--json");
        assertThat(accepted.status()).as(accepted.err()).isZero();
        assertThat(StrictJson.parse(accepted.out()).at("changed").write()).isEqualTo("true");
        if (asked.err().contains("sandbox: standard")) {
            assertThat(writtenServer("weather").at("sandbox").asText()).isEqualTo("standard");
        }
        assertThat(writtenServer("weather").at("args").write())
                .isEqualTo("[\"-y\",\"@kim/weather@1.0.0\",\"--units\",\"imperial\"]");
        assertThat(Files.readString(installation.configFile())).doesNotContain("t0p-s3cret");
        assertThat(installation.run("check").status()).isZero();
        assertThat(installation.runWithoutConfig("secret", "list").out())
                .contains("weather.API_KEY");
    }

    @Test
    void unknownServersAndInputsAreReported() throws Exception {
        answers.put("/v0.1/servers/io.github.kim%2Fweather/versions/latest", ENTRY.getBytes(UTF_8));
        CommandResult unknown = installation.run("add", "io.github.kim/none", "--yes");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("There is no such server", "Nothing was added.");
        CommandResult missing = installation.run("add", "io.github.kim/weather", "--yes");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).contains("These inputs are required: API_KEY=");
        assertThat(installation.configFile()).doesNotExist();
    }

    private Path bundle(String name, String... more) throws IOException {
        BrokenServers.writeServer(folder);
        Path file = folder.resolve(name);
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            put(zip, "manifest.json", MANIFEST.getBytes(UTF_8));
            put(zip, "server.sh", Files.readAllBytes(folder.resolve("server.sh")));
            put(zip, "tools.json", TOOLS.getBytes(UTF_8));
            for (String entry : more) {
                put(zip, entry, "x".getBytes(UTF_8));
            }
        }
        return file;
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
        zip.closeEntry();
    }

    @Test
    void serverOfABundleWorksAfterItIsAdded() throws Exception {
        String file = bundle("echo.mcpb").toString();
        CommandResult added = installation.run("add", file, "--yes", "--id", "echo");
        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.err()).contains("digest: sha256:", "runs: sh ", "  sandbox: ");
        assertThat(added.out()).contains("Connected to echo: 1 tool: echo.echo");
        CommandResult called = installation.run("call", "echo.echo", "x=1");
        assertThat(called.out()).as(called.err()).isEqualTo("called\n");
    }

    @Test
    void serverIsAddedWithTheHeadersOfItsCard() throws Exception {
        String url = "http://127.0.0.1:" + registry.getAddress().getPort() + "/mcp";
        String card =
                """
                {"name": "io.github.kim/notes", "version": "2.0.0", "description": "Notes",
                 "remotes": [{"type": "streamable-http", "url": "%s", "headers": [
                   {"name": "Authorization", "value": "Bearer {token}", "variables":
                     {"token": {"isRequired": true, "isSecret": true}}}]}]}
                """
                        .formatted(url);
        answers.put("/mcp/server-card", card.getBytes(UTF_8));
        String[] add = {"add", "notes", "--url", url, "--card", "token=t0p-s3cret", "--yes"};
        CommandResult added = installation.run(add);
        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.err())
                .contains("io.github.kim/notes 2.0.0", "Nobody has checked it.")
                .contains("The entry was kept.");
        assertThat(writtenServer("notes").at("headers", "Authorization").asText())
                .isEqualTo("Bearer ${secret:notes.token}");
        CommandResult none = installation.run("add", "b", "--url", url + "/b", "--card", "--yes");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains("The server has no card", "Nothing was added.");
    }

    @Test
    void bundleThatWritesElsewhereIsRefused() throws Exception {
        String file = bundle("evil.mcpb", "../../evil").toString();
        CommandResult refused = installation.run("add", file, "--yes");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("forbidden path", "Nothing was added.");
        assertThat(installation.configFile()).doesNotExist();
        assertThat(folder.resolve(".local")).doesNotExist();
    }
}
