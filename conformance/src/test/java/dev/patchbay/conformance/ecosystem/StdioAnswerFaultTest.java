package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.ToolSamples;
import dev.patchbay.testkit.Traffic;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What servers on stdio say wrong: answers that are none, too late, too large, and hostile lists.
 */
class StdioAnswerFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 256L << 20;
    private static final String SECOND = "\"requestTimeoutMs\": 1000";

    @TempDir private static Path folder;
    private static Neighbourhood around;
    private static Host host;

    @BeforeAll
    static void open() throws Exception {
        around = new Neighbourhood(folder);
        host = around.host();
    }

    @AfterEach
    void clear() throws Exception {
        around.clear();
    }

    @AfterAll
    static void close() {
        around.close();
    }

    @Test
    void aSecondAnswerIsDropped() throws Exception {
        ServerScript liar = around.connect(around.script("liar").tools("twice", "echo"));
        try (Watch _ = around.watch()) {
            for (int i = 0; i < 50; i++) {
                String arguments = "{\"i\":" + i + "}";
                assertThat(host.text(liar.name() + ".twice", "{}")).isEqualTo("once");
                assertThat(host.text(liar.name() + ".echo", arguments)).isEqualTo(arguments);
            }
        }
    }

    @Test
    void anAnswerUnderAnotherIdIsDroppedAndTheCallTimesOut() throws Exception {
        String[] tools = {"wrongId", "stringId", "floatId", "nullId", "noId"};
        ServerScript liar = around.connect(around.script("liar").tools(tools), SECOND);
        try (Watch _ = around.watch()) {
            var begun = Stopwatch.start();
            var ids = new ArrayList<String>();
            for (String tool : tools) {
                ids.addAll(around.send(1, liar.name() + "." + tool, "{}"));
            }
            for (JsonTree failure : around.failures(ids)) {
                assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
                assertThat(failure.at("message").text()).contains("timeout of 1000 ms");
                assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(990));
            }
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(3));
        }
        assertThat(liar.record().starts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"both", "neither", "emptyError", "nullError", "badError", "nullResult"})
    void anAnswerOfTheWrongShapeFailsTheCallAtOnce(String shape) throws Exception {
        ServerScript liar = around.connect(around.script("liar").tools(shape, "echo"));
        try (Watch _ = around.watch()) {
            var begun = Stopwatch.start();
            JsonTree failure = host.failure(liar.name() + "." + shape, "{}");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(1));
            assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
            assertThat(failure.at("serverId").text()).isEqualTo(liar.name());
            assertThat(host.text(liar.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void anAnswerAfterTheTimeoutMeetsNoOtherCall() throws Exception {
        ServerScript tardy = around.script("tardy").tools("late=late:ms=4500", "echo");
        around.connect(tardy, "\"requestTimeoutMs\": 3000");
        try (Watch _ = around.watch()) {
            List<String> ids = around.send(40, tardy.name() + ".late", "{}");
            for (JsonTree failure : around.failures(ids)) {
                assertThat(failure.at("message").text()).contains("timeout");
            }
            var since = Stopwatch.start();
            for (int i = 0; since.elapsed().toSeconds() < 3; i++) {
                String arguments = "{\"i\":" + i + "}";
                assertThat(host.text(tardy.name() + ".echo", arguments)).isEqualTo(arguments);
            }
        }
        assertThat(tardy.record().cancels()).hasSize(40);
    }

    @Test
    void aLineOfAHundredMegabytesFailsItsCallAndNothingElse() throws Exception {
        ServerScript giant = around.connect(around.script("giant").tools("big", "echo"));
        long memory = host.client().residentBytes();
        try (Watch _ = around.watch()) {
            JsonTree failure = host.failure(giant.name() + ".big", "{\"bytes\":104857600}");
            assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
            assertThat(host.text(giant.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(giant.record().starts()).as("the connection survives").isEqualTo(1);
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    @Test
    void aLineWithoutAnEndIsGivenUp() throws Exception {
        ServerScript giant = around.connect(around.script("giant").tools("endless", "echo"));
        long memory = host.client().residentBytes();
        try (Watch _ = around.watch()) {
            String endless = "{\"bytes\":" + (1L << 40) + "}";
            JsonTree failure = host.failure(giant.name() + ".endless", endless);
            assertThat(failure.at("reason").text()).isEqualTo("INVOCATION_FAILED");
            assertThat(failure.write()).doesNotContain("FRAGMENT");
            assertThat(host.text(giant.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(giant.record().starts()).as("started again").isEqualTo(2);
        assertThat(host.client().residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    @Test
    void anAnswerThatDripsIsCutOffByTheTimeout() throws Exception {
        ServerScript drip = around.connect(around.script("drip").tools("drip"), SECOND);
        try (Watch _ = around.watch()) {
            var begun = Stopwatch.start();
            JsonTree failure = host.failure(drip.name() + ".drip", "{\"ms\":300}");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(3));
            assertThat(begun.elapsed()).isGreaterThan(Duration.ofMillis(990));
            assertThat(failure.at("message").text()).contains("timeout of 1000 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"same", "new", "grow", "empty", "null"})
    void pagesWithoutEndAreEndedAndWhatCameIsKept(String cursor) throws Exception {
        ServerScript pager = around.script("pager").tools("echo", "add").with("page-size", 1);
        try (Watch _ = around.watch()) {
            around.connect(pager.with("cursor", cursor));
            assertThat(host.toolNames()).contains(pager.name() + ".echo");
            assertThat(host.text(pager.name() + ".echo", "{}")).isEqualTo("{}");
        }
        assertThat(pager.record().count("tools/list")).isLessThanOrEqualTo(1000);
        assertThat(host.tools()).hasSizeLessThanOrEqualTo(2001);
    }

    @Test
    void aStormOfAnnouncementsIsCoalesced() throws Exception {
        ServerScript storm = around.script("storm").with("storm", "10000:3");
        try (Watch _ = around.watch()) {
            around.connect(storm);
            var begun = Stopwatch.start();
            while (begun.elapsed().toSeconds() < 4) {
                assertThat(host.text(storm.name() + ".echo", "{}")).isEqualTo("{}");
            }
            long seconds = 1 + begun.elapsed().toSeconds();
            assertThat((long) storm.record().count("tools/list")).isLessThanOrEqualTo(5 * seconds);
        }
        assertThat(host.client().poll(StdioAnswerFaultTest::isChange, Duration.ZERO)).isPresent();
        int told = 1;
        while (host.client().poll(StdioAnswerFaultTest::isChange, Duration.ZERO).isPresent()) {
            told++;
        }
        assertThat(told).as("to the client, of all servers so far").isLessThan(100);
    }

    private static boolean isChange(JsonTree message) {
        return message.find("method")
                .filter(it -> it.text().equals("notifications/tools/list_changed"))
                .isPresent();
    }

    @Test
    void oddNamesCostOnlyTheToolsThatHaveThem() throws Exception {
        String tools = ToolSamples.file(ToolSamples.oddNames());
        ServerScript odd = around.script("odd").defining(tools);
        try (Watch _ = around.watch()) {
            around.connect(odd);
            assertThat(host.text(odd.name() + ".good", "{}")).isEqualTo("{}");
            assertThat(host.toolNames())
                    .contains(odd.name() + ".good")
                    .doesNotHaveDuplicates()
                    .allMatch(name -> name.matches("[A-Za-z0-9_.-]{1,128}"));
            assertThat(host.server(odd.name()).at("withheld").list())
                    .isNotEmpty()
                    .allMatch(it -> !it.at("reason").text().isEmpty())
                    .allMatch(it -> it.write().length() < 1000);
        }
    }

    @Test
    void hostileSchemasCostOnlyTheToolsThatHaveThem() throws Exception {
        try (var trap = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            trap.setSoTimeout(1);
            String url = "http://127.0.0.1:" + trap.getLocalPort() + "/schema.json";
            var tools = new ArrayList<>(ToolSamples.hostileSchemas());
            tools.add(
                    ToolSamples.tool(
                            "\"reachesOut\"",
                            "{\"type\":\"object\",\"properties\":{\"x\":{\"$ref\":%s}}}"
                                    .formatted(StrictJson.quote(url))));
            ServerScript hostile = around.script("hostile").defining(ToolSamples.file(tools));
            try (Watch _ = around.watch()) {
                around.connect(hostile);
                assertThat(host.text(hostile.name() + ".good", "{}")).isEqualTo("{}");
                for (String name : host.toolNames()) {
                    if (name.startsWith(hostile.name())) {
                        host.client().call(name, "{\"x\":\"" + "a,".repeat(30) + "\"}");
                    }
                }
            }
            assertThat(host.server(hostile.name()).at("withheld").write()).contains("reachesOut");
            assertThat(isUntouched(trap)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {486, 600, 10_000})
    void aToolThatNestsTooDeepCostsThatToolAlone(int depth) throws Exception {
        String schema =
                "{\"type\":\"object\",\"default\":%s%s}"
                        .formatted("[".repeat(depth), "]".repeat(depth));
        String tools = ToolSamples.file(List.of(ToolSamples.tool("\"deep\"", schema)));
        ServerScript deep = around.script("deep").defining(tools);
        try (Watch _ = around.watch()) {
            around.connect(deep);
            assertThat(host.text(deep.name() + ".good", "{}")).isEqualTo("{}");
            JsonTree state = host.server(deep.name());
            assertThat(state.at("status").text()).isEqualTo("connected");
            boolean fits = depth < 500;
            assertThat(state.find("withheld").map(JsonTree::write).orElse(""))
                    .matches(it -> fits ? it.isEmpty() : it.contains("nests deeper than 490"));
            assertThat(host.toolNames().contains(deep.name() + ".deep")).isEqualTo(fits);
        }
        assertThat(deepest()).as("of all lines to the client").isLessThanOrEqualTo(500);
    }

    /** How deep the deepest answer nests that the client got so far. */
    private static int deepest() {
        int deepest = 0;
        for (Traffic line : host.client().history()) {
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

    private static boolean isUntouched(ServerSocket trap) throws Exception {
        try {
            trap.accept().close();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deep", "tokens=tokens:n=5000000", "deep=deep:depth=400"})
    void resultsThatAreHardToReadAreAnsweredAtOnce(String tool) throws Exception {
        ServerScript heavy = around.connect(around.script("heavy").tools(tool, "echo"));
        String name = heavy.name() + "." + tool.replaceAll("=.*", "");
        try (Watch _ = around.watch()) {
            var begun = Stopwatch.start();
            JsonTree answer = host.client().call(name, "{}");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(10));
            assertThat(answer.has("result") || answer.has("error")).isTrue();
            assertThat(host.text(heavy.name() + ".echo", "{}")).isEqualTo("{}");
        }
    }
}
