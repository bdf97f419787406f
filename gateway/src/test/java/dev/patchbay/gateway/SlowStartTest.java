package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;
import dev.patchbay.gateway.DiscoveryResult.ServerResult;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Servers in memory, so that times are those of the gateway: some hang, one cannot be started. */
@Tag("slow")
class SlowStartTest {
    private static final String INITIALIZED =
            """
            {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},\
            "serverInfo":{"name":"fake","version":"1"}}\
            """;
    private static final String TOOLS =
            "\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]";

    private final CountDownLatch released = new CountDownLatch(1);
    private final Map<String, FakeServer> opened = new ConcurrentHashMap<>();
    private final Gateway gateway =
            Gateway.open(GatewaySettings.DEFAULTS, this::open, InstantSource.system());

    @AfterEach
    void close() {
        released.countDown();
        gateway.close();
    }

    /** The id of a server says what is wrong with it. */
    private TransportFactory.TransportConnection open(ServerSpec spec) throws IOException {
        String id = spec.id().value();
        if (id.startsWith("start")) {
            hang();
        }
        if (id.equals("overflows")) {
            throw new StackOverflowError("of the opener");
        }
        var server = new FakeServer((method, params) -> answer(id, method + params));
        opened.put(id, server);
        return server;
    }

    /** Hangs as a system call does, which knows no interrupt. */
    private void hang() {
        boolean interrupted = false;
        while (released.getCount() > 0) {
            LockSupport.parkNanos(10_000_000);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String answer(String id, String asked) {
        boolean second = asked.contains("cursor");
        boolean hangs =
                switch (id) {
                    case "initialize" -> asked.startsWith("initialize");
                    case "tools" -> asked.startsWith("tools/list");
                    case "page" -> second;
                    case "resources" -> asked.startsWith("resources/list");
                    default -> false;
                };
        if (id.equals("throws") && asked.startsWith("tools/list")) {
            throw new StackOverflowError("of the list");
        }
        if (hangs || (id.equals("late") && asked.startsWith("initialize"))) {
            return FakeServer.NO_RESPONSE;
        }
        String method = asked.substring(0, asked.indexOf('{'));
        return switch (method) {
            case "initialize" -> FakeServer.result(INITIALIZED);
            case "tools/list" -> {
                boolean more = id.equals("page") && !second;
                yield FakeServer.result("{" + TOOLS + (more ? ",\"nextCursor\":\"2\"}" : "}"));
            }
            case "resources/list" -> FakeServer.result("{\"resources\":[]}");
            default -> FakeServer.error(-32601, "Method not found");
        };
    }

    private void register(long connectionMs, String... ids) {
        var limits = new Limits(Duration.ofMillis(connectionMs), Duration.ofSeconds(5), 0);
        for (String id : ids) {
            gateway.register(
                    new ServerSpec(
                            new ServerId(id),
                            new Transport.Stdio("none", List.of(), Map.of(), null),
                            Options.DEFAULTS.withLimits(limits)));
        }
    }

    private ServerState state(String id) {
        return gateway.server(new ServerId(id)).orElseThrow().state();
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void fastServerIsListedWhileOthersHang() throws Exception {
        register(1_000, "start", "initialize", "tools", "page", "resources");
        var watch = Stopwatch.start();
        assertThat(fastestStart("fast")).isLessThan(Duration.ofMillis(200));
        DiscoveryResult result = gateway.discover(DiscoveryRequest.ALL);
        assertThat(watch.activeTime()).as("connect, then list").isLessThan(Duration.ofSeconds(5));
        assertThat(result.serverResults())
                .extracting(ServerResult::serverId)
                .contains("initialize", "page", "resources", "start", "tools")
                .doesNotHaveDuplicates();
        for (ServerResult row : result.serverResults()) {
            boolean fast = row.serverId().startsWith("fast");
            assertThat(row.status())
                    .as(row.serverId())
                    .isEqualTo(fast ? DiscoveryStatus.SUCCESS : DiscoveryStatus.ERROR);
        }
    }

    /** How long it takes from a registration to the tools; the least of a few on a busy machine. */
    private Duration fastestStart(String id) {
        Duration least = Duration.ofDays(1);
        for (int i = 0; i < 5; i++) {
            String one = id + i;
            var watch = Stopwatch.start();
            register(20_000, one);
            assertThat(
                            GatewayFixture.becomesTrue(
                                    () ->
                                            GatewayFixture.names(gateway.tools())
                                                    .contains(one + ".echo")))
                    .isTrue();
            Duration took = watch.activeTime();
            least = took.compareTo(least) < 0 ? took : least;
        }
        return least;
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void internalErrorOfOneServerDoesNotAffectOthers() throws Exception {
        register(20_000, "overflows", "throws", "fast");
        DiscoveryResult result = gateway.discover(DiscoveryRequest.ALL);
        assertThat(result.serverResults())
                .extracting(ServerResult::status)
                .containsExactly(
                        DiscoveryStatus.SUCCESS, DiscoveryStatus.ERROR, DiscoveryStatus.ERROR);
        assertThat(state("overflows").status()).isEqualTo(ServerState.Status.ERROR);
        assertThat(state("throws").status()).isEqualTo(ServerState.Status.CONNECTED);
        assertThat(result.serverResults().get(2).error().message()).doesNotContain("overflow");
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    @Tag("INV-MCP-ECO-200")
    void hangingStartTimesOutAndItsStateStaysReadable() throws Exception {
        register(2_000, "start");
        var watch = Stopwatch.start();
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> state("start").status() == ServerState.Status.CONNECTING))
                .isTrue();
        assertThat(watch.activeTime())
                .as("nothing waits for it")
                .isLessThan(Duration.ofMillis(900));
        ServerResult row = gateway.discover(DiscoveryRequest.ALL).serverResults().getFirst();
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(3_500));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(1_800));
        assertThat(row.error().reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
        assertThat(row.error().message()).contains("Server start", "did not start within 2000 ms");
        assertThat(row.error().operation()).isEqualTo("connect");
        assertThat(state("start").status()).isEqualTo(ServerState.Status.ERROR);
        released.countDown();
        assertThat(GatewayFixture.becomesTrue(() -> opened.containsKey("start"))).isTrue();
        assertThat(GatewayFixture.becomesTrue(() -> opened.get("start").hasEnded())).isTrue();
        assertThat(state("start").status()).as("too late").isEqualTo(ServerState.Status.ERROR);
    }

    @Test
    @Tag("INV-MCP-ECO-002")
    void twentyHangingStartsDoNotBlockOthers() {
        for (int i = 0; i < 20; i++) {
            register(30_000, "start" + i);
        }
        assertThat(fastestStart("fast")).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void answerJustBeforeTheTimeoutIsAccepted() {
        register(4_000, "late");
        var watch = Stopwatch.start();
        assertThat(GatewayFixture.becomesTrue(() -> initializeRequest() != null)).isTrue();
        assertThat(GatewayFixture.becomesTrue(() -> watch.elapsed().toMillis() > 2_600)).isTrue();
        opened.get("late")
                .sendMessage(
                        "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}"
                                .formatted(
                                        initializeRequest().id(), FakeServer.result(INITIALIZED)));
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> state("late").status() == ServerState.Status.CONNECTED))
                .isTrue();
        assertThat(state("late").attempts()).isEqualTo(1);
    }

    private Request initializeRequest() {
        FakeServer server = opened.get("late");
        return server == null
                ? null
                : server.received.stream()
                        .filter(it -> it instanceof Request r && r.method().equals("initialize"))
                        .map(Request.class::cast)
                        .findFirst()
                        .orElse(null);
    }
}
