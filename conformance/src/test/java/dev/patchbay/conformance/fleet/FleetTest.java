package dev.patchbay.conformance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.patchbay.conformance.ecosystem.Host;
import dev.patchbay.conformance.ecosystem.Workbench;
import dev.patchbay.conformance.fleet.Fleet.Call;
import dev.patchbay.conformance.fleet.Fleet.Ship;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
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

/** Ten servers of the npm registry behind one gateway. */
@Tag("fleet")
class FleetTest {
    private static final String LEGACY = "2025-11-25";
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final String LIBRARIES =
            """
            {"results": [{"id": "/acme/patch", "title": "Patch", "description": "Cables",
            "lastUpdateDate": "2026-01-01", "totalTokens": 1, "totalSnippets": 1}]}
            """;

    @TempDir private Path folder;
    private HttpServer libraries;
    private Map<String, Ship> ships;
    private Workbench bench;

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
        ships = new Fleet(Parts.installed(), data, address).ships();
        bench = new Workbench(folder);
        ships.forEach((id, ship) -> bench.with(id, ship.entry()));
        bench.save();
    }

    @AfterEach
    void stop() {
        libraries.stop(0);
    }

    @Test
    void allServersConnectAndEachAnswersACallOverStdio() throws Exception {
        try (Host host = bench.open()) {
            for (String id : ships.keySet()) {
                host.awaitStatus(id, "connected", START_PATIENCE);
                host.awaitListed(id);
            }
            for (var ship : ships.entrySet()) {
                Call call = ship.getValue().call();
                JsonTree answer =
                        host.client().call(ship.getKey() + "." + call.tool(), call.arguments());
                assertThat(Call.text(answer)).as(ship.getKey()).contains(call.answer());
            }
            assertThat(host.servers())
                    .hasSize(ships.size())
                    .allMatch(server -> server.at("status").text().equals("connected"))
                    .allMatch(server -> server.at("attempts").integer() == 1);
        }
    }

    /** What a server tells a client of its own is what the gateway tells of it. */
    @Test
    void eachToolIsListedUnderItsFullNameAndIsOtherwiseUnchanged() throws Exception {
        try (Host host = bench.open()) {
            for (String id : ships.keySet()) {
                host.awaitListed(id);
            }
            for (var ship : ships.entrySet()) {
                List<JsonTree> direct = directly(ship.getKey(), ship.getValue());
                assertThat(direct).as(ship.getKey()).isNotEmpty();
                assertThat(host.tools()).as(ship.getKey()).containsAll(direct);
            }
        }
    }

    @Test
    void eachAnswersACallOverHttp() throws Exception {
        try (Serving serving = Serving.of(bench)) {
            for (var ship : ships.entrySet()) {
                Call call = ship.getValue().call();
                String name = ship.getKey() + "." + call.tool();
                JsonTree answer =
                        serving.request(
                                "tools/call", name, Messages.callParams(name, call.arguments()));
                assertThat(Call.text(answer)).as(ship.getKey()).contains(call.answer());
            }
            JsonTree list = serving.request("tools/list", "", "{}");
            assertThat(list.at("result", "tools").list())
                    .map(tool -> tool.at("name").text())
                    .containsAll(
                            ships.entrySet().stream()
                                    .map(it -> it.getKey() + "." + it.getValue().call().tool())
                                    .toList());
        }
    }

    @Test
    void theCommandTellsWhatIsTrueOfEach() throws Exception {
        Workbench.Outcome told = bench.run("servers", "--json");
        assertThat(told.status()).as(told.err()).isZero();
        List<JsonTree> servers = StrictJson.parse(told.out()).list();
        assertThat(servers)
                .hasSize(ships.size())
                .allMatch(server -> server.at("status").text().equals("connected"))
                .allMatch(server -> server.at("toolCount").integer() > 0);
        assertThat(era(servers, "libraries")).isEqualTo("modern");
        assertThat(era(servers, "postgres")).isEqualTo("legacy");
        assertThat(servers)
                .filteredOn(server -> server.has("lastError"))
                .singleElement()
                .matches(server -> server.at("serverId").text().equals("postgres"))
                .matches(server -> server.at("lastError").text().contains("ECONNREFUSED"));
    }

    private static String era(List<JsonTree> servers, String id) {
        return servers.stream()
                .filter(server -> server.at("serverId").text().equals(id))
                .map(server -> server.at("era").text())
                .findFirst()
                .orElseThrow();
    }

    /** The tools that a server tells without a gateway, with the names that they have with one. */
    private List<JsonTree> directly(String id, Ship ship) throws IOException, InterruptedException {
        try (RawClient client = Launch.of(ship.command()).in(folder).start()) {
            JsonTree welcome = client.initialize(LEGACY).at("result");
            assertThat(welcome.at("protocolVersion").text()).as(id).isIn(told(ship));
            boolean tasks = welcome.at("capabilities").has("tasks");
            var tools = new ArrayList<JsonTree>();
            for (JsonTree tool : client.request("tools/list", "{}").at("result", "tools").list()) {
                tools.add(renamed((JsonTree.Obj) tool, id, tasks));
            }
            return tools;
        }
    }

    /** The protocol that the guide tells of a server; of a modern one, also what it says to us. */
    private static List<String> told(Ship ship) throws IOException {
        Path launcher = Path.of(System.getProperty("patchbay.launcher"));
        for (String row : Files.readAllLines(launcher.resolveSibling("docs/clients.md"))) {
            String[] cells = row.split(" \\| ", -1);
            for (String name : cells[0].replaceAll("[|` ]", "").split(",", -1)) {
                boolean named = ship.command().get(1).contains(name + "/");
                if (cells.length == 3 && row.startsWith("| `") && named) {
                    String version = cells[2].replace(" |", "");
                    return version.equals(Messages.MODERN)
                            ? List.of(version, LEGACY)
                            : List.of(version);
                }
            }
        }
        throw new AssertionError("Not in the guide: " + ship.command());
    }

    /** Its name is the full one, and it says nothing of tasks where its server has none. */
    private static JsonTree renamed(JsonTree.Obj tool, String id, boolean tasks) {
        var members = new ArrayList<JsonTree.Member>();
        for (JsonTree.Member member : tool.members()) {
            if (member.name().equals("name")) {
                var full = new JsonTree.Str(id + "." + member.value().text());
                members.add(new JsonTree.Member("name", full));
            } else if (tasks || !member.name().equals("execution")) {
                members.add(member);
            }
        }
        return new JsonTree.Obj(members);
    }
}
