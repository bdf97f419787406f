package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.conformance.fleet.NpmServers.ExpectedCall;
import dev.patchbay.conformance.fleet.NpmServers.NpmServer;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Ten servers from npm behind one gateway. */
@Tag("fleet")
class NpmServersTest {
    private static final String LEGACY = "2025-11-25";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final String LIBRARIES =
            """
            {"results": [{"id": "/acme/patch", "title": "Patch", "description": "Cables",
            "lastUpdateDate": "2026-01-01", "totalTokens": 1, "totalSnippets": 1}]}
            """;

    @TempDir private Path folder;
    private HttpServer libraries;
    private Map<String, NpmServer> npmServers;
    private TestInstallation installation;

    @BeforeEach
    void configure() throws IOException {
        libraries =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        libraries.createContext(
                "/",
                exchange -> {
                    byte[] body = LIBRARIES.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        libraries.start();
        String address = "http://127.0.0.1:" + libraries.getAddress().getPort() + "/api";
        Path data = Files.createDirectory(folder.resolve("data"));
        npmServers = new NpmServers(NpmPackages.installed(), data, address).servers();
        installation = new TestInstallation(folder);
        npmServers.forEach((id, ship) -> installation.withServer(id, ship.configEntry()));
        installation.save();
    }

    @AfterEach
    void stop() {
        libraries.stop(0);
    }

    @Test
    void allServersConnectAndEachAnswersACallOverStdio() throws Exception {
        try (TestHost host = installation.connect()) {
            for (String id : npmServers.keySet()) {
                host.awaitStatus(id, "connected", START_TIMEOUT);
                host.awaitListed(id);
            }
            for (var ship : npmServers.entrySet()) {
                ExpectedCall call = ship.getValue().call();
                JsonTree answer =
                        host.client().callTool(ship.getKey() + "." + call.tool(), call.arguments());
                assertThat(ExpectedCall.textOf(answer))
                        .as(ship.getKey())
                        .contains(call.expectedText());
            }
            assertThat(host.servers())
                    .hasSize(npmServers.size())
                    .allMatch(server -> server.at("status").asText().equals("connected"))
                    .allMatch(server -> server.at("attempts").asLong() == 1);
        }
    }

    @Test
    void allServersWorkInAStandardSandbox() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "there is no bubblewrap");
        String cwd = StrictJson.quote(folder.resolve("data").toString());
        npmServers.forEach(
                (id, ship) -> {
                    String entry = ship.configEntry();
                    String place = entry.contains("\"cwd\"") ? "" : "\"cwd\": " + cwd + ", ";
                    installation.withServer(
                            id, "{\"sandbox\": \"standard\", " + place + entry.substring(1));
                });
        installation.save();
        try (TestHost host = installation.connect()) {
            for (var ship : npmServers.entrySet()) {
                host.awaitStatus(ship.getKey(), "connected", START_TIMEOUT);
                ExpectedCall call = ship.getValue().call();
                JsonTree answer =
                        host.client().callTool(ship.getKey() + "." + call.tool(), call.arguments());
                assertThat(ExpectedCall.textOf(answer))
                        .as(ship.getKey())
                        .contains(call.expectedText());
            }
            assertThat(host.servers())
                    .hasSize(npmServers.size())
                    .allMatch(server -> server.at("sandbox").asText().equals("standard"));
        }
    }

    /** The gateway lists the same definitions as the server itself. */
    @Test
    void toolsAreListedUnderTheirFullNamesAndOtherwiseUnchanged() throws Exception {
        try (TestHost host = installation.connect()) {
            for (String id : npmServers.keySet()) {
                host.awaitListed(id);
            }
            for (var ship : npmServers.entrySet()) {
                List<JsonTree> direct = toolsWithoutGateway(ship.getKey(), ship.getValue());
                assertThat(direct).as(ship.getKey()).isNotEmpty();
                assertThat(host.tools()).as(ship.getKey()).containsAll(direct);
            }
        }
    }

