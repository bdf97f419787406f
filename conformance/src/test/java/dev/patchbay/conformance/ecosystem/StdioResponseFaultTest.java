package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.HostileToolDefinitions;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.TrafficLine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Invalid output of stdio servers: malformed, late and huge answers, and hostile lists. */
class StdioResponseFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 256L << 20;
    private static final String ONE_SECOND_TIMEOUT = "\"requestTimeoutMs\": 1000";

    @RegisterExtension static final SharedGateway SHARED = new SharedGateway();

    @Test
    void secondAnswerIsDropped() throws Exception {
        ServerScript liar =
                SHARED.gateway().connect(SHARED.gateway().script("liar").tools("twice", "echo"));
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            for (int i = 0; i < 50; i++) {
                String arguments = "{\"i\":" + i + "}";
                assertThat(SHARED.host().callForText(liar.name() + ".twice", "{}"))
                        .isEqualTo("once");
                assertThat(SHARED.host().callForText(liar.name() + ".echo", arguments))
                        .isEqualTo(arguments);
            }
        }
    }

    @Test
    void answerWithAnotherIdIsDroppedAndTheCallTimesOut() throws Exception {
        String[] tools = {"wrongId", "stringId", "floatId", "nullId", "noId"};
        ServerScript liar =
                SHARED.gateway()
                        .connect(SHARED.gateway().script("liar").tools(tools), ONE_SECOND_TIMEOUT);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            var begun = Stopwatch.start();
            var ids = new ArrayList<String>();
            for (String tool : tools) {
                ids.addAll(SHARED.gateway().sendCalls(1, liar.name() + "." + tool, "{}"));
            }
            for (JsonTree failure : SHARED.gateway().awaitFailures(ids)) {
                assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("message").asText()).contains("timeout of 1000 ms");
                assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(990));
            }
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(3));
        }
        assertThat(liar.recording().startCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"both", "neither", "emptyError", "nullError", "badError", "nullResult"})
    void malformedAnswerFailsTheCallImmediately(String shape) throws Exception {
        ServerScript liar =
                SHARED.gateway().connect(SHARED.gateway().script("liar").tools(shape, "echo"));
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            var begun = Stopwatch.start();
            JsonTree failure = SHARED.host().failureDetails(liar.name() + "." + shape, "{}");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(1));
            assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
            assertThat(failure.at("serverId").asText()).isEqualTo(liar.name());
            assertThat(SHARED.host().callForText(liar.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void lateAnswerReachesNoOtherCall() throws Exception {
        ServerScript tardy = SHARED.gateway().script("tardy").tools("late=late:ms=4500", "echo");
        SHARED.gateway().connect(tardy, "\"requestTimeoutMs\": 3000");
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            List<String> ids = SHARED.gateway().sendCalls(40, tardy.name() + ".late", "{}");
            for (JsonTree failure : SHARED.gateway().awaitFailures(ids)) {
                assertThat(failure.at("message").asText()).contains("timeout");
            }
            var since = Stopwatch.start();
            for (int i = 0; since.elapsed().toSeconds() < 3; i++) {
                String arguments = "{\"i\":" + i + "}";
                assertThat(SHARED.host().callForText(tardy.name() + ".echo", arguments))
                        .isEqualTo(arguments);
            }
        }
        assertThat(tardy.recording().cancelledIds()).hasSize(40);
    }

    @Test
    void lineOfAHundredMegabytesFailsOnlyItsCall() throws Exception {
        ServerScript giant =
                SHARED.gateway().connect(SHARED.gateway().script("giant").tools("big", "echo"));
        long memory = SHARED.host().client().residentBytes();
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            JsonTree failure =
                    SHARED.host().failureDetails(giant.name() + ".big", "{\"bytes\":104857600}");
            assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
            assertThat(SHARED.host().callForText(giant.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(giant.recording().startCount()).as("the connection survives").isEqualTo(1);
        assertThat(SHARED.host().client().residentBytes() - memory)
                .isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    @Test
    void endlessLineIsAborted() throws Exception {
        ServerScript giant =
                SHARED.gateway().connect(SHARED.gateway().script("giant").tools("endless", "echo"));
        long memory = SHARED.host().client().residentBytes();
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            String endless = "{\"bytes\":" + (1L << 40) + "}";
            JsonTree failure = SHARED.host().failureDetails(giant.name() + ".endless", endless);
            assertThat(failure.at("reason").asText()).isEqualTo("INVOCATION_FAILED");
            assertThat(failure.write()).doesNotContain("FRAGMENT");
            assertThat(SHARED.host().callForText(giant.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(giant.recording().startCount()).as("started again").isEqualTo(2);
        assertThat(SHARED.host().client().residentBytes() - memory)
                .isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    @Test
    void trickledAnswerIsCutOffByTheTimeout() throws Exception {
        ServerScript drip =
                SHARED.gateway()
                        .connect(SHARED.gateway().script("drip").tools("drip"), ONE_SECOND_TIMEOUT);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            var begun = Stopwatch.start();
            JsonTree failure = SHARED.host().failureDetails(drip.name() + ".drip", "{\"ms\":300}");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(3));
            assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(990));
            assertThat(failure.at("message").asText()).contains("timeout of 1000 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"same", "new", "grow", "empty", "null"})
    void endlessPaginationIsStoppedAndReceivedPagesAreKept(String cursor) throws Exception {
        ServerScript pager =
                SHARED.gateway().script("pager").tools("echo", "add").withOption("page-size", 1);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().connect(pager.withOption("cursor", cursor));
            assertThat(SHARED.host().toolNames()).contains(pager.name() + ".echo");
            assertThat(SHARED.host().callForText(pager.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(pager.recording().receivedCount("tools/list")).isLessThanOrEqualTo(1000);
        assertThat(SHARED.host().tools()).hasSizeLessThanOrEqualTo(2001);
    }

    @Test
    void listChangedStormIsCoalesced() throws Exception {
        ServerScript storm = SHARED.gateway().script("storm").withOption("storm", "10000:3");
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().connect(storm);
            var begun = Stopwatch.start();
            while (begun.elapsed().toSeconds() < 4) {
                assertThat(SHARED.host().callForText(storm.name() + ".echo", "{}")).isEqualTo("{}");
            }
            long seconds = 1 + begun.elapsed().toSeconds();
            assertThat((long) storm.recording().receivedCount("tools/list"))
                    .isLessThanOrEqualTo(5 * seconds);
        }
        assertThat(
                        SHARED.host()
                                .client()
                                .poll(StdioResponseFaultTest::isListChanged, Duration.ZERO))
                .isPresent();
        int reported = 1;
        while (SHARED.host()
                .client()
                .poll(StdioResponseFaultTest::isListChanged, Duration.ZERO)
                .isPresent()) {
            reported++;
        }
        assertThat(reported).as("to the client, of all servers so far").isLessThan(100);
    }

    private static boolean isListChanged(JsonTree message) {
        return message.findAt("method")
                .filter(it -> it.asText().equals("notifications/tools/list_changed"))
                .isPresent();
    }

    @Test
    void invalidNamesRemoveOnlyTheirTools() throws Exception {
        String tools = HostileToolDefinitions.file(HostileToolDefinitions.oddNames());
        ServerScript odd = SHARED.gateway().script("odd").withToolDefinitions(tools);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().connect(odd);
            assertThat(SHARED.host().callForText(odd.name() + ".good", "{}")).isEqualTo("{}");
            assertThat(SHARED.host().toolNames())
                    .contains(odd.name() + ".good")
                    .doesNotHaveDuplicates()
                    .allMatch(name -> name.matches("[A-Za-z0-9_.-]{1,128}"));
            assertThat(SHARED.host().server(odd.name()).at("withheld").asList())
                    .isNotEmpty()
                    .allMatch(it -> !it.at("reason").asText().isEmpty())
                    .allMatch(it -> it.write().length() < 1000);
        }
    }

    @Test
    void hostileSchemasRemoveOnlyTheirTools() throws Exception {
        try (var trap = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            trap.setSoTimeout(1);
            String url = "http://127.0.0.1:" + trap.getLocalPort() + "/schema.json";
            var tools = new ArrayList<>(HostileToolDefinitions.hostileSchemas());
            tools.add(
                    HostileToolDefinitions.tool(
                            "\"reachesOut\"",
                            "{\"type\":\"object\",\"properties\":{\"x\":{\"$ref\":%s}}}"
                                    .formatted(StrictJson.quote(url))));
            ServerScript hostile =
                    SHARED.gateway()
                            .script("hostile")
                            .withToolDefinitions(HostileToolDefinitions.file(tools));
            try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
                SHARED.gateway().connect(hostile);
                assertThat(SHARED.host().callForText(hostile.name() + ".good", "{}"))
                        .isEqualTo("{}");
                for (String name : SHARED.host().toolNames()) {
                    if (name.startsWith(hostile.name())) {
                        SHARED.host()
                                .client()
                                .callTool(name, "{\"x\":\"" + "a,".repeat(30) + "\"}");
                    }
                }
            }
            assertThat(SHARED.host().server(hostile.name()).at("withheld").write())
                    .contains("reachesOut");
            assertThat(isNeverConnected(trap)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {486, 600, 10_000})
    void tooDeeplyNestedToolIsRemovedAlone(int depth) throws Exception {
        String schema =
                "{\"type\":\"object\",\"default\":%s%s}"
                        .formatted("[".repeat(depth), "]".repeat(depth));
        String tools =
                HostileToolDefinitions.file(
                        List.of(HostileToolDefinitions.tool("\"deep\"", schema)));
        ServerScript deep = SHARED.gateway().script("deep").withToolDefinitions(tools);
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            SHARED.gateway().connect(deep);
            assertThat(SHARED.host().callForText(deep.name() + ".good", "{}")).isEqualTo("{}");
            JsonTree state = SHARED.host().server(deep.name());
            assertThat(state.at("status").asText()).isEqualTo("connected");
            boolean fits = depth < 500;
            assertThat(state.findAt("withheld").map(JsonTree::write).orElse(""))
                    .matches(it -> fits ? it.isEmpty() : it.contains("nests deeper than 490"));
            assertThat(SHARED.host().toolNames().contains(deep.name() + ".deep")).isEqualTo(fits);
        }
        assertThat(deepestAnswerDepth()).as("of all lines to the client").isLessThanOrEqualTo(500);
    }

    /** The nesting depth of the deepest response so far. */
    private static int deepestAnswerDepth() {
        int deepest = 0;
        for (TrafficLine line : SHARED.host().client().history()) {
            String text = new String(line.line(), UTF_8);
            String plain = text.replaceAll("\"(?:[^\"\\\\]|\\\\.)*+\"", "");
            int depth = 0;
            for (int i = 0; i < plain.length(); i++) {
                char c = plain.charAt(i);
                depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
                deepest = Math.max(deepest, depth);
            }
        }
        return deepest;
    }

    private static boolean isNeverConnected(ServerSocket trap) throws Exception {
        try {
            trap.accept().close();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deep", "tokens=tokens:n=5000000", "deep=deep:depth=400"})
    void resultsThatAreHardToParseAreAnsweredImmediately(String tool) throws Exception {
        ServerScript heavy =
                SHARED.gateway().connect(SHARED.gateway().script("heavy").tools(tool, "echo"));
        String name = heavy.name() + "." + tool.replaceAll("=.*", "");
        try (HealthyServerMonitor _ = SHARED.gateway().monitorHealthyServer()) {
            var begun = Stopwatch.start();
            JsonTree answer = SHARED.host().client().callTool(name, "{}");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(10));
            assertThat(answer.has("result") || answer.has("error")).isTrue();
            assertThat(SHARED.host().callForText(heavy.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }
}
