package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.FutureTask;

/** Calls that take their time, and answers that are odd but right. */
class InvocationEdgeTest {
    @TempDir private static Path folder;
    private static GatewayFixture fleet;
    private static ServerScript patient;

    @BeforeAll
    static void open() throws Exception {
        fleet = new GatewayFixture(folder);
        String[] tools = {"slow", "progress", "rpcError", "reply", "echo"};
        patient =
                fleet.add(
                        fleet.script("patient").tools(tools),
                        GatewayFixture.limits(20_000, 20_000, 0));
        fleet.add(fleet.script("hasty").tools(tools), GatewayFixture.limits(20_000, 1_000, 0));
        assertThat(fleet.discover().serverResults()).allMatch(it -> it.error() == null);
    }

    @AfterAll
    static void close() {
        fleet.close();
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void callTimeoutMayBeShorterThanTheServerTimeout() throws Exception {
        var slow = Invocation.of("patient.slow", Json.of("{\"ms\":10000}"));
        var watch = Stopwatch.start();
        assertTimedOut(fleet.gateway.invoke(slow.withTimeoutMs(1_000L)), watch);
        assertThat(GatewayFixture.becomesTrue(() -> patient.recording().cancelledIds().size() == 1))
                .isTrue();
        assertThat(fleet.call("patient.echo", "{}").isSuccess()).isTrue();
    }

    /** The bound is hard: who could prolong a call by progress could prolong it for ever. */
    @Test
    @Tag("INV-MCP-ECO-100")
    void progressDoesNotExtendTheTimeout() throws Exception {
        var watch = Stopwatch.start();
        assertTimedOut(fleet.call("hasty.progress", "{\"n\":100,\"ms\":100}"), watch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "2100-01-01T00:00:00Z"})
    @Tag("INV-MCP-ECO-100")
    void wallClockChangesDoNotAffectTimeouts(String time) throws Exception {
        var call = new FutureTask<>(() -> fleet.call("hasty.slow", "{\"ms\":10000}"));
        var quick = new FutureTask<>(() -> fleet.call("patient.slow", "{\"ms\":300}"));
        var watch = Stopwatch.start();
        Thread.startVirtualThread(call);
        Thread.startVirtualThread(quick);
        fleet.setClock(Instant.parse(time));
        assertThat(quick.get().isSuccess()).isTrue();
        assertTimedOut(call.get(), watch);
    }

    private static void assertTimedOut(InvocationResult result, Stopwatch watch) {
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVOCATION_FAILED);
        assertThat(result.problem().message()).contains("timeout of 1000 ms");
        assertThat(result.durationMs()).isBetween(990L, 3_000 + watch.stalledTime().toMillis());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "\"x\"", "[1,2]", "{\"a\":{}}", "0.10", "true"})
    @Tag("INV-MCP-ECO-301")
    void errorDataMayBeAnyJsonValue(String data) throws Exception {
        String message = "no \\u0000\\u001b[31m\\n\\u2028 luck";
        String arguments =
                "{\"code\":-32001,\"message\":\"%s\",\"data\":%s}".formatted(message, data);
        InvocationResult result = fleet.call("patient.rpcError", arguments);
        assertThat(result.callResult())
                .isInstanceOfSatisfying(
                        CallResult.ServerError.class,
                        it -> {
                            RpcError error = it.error();
                            assertThat(error.code()).isEqualTo(-32_001);
                            assertThat(error.message()).isEqualTo("no \0\033[31m\n\u2028 luck");
                            assertThat(error.data()).hasToString(data);
                        });
        assertThat(result.server()).isEqualTo(new ServerId("patient"));
        assertThat(result.toJson().toString()).doesNotContain("\0", "\033", "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"structuredContent\":{\"a\":1}}", "{\"content\":[]}"})
    @Tag("INV-MCP-ECO-301")
    void resultWithoutContentIsForwardedUnchanged(String answer) throws Exception {
        InvocationResult result = fleet.call("patient.reply", "{\"result\":" + answer + "}");
        assertThat(((CallResult.Answered) result.callResult()).result()).hasToString(answer);
        assertThat(result.isSuccess()).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void methodNotFoundFromAServerIsForwarded() throws Exception {
        InvocationResult result =
                fleet.call("patient.rpcError", "{\"code\":-32601,\"message\":\"what?\"}");
        assertThat(result.callResult())
                .isInstanceOfSatisfying(
                        CallResult.ServerError.class,
                        it -> assertThat(it.error().code()).isEqualTo(RpcError.METHOD_NOT_FOUND));
    }
}