    @Test
    void eachServerAnswersACallOverHttp() throws Exception {
        try (HttpGatewayProcess gateway = HttpGatewayProcess.start(installation)) {
            for (var ship : npmServers.entrySet()) {
                ExpectedCall call = ship.getValue().call();
                String name = ship.getKey() + "." + call.tool();
                JsonTree answer =
                        gateway.request(
                                "tools/call",
                                name,
                                ClientMessages.callParams(name, call.arguments()));
                assertThat(ExpectedCall.textOf(answer))
                        .as(ship.getKey())
                        .contains(call.expectedText());
            }
            JsonTree list = gateway.request("tools/list", "", "{}");
            assertThat(list.at("result", "tools").asList())
                    .map(tool -> tool.at("name").asText())
                    .containsAll(
                            npmServers.entrySet().stream()
                                    .map(it -> it.getKey() + "." + it.getValue().call().tool())
                                    .toList());
        }
    }

    @Test
    void serversCommandReportsTheStateOfEachServer() throws Exception {
        TestInstallation.CommandResult reported = installation.run("servers", "--json");
        assertThat(reported.status()).as(reported.err()).isZero();
        List<JsonTree> servers = StrictJson.parse(reported.out()).asList();
        assertThat(servers)
                .hasSize(npmServers.size())
                .allMatch(server -> server.at("status").asText().equals("connected"))
                .allMatch(server -> server.at("toolCount").asLong() > 0);
        assertThat(era(servers, "libraries")).isEqualTo("modern");
        assertThat(era(servers, "postgres")).isEqualTo("legacy");
        assertThat(servers)
                .filteredOn(server -> server.has("lastError"))
                .singleElement()
                .matches(server -> server.at("serverId").asText().equals("postgres"))
                .matches(server -> server.at("lastError").asText().contains("ECONNREFUSED"));
    }

    private static String era(List<JsonTree> servers, String id) {
        return servers.stream()
                .filter(server -> server.at("serverId").asText().equals(id))
                .map(server -> server.at("era").asText())
                .findFirst()
                .orElseThrow();
    }

    /** The tools that a server lists without a gateway, with the names that they have with one. */
    private List<JsonTree> toolsWithoutGateway(String id, NpmServer ship)
            throws IOException, InterruptedException {
        try (RawStdioClient client =
                ProcessLaunch.of(ship.command()).workingDirectory(folder).start()) {
            JsonTree welcome = client.initialize(LEGACY).at("result");
            assertThat(welcome.at("protocolVersion").asText())
                    .as(id)
                    .isIn(documentedVersions(ship));
            boolean tasks = welcome.at("capabilities").has("tasks");
            var tools = new ArrayList<JsonTree>();
            for (JsonTree tool :
                    client.request("tools/list", "{}").at("result", "tools").asList()) {
                tools.add(withFullName((JsonTree.Obj) tool, id, tasks));
            }
            return tools;
        }
    }

    /** The protocol versions that the guide names for a server. */
    private static List<String> documentedVersions(NpmServer ship) throws IOException {
        Path launcher = Path.of(System.getProperty("patchbay.launcher"));
        for (String row : Files.readAllLines(launcher.resolveSibling("docs/clients.md"))) {
            String[] cells = row.split(" \\| ", -1);
            for (String name : cells[0].replaceAll("[|` ]", "").split(",", -1)) {
                boolean named = ship.command().get(1).contains(name + "/");
                if (cells.length == 3 && row.startsWith("| `") && named) {
                    String version = cells[2].replace(" |", "");
                    return version.equals(ClientMessages.MODERN)
                            ? List.of(version, LEGACY)
                            : List.of(version);
                }
            }
        }
        throw new AssertionError("Not in the guide: " + ship.command());
    }

    /** The definition with its full name, and without task support if its server has none. */
    private static JsonTree withFullName(JsonTree.Obj tool, String id, boolean tasks) {
        var members = new ArrayList<JsonTree.Member>();
        for (JsonTree.Member member : tool.members()) {
            if (member.name().equals("name")) {
                var full = new JsonTree.Str(id + "." + member.value().asText());
                members.add(new JsonTree.Member("name", full));
            } else if (tasks || !member.name().equals("execution")) {
                members.add(member);
            }
        }
        return new JsonTree.Obj(members);
    }
}
