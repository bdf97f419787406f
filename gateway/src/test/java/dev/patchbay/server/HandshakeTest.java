package dev.patchbay.server;

import static dev.patchbay.server.FakeServer.error;
import static dev.patchbay.server.FakeServer.initialized;
import static dev.patchbay.server.FakeServer.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.time.Ticker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

/** The verdict on a server's era, from what it says to the first question. */
class HandshakeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final String MODERN_RESULT = "{\"supportedVersions\":[\"2026-07-28\"]}";

    private final EraCache eraCache = new EraCache(Ticker.system());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"error\":{\"code\":-32601,\"message\":\"x\"}",
                "\"error\":{\"code\":-32602,\"message\":\"x\"}",
                "\"error\":{\"code\":-32000,\"message\":\"x\"}",
                "\"error\":{\"code\":-32022,\"message\":\"x\"}",
                "\"error\":{\"code\":-32022,\"message\":\"x\",\"data\":{\"supported\":7}}",
                "\"error\":{\"code\":-32022,\"message\":\"x\",\"data\":{\"supported\":[1]}}",
                "\"error\":{\"code\":-32022,\"message\":\"x\","
                        + "\"data\":{\"supported\":[\"2025-11-25\"]}}",
                "\"error\":{\"code\":-32022,\"message\":\"x\","
                        + "\"data\":{\"supported\":[\"2027-01-01\",\"2025-06-18\"]}}",
                "\"error\":{\"code\":\"x\"}",
                "\"result\":{}",
                "\"result\":{\"supportedVersions\":\"2026-07-28\"}",
                "\"result\":{\"supportedVersions\":[\"2025-11-25\"]}",
                "\"result\":null",
                "\"result\":[]",
                ""
            })
    void treatsUnclearDiscoverResponseAsLegacy(String answer) throws Exception {
        var server = server(answer, result(initialized("2025-11-25")));
        JsonRpcServerSession link = handshake(server, EraChoice.AUTO);
        assertThat(link.handshakeResult().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(link.handshakeResult().serverInfo().name()).isEqualTo("fake");
        assertThat(eraCache.era()).isEqualTo(Era.LEGACY);
        assertThat(server.received.getLast().toString()).contains("notifications/initialized");
    }

    @Test
    void treatsDiscoverResultAsModern() throws Exception {
        var server =
                server(
                        result(
                                """
                                {"supportedVersions":["2027-01-01","2026-07-28"],
                                "capabilities":{"tools":{}},"instructions":"Be brief",
                                "_meta":{"io.modelcontextprotocol/serverInfo":
                                {"name":"n","version":"v"}}}\
                                """),
                        error(-32601, "x"));
        HandshakeResult facts = handshake(server, EraChoice.AUTO).handshakeResult();
        assertThat(facts)
                .isEqualTo(
                        new HandshakeResult(
                                ProtocolVersion.V2026_07_28,
                                new Implementation("n", "v"),
                                Json.of("{\"tools\":{}}"),
                                "Be brief"));
        assertThat(server.received).hasSize(1);
        assertThat(eraCache.era()).isEqualTo(Era.MODERN);
    }

    @Test
    void retriesDiscoverOnceWhenTheRejectedVersionIsOffered() {
        var server = server(unsupportedVersion("2026-07-28"), result(initialized("2025-11-25")));
        var failure = failure(server, EraChoice.AUTO);
        assertThat(failure.detail()).contains("server/discover", "-32022");
        assertThat(server.params("server/discover")).hasSize(2);
        assertThat(server.params("initialize")).isEmpty();
    }

    @Test
    void doesNotInitializeAServerThatSupportsOnlyNewerVersions() {
        var server = server(unsupportedVersion("2027-01-01"), result(initialized("2025-11-25")));
        assertThat(failure(server, EraChoice.AUTO).detail())
                .contains("supports only MCP 2027-01-01");
        assertThat(server.params("initialize")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05,V2024_11_05",
        "2025-03-26,V2025_03_26",
        "2025-06-18,V2025_06_18",
        "2025-11-25,V2025_11_25",
        "2026-07-28,V2026_07_28"
    })
    void acceptsEveryKnownVersion(String text, ProtocolVersion version) throws Exception {
        var server = server(error(-32601, "x"), result(initialized(text)));
        assertThat(handshake(server, EraChoice.AUTO).handshakeResult().version())
                .isEqualTo(version);
    }

    @Test
    void rejectsUnknownVersion() {
        var server = server(error(-32601, "x"), result(initialized("2024-10-07")));
        assertThat(failure(server, EraChoice.AUTO).detail()).contains("2024-10-07");
    }

    @Test
    void initializesAgainWithTheVersionOfferedInAnError() throws Exception {
        var server =
                new FakeServer(
                        (method, params) ->
                                switch (String.valueOf(params.memberText("protocolVersion"))) {
                                    case "2025-11-25" -> unsupportedVersion("2024-11-05");
                                    case "2024-11-05" -> result(initialized("2024-11-05"));
                                    default -> error(-32601, method);
                                });
        assertThat(handshake(server, EraChoice.AUTO).handshakeResult().version())
                .isEqualTo(ProtocolVersion.V2024_11_05);
    }

    @Test
    void sendsClientInfoAndCapabilities() throws Exception {
        var server = server(error(-32601, "x"), result(initialized("2025-11-25")));
        handshake(server, EraChoice.LEGACY);
        assertThat(server.params("server/discover")).isEmpty();
        assertThat(server.params("initialize").getFirst())
                .hasToString(
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{},"
                                + "\"sampling\":{},\"elicitation\":{\"form\":{},\"url\":{}}},"
                                + "\"clientInfo\":{\"name\":\"patchbay\",\"version\":\"test\"}}");
    }

    @Test
    void neverFallsBackWhenModernEraIsConfigured() {
        var server = server(error(-32601, "x"), result(initialized("2025-11-25")));
        assertThat(failure(server, EraChoice.MODERN).detail())
                .contains("does not support MCP 2026-07-28");
        assertThat(server.params("initialize")).isEmpty();
    }

    @Test
    void configuredModernServerGetsTheWholeTimeout() {
        var server = server(FakeServer.NO_RESPONSE, result(initialized("2025-11-25")));
        var watch = Stopwatch.start();
        var failure = failure(server, EraChoice.MODERN);
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(3_300));
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(2_700));
        assertThat(failure.reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
    }

    @Test
    void remembersThatAServerEndedOnTheProbe() {
        var server = server(FakeServer.CLOSE, result(initialized("2025-11-25")));
        assertThat(failure(server, EraChoice.AUTO).shouldRetryImmediately()).isTrue();
        assertThat(eraCache.era()).isEqualTo(Era.LEGACY);
    }

    @Test
    void forgetsWrongLegacyResult() {
        eraCache.store(Era.LEGACY);
        var server = server(result(MODERN_RESULT), error(-32601, "Method not found"));
        var failure = failure(server, EraChoice.AUTO);
        assertThat(failure.detail())
                .isEqualTo("it answered initialize with an error: Method not found (-32601)");
        assertThat(eraCache.era()).isNull();
    }

    private JsonRpcServerSession handshake(FakeServer server, EraChoice choice) throws Exception {
        var link =
                JsonRpcServerSession.start(
                        new ServerId("a"),
                        server,
                        new SessionOptions(
                                new ServerEventListener() {},
                                new QuestionPolicy(new ServerId("s"), false),
                                1,
                                Ticker.system()),
                        _ -> {});
        var client = new Implementation("patchbay", "test");
        new Handshake(choice, client, eraCache, Ticker.system()).perform(link, TIMEOUT, false);
        return link;
    }

    private ConnectFailedException failure(FakeServer server, EraChoice choice) {
        return catchThrowableOfType(ConnectFailedException.class, () -> handshake(server, choice));
    }

    private static FakeServer server(String toDiscover, String toInitialize) {
        var answers = Map.of("server/discover", toDiscover, "initialize", toInitialize);
        return new FakeServer((method, _) -> answers.getOrDefault(method, FakeServer.NO_RESPONSE));
    }

    private static String unsupportedVersion(String version) {
        return "\"error\":{\"code\":-32022,\"message\":\"x\",\"data\":{\"supported\":[\"%s\"]}}"
                .formatted(version);
    }
}
