package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerId;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;

/** Calls of tools give the same results whether they wait from the start or not. */
@Tag("slow")
@ParameterizedClass(name = "waiting from the start: {0}")
@ValueSource(booleans = {false, true})
class InvocationTest {
    /** Whether a call waits from the start, or only if it cannot be sent without waiting. */
    @Parameter private boolean waits;

    @TempDir private Path folder;
    private GatewayFixture fleet;

    @BeforeEach
    void open() {
        fleet = new GatewayFixture(folder);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private InvocationResult call(String tool, String arguments) throws InterruptedException {
        return invoke(Invocation.of(tool, Json.of(arguments)));
    }

    private InvocationResult invoke(Invocation invocation) throws InterruptedException {
        return waits ? fleet.gateway.call(invocation).await() : fleet.gateway.invoke(invocation);
    }

    private ServerScript server(String... tools) throws Exception {
        return server(20_000, tools);
    }

    private ServerScript server(long requestMs, String... tools) throws Exception {
        ServerScript script =
                fleet.add(
                        fleet.script("a").tools(tools),
                        GatewayFixture.limits(20_000, requestMs, 0));
        assertThat(fleet.discover().serverResults().getFirst().error()).isNull();
        return script;
    }

    private ServerScript serverWithSchemas() throws Exception {
        Path tools = folder.resolve("tools.json");
        Files.writeString(
                tools,
                """
                [{"name":"echo","x-behaviour":"echo","inputSchema":{"type":"object",
                  "properties":{"n":{"type":"integer"},"s":{"type":"string"},
                    "when":{"type":"string","default":"now"}},
                  "required":["n"]}},
                 {"name":"closed","x-behaviour":"echo","inputSchema":{"type":"object",
                  "additionalProperties":false}}]
                """);
        ServerScript script =
                fleet.add(fleet.script("a").withOption("tools-file", tools.toString()));
        fleet.discover();
        return script;
    }

    private void assertInvalidArguments(
            ServerScript script, String tool, String arguments, String pointer) throws Exception {
        InvocationResult result = call(tool, arguments);
        assertThat(result.callResult())
                .isInstanceOfSatisfying(
                        CallResult.InvalidArguments.class,
                        it ->
                                assertThat(it.violations())
                                        .anyMatch(
                                                violation -> violation.pointer().equals(pointer)));
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVALID_ARGUMENTS);
        assertThat(result.problem().execution()).isEqualTo(ExecutionStatus.NOT_SENT);
        assertThat(script.recording().receivedCount("tools/call")).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void missingRequiredArgumentValidationError() throws Exception {
        ServerScript script = serverWithSchemas();
        assertInvalidArguments(script, "a.echo", "{}", "/n");
        InvocationResult absent = invoke(Invocation.of("a.echo", null));
        assertThat(absent.problem().reason()).isEqualTo(ErrorReason.INVALID_ARGUMENTS);
        assertThat(script.recording().receivedCount("tools/call")).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void invalidArgumentTypeValidationError() throws Exception {
        ServerScript script = serverWithSchemas();
        assertInvalidArguments(script, "a.echo", "{\"n\":\"1\"}", "/n");
        assertInvalidArguments(script, "a.echo", "{\"n\":1.5}", "/n");
        assertInvalidArguments(script, "a.echo", "{\"n\":1,\"s\":[]}", "/s");
        assertInvalidArguments(script, "a.closed", "{\"extra\":1}", "/extra");
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void allViolationsAreReportedTogether() throws Exception {
        serverWithSchemas();
        assertThat(call("a.echo", "{\"n\":\"x\",\"s\":5}").problem().message())
                .contains("/n")
                .contains("/s");
    }

    /** Extras, numbers, order and spelling reach the server as they were written. */
    @Test
    @Tag("INV-MCP-ECO-300")
    void validArgumentsInvocationProceeds() throws Exception {
        ServerScript script = serverWithSchemas();
        String arguments =
                "{\"z\":0.1000,\"n\":1.0,\"big\":123456789012345678901234567890,"
                        + "\"s\":null,\"\\u0061\":\"é\"}";
        InvocationResult result = call("echo", arguments);
        assertThat(result.isSuccess()).isTrue();
        assertThat(result.tool()).isEqualTo("a.echo");
        assertThat(script.recording().callArguments("echo")).containsExactly(arguments);
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void argumentsMustBeAnObject() throws Exception {
        ServerScript script = serverWithSchemas();
        for (String arguments : new String[] {"null", "[]", "\"x\"", "5"}) {
            InvocationResult result = call("a.echo", arguments);
            assertThat(result.callResult()).isInstanceOf(CallResult.Rejected.class);
            assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVALID_ARGUMENTS);
        }
        assertThat(script.recording().receivedCount("tools/call")).isZero();
    }

    @Test
    @Tag("INV-MCP-ECO-300")
    void invalidParamsFromAServerTriggersARefresh() throws Exception {
        ServerScript script = server("rpcError");
        InvocationResult result = call("a.rpcError", "{\"code\":-32602,\"message\":\"no\"}");
        assertThat(result.callResult()).isInstanceOf(CallResult.ServerError.class);
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> script.recording().receivedCount("tools/list") == 2))
                .isTrue();
        assertThat(script.recording().receivedCount("tools/call")).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void toolReturnsErrorIsErrorTrueErrorMessagePopulated() throws Exception {
        server("fail");
        InvocationResult result = call("a.fail", "{\"message\":\"no luck\"}");
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.isToolError()).isTrue();
        assertThat(result.problem().message()).contains("no luck");
        assertThat(result.problem().execution()).isEqualTo(ExecutionStatus.EXECUTED);
        Json answer = ((CallResult.Answered) result.callResult()).result();
        assertThat(answer.member("content").elements()).isNotEmpty();
        assertThat(answer.member("structuredContent")).isNotNull();
        assertThat(answer.member("_meta")).isNotNull();
        assertThat(result.toJson().toString())
                .startsWith("{\"success\":false,\"toolName\":\"a.fail\",\"serverId\":\"a\"")
                .contains("\"isError\":true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash", "kill9", "partialThenExit", "closeStdout"})
    @Tag("INV-MCP-ECO-301")
    void connectionLostDuringInvocationInvocationFailed(String tool) throws Exception {
        ServerScript script = server(tool, "echo");
        InvocationResult result = call("a." + tool, "{}");
        assertFailed(result, ExecutionStatus.UNKNOWN);
        assertThat(result.problem().message()).contains("Server a");
        assertThat(script.recording().callArguments(tool)).as("never sent again").hasSize(1);
        assertThat(call("a.echo", "{\"x\":1}").problem()).as("tries to connect").isNull();
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void toolTimeoutInvocationFailedWithTimeoutMessage() throws Exception {
        ServerScript script = server(1_000, "hang", "late", "echo");
        var watch = Stopwatch.start();
        InvocationResult result = call("a.hang", "{}");
        assertFailed(result, ExecutionStatus.UNKNOWN);
        assertThat(result.problem().message())
                .contains("timeout")
                .contains("Server a")
                .contains("tools/call")
                .contains("1000 ms");
        assertThat(result.durationMs()).isBetween(990L, 1_600 + watch.stalledTime().toMillis());
        assertThat(GatewayFixture.becomesTrue(() -> script.recording().cancelledIds().size() == 1))
                .isTrue();
        assertThat(call("a.echo", "{}").isSuccess()).as("the same link goes on").isTrue();
        assertThat(script.recording().startCount()).isEqualTo(1);
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void slowToolExceedsRequestTimeoutInvocationFailed() throws Exception {
        server(1_000, "slow");
        assertFailed(call("a.slow", "{\"ms\":3000}"), ExecutionStatus.UNKNOWN);
        assertThat(call("a.slow", "{\"ms\":100}").isSuccess()).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-100")
    void callTimeoutIsCheckedAgainstItsBounds() throws Exception {
        server(1_000, "slow");
        var slow = Invocation.of("a.slow", Json.of("{\"ms\":1500}"));
        assertThat(invoke(slow.withTimeoutMs(30_000L)).isSuccess()).isTrue();
        for (long outside : new long[] {999, 300_001, 0, -1}) {
            InvocationResult result = invoke(slow.withTimeoutMs(outside));
            assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVALID_ARGUMENTS);
        }
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void serverErrorIsForwardedUnchanged() throws Exception {
        server("rpcError");
        InvocationResult result =
                call("a.rpcError", "{\"code\":-32077,\"message\":\"own\",\"data\":{\"x\":1}}");
        assertThat(result.callResult())
                .isEqualTo(
                        new CallResult.ServerError(
                                new ServerId("a"),
                                new RpcError(-32_077, "own", Json.of("{\"x\":1}"))));
        assertThat(result.toJson().toString())
                .contains("\"reason\":\"INVOCATION_FAILED\"")
                .contains("\"code\":-32077");
    }

    @Test
    @Tag("INV-MCP-ECO-301")
    void resultsAreForwardedUnchanged() throws Exception {
        server("reply");
        String odd =
                "{\"content\":[{\"type\":\"new\",\"x\":1.50}],\"_meta\":{\"k\":[]},\"z\":null}";
        InvocationResult result = call("a.reply", "{\"result\":" + odd + "}");
        assertThat(((CallResult.Answered) result.callResult()).result()).hasToString(odd);
        assertThat(result.durationMs()).isNotNegative();
    }

    @ParameterizedTest
    @CsvSource({"both", "neither", "nullResult", "arrayResult", "emptyError"})
    @Tag("INV-MCP-ECO-301")
    void invalidResponseFailsTheCallImmediately(String tool) throws Exception {
        server(tool, "echo");
        var watch = Stopwatch.start();
        InvocationResult result = call("a." + tool, "{}");
        assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(900));
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.server()).isEqualTo(new ServerId("a"));
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVOCATION_FAILED);
        assertThat(call("a.echo", "{}").isSuccess()).isTrue();
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void callMayNameItsServer() throws Exception {
        server("echo");
        fleet.add(fleet.script("b").tools("echo"));
        fleet.discover();
        var bare = Invocation.of("echo", Json.EMPTY_OBJECT);
        assertThat(invoke(bare).callResult())
                .isInstanceOfSatisfying(
                        CallResult.Rejected.class,
                        it -> {
                            assertThat(it.reason()).isEqualTo(ErrorReason.AMBIGUOUS_TOOL);
                            assertThat(it.candidates())
                                    .extracting(name -> name.text())
                                    .containsExactly("a.echo", "b.echo");
                        });
        assertThat(invoke(bare.onServer("b")).tool()).isEqualTo("b.echo");
        var full = Invocation.of("a.echo", Json.EMPTY_OBJECT);
        assertThat(invoke(full.onServer("a")).isSuccess()).isTrue();
        assertThat(invoke(full.onServer("b")).problem().reason())
                .isEqualTo(ErrorReason.TOOL_NOT_FOUND);
        assertThat(invoke(bare.onServer("nobody")).problem().reason())
                .isEqualTo(ErrorReason.SERVER_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nope", "a.nope", "nobody.echo", "a.echo.", "A.echo", "patchbay.x"})
    void unknownToolIsNotFoundAndNothingIsSent(String name) throws Exception {
        ServerScript script = server("echo");
        InvocationResult result = call(name, "{}");
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.TOOL_NOT_FOUND);
        assertThat(script.recording().receivedCount("tools/call")).isZero();
    }

    @Test
    void toolIsFoundWhileItsServerIsStarting() throws Exception {
        fleet.add(fleet.script("a").tools("echo").withOption("start-delay", 300));
        assertThat(call("a.echo", "{}").isSuccess()).isTrue();
        fleet.add(fleet.script("b").tools("add").withOption("start-delay", 300));
        assertThat(call("add", "{\"a\":1,\"b\":2}").isSuccess()).isTrue();
    }

    @Test
    void interruptedCallIsCancelled() throws Exception {
        ServerScript script = server("cancelAware");
        var call =
                new FutureTask<>(
                        () ->
                                invoke(
                                        Invocation.of("a.cancelAware", Json.EMPTY_OBJECT)
                                                .withTimeoutMs(60_000L)));
        Thread caller = Thread.startVirtualThread(call);
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> script.recording().receivedCount("tools/call") == 1))
                .isTrue();
        caller.interrupt();
        assertThat(caller.join(Duration.ofSeconds(30))).isTrue();
        assertThat(call.state()).isEqualTo(FutureTask.State.FAILED);
        assertThat(GatewayFixture.becomesTrue(() -> script.recording().cancelledIds().size() == 1))
                .isTrue();
    }

    private static void assertFailed(InvocationResult result, ExecutionStatus execution) {
        assertThat(result.callResult()).isInstanceOf(CallResult.Failed.class);
        assertThat(result.server()).isEqualTo(new ServerId("a"));
        assertThat(result.problem().reason()).isEqualTo(ErrorReason.INVOCATION_FAILED);
        assertThat(result.problem().execution()).isEqualTo(execution);
        assertThat(result.problem().operation()).isEqualTo("tools/call");
    }
}
