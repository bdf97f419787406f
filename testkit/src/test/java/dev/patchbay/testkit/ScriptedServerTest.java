package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

class ScriptedServerTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    @TempDir Path dir;

    @Test
    void greetsListsAndCallsInTheLegacyEra() throws InterruptedException {
        var script = script().with("prompts", 2).with("resources", 1);
        try (var client = script.launch().start()) {
            assertThat(client.initialize("2025-06-18").at("result", "protocolVersion").text())
                    .isEqualTo("2025-06-18");
            assertThat(client.request("tools/list", "").at("result", "tools").list()).hasSize(2);
            assertThat(
                            client.call("add", "{\"a\":1,\"b\":2.50}")
                                    .at("result", "content", 0, "text"))
                    .isEqualTo(new JsonTree.Str("3.50"));
            assertThat(client.call("nope", "{}").at("error", "code").integer()).isEqualTo(-32602);
            assertThat(client.request("server/discover", "").at("error", "code").integer())
                    .isEqualTo(-32601);
            assertThat(client.request("prompts/list", "").at("result", "prompts").list())
                    .hasSize(2);
            assertThat(read(client, "test://s/1")).isEqualTo("content of test://s/1");
            assertThat(client.violations()).isEmpty();
        }
        assertThat(script.record().starts()).isEqualTo(1);
        assertThat(script.record().calls("add")).containsExactly("{\"a\":1,\"b\":2.50}");
        assertThat(script.record().violations()).isEmpty();
    }

    @Test
    void speaksTheModernEra() throws InterruptedException {
        try (var client =
                script().tools("echo", "elicit", "changed").era("dual").launch().start()) {
            JsonTree found = client.modern("server/discover", "");
            assertThat(found.at("result", "resultType").text()).isEqualTo("complete");
            assertThat(found.at("result", "supportedVersions", 0).text())
                    .isEqualTo(Messages.MODERN);
            assertThat(client.modern("tools/list", "").at("result", "ttlMs").integer()).isZero();
            assertThat(client.modern("ping", "").at("error", "code").integer()).isEqualTo(-32601);

            String listen = "{\"notifications\":{\"toolsListChanged\":true}}";
            String id = client.sendRequest("subscriptions/listen", Messages.modernParams(listen));
            client.awaitMethod("notifications/subscriptions/acknowledged");
            client.modern("tools/call", "{\"name\":\"changed\"}");
            var note = client.awaitMethod("notifications/tools/list_changed");
            assertThat(note.at("params", "_meta", ServerAnswers.SUBSCRIPTION_KEY).write())
                    .isEqualTo(id);
        }
    }

    @Test
    void asksBackInBothEras() throws InterruptedException {
        try (var client = script().tools("elicit").era("dual").launch().start()) {
            String params = Messages.callParams("elicit", "{}");
            assertThat(client.modern("tools/call", params).at("error", "code").integer())
                    .isEqualTo(-32021);
            String able = Messages.modernParams(params, "{\"elicitation\":{}}");
            assertThat(client.request("tools/call", able).at("result", "inputRequests", "k1"))
                    .matches(asked -> asked.at("method").text().equals("elicitation/create"));

            client.initialize("2025-11-25");
            String id = client.sendRequest("tools/call", params);
            String asked = client.awaitMethod("elicitation/create").at("id").write();
            client.sendLine("{\"jsonrpc\":\"2.0\",\"id\":" + asked + ",\"result\":{\"action\":1}}");
            assertThat(client.awaitAnswer(id).at("result", "content", 0, "text").text())
                    .isEqualTo("{\"action\":1}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "both, true, true",
        "neither, false, false",
        "emptyError, false, true",
        "nullResult, true, false",
        "rpcError, false, true",
        "fail, true, false",
        "banner, true, false",
    })
    void playsAnswersOfEveryShape(String behaviour, boolean result, boolean error)
            throws InterruptedException {
        try (var client = script().tools(behaviour).launch().start()) {
            JsonTree answer = client.call(behaviour, "{}");
            assertThat(answer.has("result")).isEqualTo(result);
            assertThat(answer.has("error")).isEqualTo(error);
        }
    }

    @Test
    void answersTwiceLateOrUnderAnotherId() throws InterruptedException {
        var script = script().tools("twice", "stringId", "late", "slow", "defiant");
        try (var client = script.launch().start()) {
            String twice = client.sendRequest("tools/call", Messages.callParams("twice", ""));
            client.awaitAnswer(twice);
            client.awaitAnswer(twice);
            String typed = client.sendRequest("tools/call", Messages.callParams("stringId", ""));
            client.awaitAnswer("\"" + typed + "\"");

            String late =
                    client.sendRequest("tools/call", Messages.callParams("late", "{\"ms\":50}"));
            String slow =
                    client.sendRequest("tools/call", Messages.callParams("slow", "{\"ms\":60000}"));
            client.sendLine(Messages.cancelled(late));
            client.sendLine(Messages.cancelled(slow));
            client.awaitAnswer(late);
            String defiant = client.sendRequest("tools/call", Messages.callParams("defiant", ""));
            client.sendLine(Messages.cancelled(defiant));
            client.awaitAnswer(defiant);
            assertThat(client.poll(A_MOMENT)).isEmpty();
            assertThat(script.record().cancels()).containsExactly(late, slow, defiant);
        }
    }

    @Test
    void keepsArgumentsAsTheyWereSpelled() throws InterruptedException {
        String arguments = "{\"z\":1.00,\"a\":18446744073709551617,\"t\":\"\\u2028\"}";
        try (var client = script().launch().start()) {
            client.sendLine(
                    Messages.request(
                            "\"x\"", "tools/call", Messages.callParams("echo", arguments)));
            String line = new String(client.next(SOON), StandardCharsets.UTF_8);
            assertThat(line).contains("\"structuredContent\":" + arguments);
        }
    }

    @Test
    void failsTheFirstStarts() throws InterruptedException {
        var script = script().with("fail-starts", 2).with("exit-code", 7);
        for (int i = 0; i < 2; i++) {
            try (var client = script.launch().start()) {
                assertThat(client.exitCode(SOON)).isEqualTo(7);
            }
        }
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
        }
        assertThat(script.record().starts()).isEqualTo(3);
    }

    @Test
    void actsAtAMethodAndAtAPage() throws InterruptedException {
        var script =
                script().with("tool-count", 5)
                        .with("page-size", 3)
                        .at("tools/list:2=error:-32050", "resources/list=hang", "ping=crash:9");
        try (var client = script.launch().start()) {
            var first = client.request("tools/list", "");
            String cursor = first.at("result", "nextCursor").write();
            var second = client.request("tools/list", "{\"cursor\":" + cursor + "}");
            assertThat(second.at("error", "code").integer()).isEqualTo(-32050);
            client.sendRequest("resources/list", "");
            client.sendRequest("ping", "");
            assertThat(client.exitCode(SOON)).isEqualTo(9);
            assertThat(client.poll(A_MOMENT)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"same, page2", "new, page3", "grow, page3", "empty, page3"})
    void pagesForEver(String cursor, String afterTwo) throws InterruptedException {
        var script = script().with("tool-count", 9).with("page-size", 2).with("cursor", cursor);
        try (var client = script.launch().start()) {
            var one = client.request("tools/list", "").at("result", "nextCursor");
            var two = client.request("tools/list", "{\"cursor\":" + one.write() + "}");
            assertThat(two.at("result", "nextCursor").text()).isEqualTo(afterTwo);
        }
    }

    @Test
    void readsItsToolsAnewAndAnnouncesTheChange() throws IOException, InterruptedException {
        Path file = dir.resolve("tools.json");
        Files.writeString(file, "[{\"name\":\"one\",\"x-behaviour\":\"add\",\"inputSchema\":{}}]");
        var script = script().with("tools-file", file.toString()).with("watch", 20);
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
            client.request("ping", "");
            assertThat(client.request("tools/list", "").at("result", "tools").write())
                    .isEqualTo("[{\"name\":\"one\",\"inputSchema\":{}}]");
            assertThat(client.call("one", "{\"a\":2,\"b\":2}").write()).contains("\"4\"");
            Files.writeString(file, "[]");
            client.awaitMethod("notifications/tools/list_changed");
            assertThat(client.request("tools/list", "").at("result", "tools").list()).isEmpty();
        }
    }

    @Test
    void offersHostileToolsBesideAGoodOne() throws IOException, InterruptedException {
        var hostile = new ArrayList<>(ToolSamples.oddNames());
        hostile.addAll(ToolSamples.hostileSchemas());
        Path file = Files.writeString(dir.resolve("tools.json"), ToolSamples.file(hostile));
        try (var client = script().with("tools-file", file.toString()).launch().start()) {
            JsonTree listed = client.request("tools/list", "").at("result", "tools");
            assertThat(listed.list()).hasSize(hostile.size() + 1);
            assertThat(client.call("good", "{\"q\":1}").write()).contains("{\"q\":1}");
        }
    }

    @Test
    void endsInEveryWay() throws InterruptedException {
        for (String way : List.of("crash:exit=3", "kill9", "partialThenExit:exit=4")) {
            try (var client = script().tools("die=" + way).launch().start()) {
                client.sendRequest("tools/call", Messages.callParams("die", ""));
                int code = client.exitCode(SOON);
                assertThat(way + " " + code)
                        .isIn("crash:exit=3 3", "kill9 137", "partialThenExit:exit=4 4");
            }
        }
    }

    @Test
    void closesItsStreamsAndLivesOn() throws InterruptedException {
        try (var client = script().tools("closeStdout").launch().start()) {
            client.sendRequest("tools/call", Messages.callParams("closeStdout", ""));
            assertThat(client.awaitEnd(SOON)).isTrue();
            assertThat(client.alive()).isTrue();
        }
        try (var client = script().tools("closeStdin").launch().start()) {
            client.sendRequest("tools/call", Messages.callParams("closeStdin", ""));
            long end = System.nanoTime() + SOON.toNanos();
            while (client.trySend(new byte[] {'\n'}) && System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(client.trySend(new byte[] {'\n'})).isFalse();
            assertThat(client.alive()).isTrue();
            client.kill();
        }
    }

    @Test
    void ignoresTermAndLeavesAStubbornGrandchild() throws InterruptedException {
        var script = script().with("ignore-term").with("ignore-eof").with("grandchild", "plain");
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
            client.signal("TERM");
            client.closeInput();
            assertThat(client.alive()).isTrue();
            long grandchild = script.record().grandchildren().get(0);
            assertThat(Processes.descendants(client.pid())).contains(grandchild);
            Processes.signal(grandchild, "TERM");
            assertThat(Processes.alive(grandchild)).isTrue();
            Processes.signal(grandchild, "KILL");
            client.kill();
            assertThat(client.exitCode(SOON)).isEqualTo(137);
        }
    }

    @Test
    void floodsAndStormsWithinItsBounds() throws InterruptedException {
        var script = script().with("flood", 1_000_000).with("storm", "1000:10");
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
            for (int i = 0; i < 100; i++) {
                client.awaitMethod("notifications/tools/list_changed");
            }
            assertThat(client.request("ping", "").write()).contains("\"result\":{}");
            awaitBytes(client, 1_000_000);
        }
    }

    @Test
    void writesLinesWithoutEndAndByteByByte() throws InterruptedException {
        var script = script().tools("big", "drip:ms=1", "drip", "endless");
        try (var client = script.launch().start()) {
            assertThat(client.call("big", "{\"bytes\":3000000}").write())
                    .hasSizeGreaterThan(3000000);
            assertThat(client.call("drip", "{\"ms\":1}").has("result")).isTrue();
            client.sendRequest("tools/call", Messages.callParams("endless", "{\"bytes\":5000000}"));
            awaitBytes(client, 8_000_000);
            assertThat(client.untaken()).isZero();
            client.kill();
        }
    }

    @Test
    void reportsItsEnvironment() throws InterruptedException {
        try (var client = script().tools("env").launch().clearEnvironment().env("A", "b").start()) {
            JsonTree report = client.call("env", "{}").at("result", "structuredContent");
            assertThat(report.at("env", "A").text()).isEqualTo("b");
            assertThat(report.at("argv").list()).contains(new JsonTree.Str("--tools"));
            assertThat(report.at("fds").list()).hasSizeGreaterThan(2);
        }
    }

    @Test
    void refusesAKnobItDoesNotKnow() throws InterruptedException {
        try (var client = script().with("nonsense").launch().start()) {
            assertThat(client.exitCode(SOON)).isEqualTo(2);
        }
    }

    @Test
    void takesItsKnobsFromAScriptFile() throws IOException, InterruptedException {
        Path file = dir.resolve("script.json");
        Files.writeString(file, "{\"tools\":[\"echo\",\"slow\",\"hang\"],\"page-size\":1}");
        try (var client = script().with("script", file.toString()).launch().start()) {
            var list = client.request("tools/list", "");
            assertThat(list.at("result", "tools").list()).hasSize(1);
            assertThat(list.at("result").has("nextCursor")).isTrue();
        }
    }

    private ServerScript script() {
        return ServerScript.named("s", dir);
    }

    private static void awaitBytes(RawClient client, long bytes) {
        long end = System.nanoTime() + SOON.toNanos();
        while (client.receivedBytes() < bytes && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(client.receivedBytes()).isGreaterThanOrEqualTo(bytes);
    }

    private static String read(RawClient client, String uri) throws InterruptedException {
        return client.request("resources/read", "{\"uri\":" + StrictJson.quote(uri) + "}")
                .at("result", "contents", 0, "text")
                .text();
    }
}
