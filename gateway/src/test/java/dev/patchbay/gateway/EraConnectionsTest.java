package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.time.SleeplessTicker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which connection a call uses if the server supports both eras. */
class EraConnectionsTest {
    private static final Caller MODERN = new Caller("modern", Era.MODERN, false, null);
    private static final Caller LEGACY = new Caller("legacy", Era.LEGACY, false, null);
    private static final Caller LEGACY_THAT_CAN_BE_ASKED =
            new Caller("asked", Era.LEGACY, true, null);
    private static final Transport HTTP =
            new Transport.Http(URI.create("http://127.0.0.1:9/mcp"), Map.of());
    private static final Transport STDIO = new Transport.Stdio("none", List.of(), Map.of(), null);

    private final SleeplessTicker ticker = new SleeplessTicker();
    private final List<FakeServer> opened = new CopyOnWriteArrayList<>();
    private final Gateway gateway =
            new Gateway(
                    GatewaySettings.DEFAULTS,
                    new Supervisor.Dependencies(
                            this::open,
                            GatewaySettings.DEFAULTS.identity(),
                            InstantSource.system(),
                            new StartLimiter(4, ticker),
                            new Backoff(new Random(1)),
                            ticker,
                            16));
    private volatile boolean refusesLegacy;
    private volatile boolean cannotBeOpenedAgain;
    private volatile boolean requiresTask;
    private volatile Scope scope = Scope.AUTO;

    @AfterEach
    void close() {
        gateway.close();
    }

    private TransportFactory.TransportConnection open(ServerSpec spec) throws IOException {
        if (cannotBeOpenedAgain && !opened.isEmpty()) {
            throw new IOException("too many connections");
        }
        var server = new FakeServer(this::answer);
        opened.add(server);
        return server;
    }

    private String answer(String method, Json params) {
        boolean isModern = params.member(MetaKeys.META) != null;
        return switch (method) {
            case "server/discover" ->
                    FakeServer.result(
                            """
                            {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}\
                            """);
            case "initialize" ->
                    refusesLegacy
                            ? FakeServer.error(-32022, "Unsupported protocol version")
                            : FakeServer.result(
                                    """
                                    {"protocolVersion":"2025-11-25",\
                                    "capabilities":{"tools":{},"tasks":{}},\
                                    "serverInfo":{"name":"both","version":"1"}}\
                                    """);
            case "tools/list" ->
                    FakeServer.result(
                            """
                            {"tools":[{"name":"era","inputSchema":{"type":"object"}}]}\
                            """);
            case "tools/call" -> {
                if (isModern || !requiresTask) {
                    yield FakeServer.result(content(isModern ? "modern" : "legacy"));
                }
                yield params.member("task") == null
                        ? FakeServer.error(-32601, "It runs as a task only")
                        : FakeServer.result("{\"task\":{\"taskId\":\"1\",\"status\":\"working\"}}");
            }
            case "tasks/result" -> FakeServer.result(content("task"));
            default -> FakeServer.result("{}");
        };
    }

    private static String content(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted(text);
    }

    private void register(Transport transport, EraChoice era) throws InterruptedException {
        gateway.register(
                new ServerSpec(
                                new ServerId("both"),
                                transport,
                                Options.DEFAULTS.withInstances(
                                        new Instances(scope, Duration.ZERO, 1)))
                        .withEra(era));
        assertThat(gateway.discover(DiscoveryRequest.ALL).tools()).hasSize(1);
    }

    /** The era of the connection that a call of the client used. */
    private String eraOfCall(Caller caller) throws InterruptedException {
        var context = new CallContext(CallListener.NONE, Json.EMPTY_OBJECT, null, "c", "", caller);
        Json params = Json.of("{\"name\":\"era\",\"arguments\":{}}");
        CallResult result =
                gateway.invoke(new Invocation("both.era", null, params, null, context))
                        .callResult();
        assertThat(result).isInstanceOf(CallResult.Answered.class);
        return ((CallResult.Answered) result)
                .result()
                .member("content")
                .elements()
                .getFirst()
                .memberText("text");
    }

    @Test
    void overHttpEachClientUsesItsOwnEra() throws Exception {
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("legacy");
        assertThat(eraOfCall(MODERN)).isEqualTo("modern");
        assertThat(eraOfCall(LEGACY_THAT_CAN_BE_ASKED)).isEqualTo("legacy");
        assertThat(opened).as("one connection for each era").hasSize(2);
    }

    @Test
    void connectionOfTheOtherEraIsOpenedWhenItIsNeeded() throws Exception {
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(MODERN)).isEqualTo("modern");
        assertThat(opened).hasSize(1);
    }

    @Test
    void overStdioOnlyAClientThatCanBeAskedGetsASecondProcess() throws Exception {
        register(STDIO, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        assertThat(opened).hasSize(1);
        assertThat(eraOfCall(LEGACY_THAT_CAN_BE_ASKED)).isEqualTo("legacy");
        assertThat(opened).hasSize(2);
    }

    @Test
    void configuredEraHoldsForAllClients() throws Exception {
        register(HTTP, EraChoice.MODERN);
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        assertThat(opened).hasSize(1);
    }

    @Test
    void serverWithoutTheLegacyEraIsAskedOnce() throws Exception {
        refusesLegacy = true;
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        ticker.advance(Duration.ofDays(1));
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        assertThat(opened).hasSize(2);
        assertThat(opened.getLast().hasEnded()).isTrue();
    }

    @Test
    void otherFailureIsNotRepeatedAtEveryCall() throws Exception {
        cannotBeOpenedAgain = true;
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        cannotBeOpenedAgain = false;
        assertThat(eraOfCall(LEGACY)).isEqualTo("modern");
        ticker.advance(Duration.ofMinutes(11));
        assertThat(eraOfCall(LEGACY)).isEqualTo("legacy");
    }

    /** The list of the modern connection does not say that a legacy client needs a task. */
    @Test
    void toolThatRunsAsATaskOnlyIsCalledAsOneOverTheLegacyConnection() throws Exception {
        requiresTask = true;
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("task");
        assertThat(eraOfCall(MODERN)).isEqualTo("modern");
    }

    @Test
    void serverThatAllClientsShareHasOneProcess() throws Exception {
        scope = Scope.SHARED;
        register(STDIO, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY_THAT_CAN_BE_ASKED)).isEqualTo("modern");
        assertThat(opened).hasSize(1);
    }

    @Test
    void allConnectionsEndWithTheServer() throws Exception {
        register(HTTP, EraChoice.AUTO);
        assertThat(eraOfCall(LEGACY)).isEqualTo("legacy");
        gateway.disable(new ServerId("both"));
        assertThat(opened).hasSize(2).allMatch(FakeServer::hasEnded);
        gateway.enable(new ServerId("both"));
        assertThat(eraOfCall(LEGACY)).isEqualTo("legacy");
        assertThat(gateway.unregister(new ServerId("both"))).isTrue();
        assertThat(opened).hasSize(4).allMatch(FakeServer::hasEnded);
    }
}
