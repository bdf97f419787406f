package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
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

@Tag("slow")
class ScriptedServerTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    @TempDir Path dir;

    @Test
    void servesTheLegacyEra() throws InterruptedException {
        var script = script().withOption("prompts", 2).withOption("resources", 1);
        try (var client = script.launch().start()) {
            assertThat(client.initialize("2025-06-18").at("result", "protocolVersion").asText())
                    .isEqualTo("2025-06-18");
            assertThat(client.request("tools/list", "").at("result", "tools").asList()).hasSize(2);
            assertThat(
                            client.callTool("add", "{\"a\":1,\"b\":2.50}")
                                    .at("result", "content", 0, "text"))
                    .isEqualTo(new JsonTree.Str("3.50"));
            assertThat(client.callTool("nope", "{}").at("error", "code").asLong())
                    .isEqualTo(-32602);
            assertThat(client.request("server/discover", "").at("error", "code").asLong())
                    .isEqualTo(-32601);
            assertThat(client.request("prompts/list", "").at("result", "prompts").asList())
                    .hasSize(2);
            assertThat(read(client, "test://s/1")).isEqualTo("content of test://s/1");
            assertThat(client.violations()).isEmpty();
        }
        assertThat(script.recording().startCount()).isEqualTo(1);
        assertThat(script.recording().callArguments("add")).containsExactly("{\"a\":1,\"b\":2.50}");
        assertThat(script.recording().violations()).isEmpty();
    }

    @Test
    void servesTheModernEra() throws InterruptedException {
        try (var client =
                script().tools("echo", "elicit", "changed").era("dual").launch().start()) {
            JsonTree found = client.modernRequest("server/discover", "");
            assertThat(found.at("result", "resultType").asText()).isEqualTo("complete");
            assertThat(found.at("result", "supportedVersions", 0).asText())
                    .isEqualTo(ClientMessages.MODERN);
            assertThat(client.modernRequest("tools/list", "").at("result", "ttlMs").asLong())
                    .isZero();
            assertThat(client.modernRequest("ping", "").at("error", "code").asLong())
                    .isEqualTo(-32601);

            String listen = "{\"notifications\":{\"toolsListChanged\":true}}";
            String id =
                    client.sendRequest("subscriptions/listen", ClientMessages.modernParams(listen));
            client.awaitMethod("notifications/subscriptions/acknowledged");
            client.modernRequest("tools/call", "{\"name\":\"changed\"}");
            var note = client.awaitMethod("notifications/tools/list_changed");
            assertThat(note.at("params", "_meta", ScriptedResponses.SUBSCRIPTION_KEY).write())
                    .isEqualTo(id);
        }
    }

    @Test
    void sendsRequestsToTheClientInBothEras() throws InterruptedException {
        try (var client = script().tools("elicit").era("dual").launch().start()) {
            String params = ClientMessages.callParams("elicit", "{}");
            assertThat(client.modernRequest("tools/call", params).at("error", "code").asLong())
                    .isEqualTo(-32021);
            String able = ClientMessages.modernParams(params, "{\"elicitation\":{}}");
            assertThat(client.request("tools/call", able).at("result", "inputRequests", "k1"))
                    .matches(asked -> asked.at("method").asText().equals("elicitation/create"));

            client.initialize("2025-11-25");
            String id = client.sendRequest("tools/call", params);
            String asked = client.awaitMethod("elicitation/create").at("id").write();
            client.sendLine("{\"jsonrpc\":\"2.0\",\"id\":" + asked + ",\"result\":{\"action\":1}}");
            assertThat(client.awaitResponse(id).at("result", "content", 0, "text").asText())
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
    void sendsEveryKindOfResponse(String behaviour, boolean result, boolean error)
            throws InterruptedException {
        try (var client = script().tools(behaviour).launch().start()) {
            JsonTree answer = client.callTool(behaviour, "{}");
            assertThat(answer.has("result")).isEqualTo(result);
            assertThat(answer.has("error")).isEqualTo(error);
        }
    }

    @Test
    void respondsTwiceLateOrWithAnotherId() throws InterruptedException {
        var script = script().tools("twice", "stringId", "late", "slow", "defiant");
        try (var client = script.launch().start()) {
            String twice = client.sendRequest("tools/call", ClientMessages.callParams("twice", ""));
            client.awaitResponse(twice);
            client.awaitResponse(twice);
            String typed =
                    client.sendRequest("tools/call", ClientMessages.callParams("stringId", ""));
            client.awaitResponse("\"" + typed + "\"");

            String late =
                    client.sendRequest(
                            "tools/call", ClientMessages.callParams("late", "{\"ms\":50}"));
            String slow =
                    client.sendRequest(
                            "tools/call", ClientMessages.callParams("slow", "{\"ms\":60000}"));
            client.sendLine(ClientMessages.cancelled(late));
            client.sendLine(ClientMessages.cancelled(slow));
            client.awaitResponse(late);
            String defiant =
                    client.sendRequest("tools/call", ClientMessages.callParams("defiant", ""));
            client.sendLine(ClientMessages.cancelled(defiant));
            client.awaitResponse(defiant);
            assertThat(client.poll(A_MOMENT)).isEmpty();
            assertThat(script.recording().cancelledIds()).containsExactly(late, slow, defiant);
        }
    }

    @Test
    void keepsArgumentsAsWritten() throws InterruptedException {
        String arguments = "{\"z\":1.00,\"a\":18446744073709551617,\"t\":\"\\u2028\"}";
        try (var client = script().launch().start()) {
            client.sendLine(
                    ClientMessages.request(
                            "\"x\"", "tools/call", ClientMessages.callParams("echo", arguments)));
            String line = new String(client.nextLine(SOON), StandardCharsets.UTF_8);
            assertThat(line).contains("\"structuredContent\":" + arguments);
        }
    }

    @Test
    void failsTheFirstStarts() throws InterruptedException {
        var script = script().withOption("fail-starts", 2).withOption("exit-code", 7);
        for (int i = 0; i < 2; i++) {
            try (var client = script.launch().start()) {
                assertThat(client.exitCode(SOON)).isEqualTo(7);
            }
        }
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
        }
        assertThat(script.recording().startCount()).isEqualTo(3);
    }

    @Test
    void appliesActionsToMethodsAndPages() throws InterruptedException {
        var script =
                script().withOption("tool-count", 5)
                        .withOption("page-size", 3)
                        .at("tools/list:2=error:-32050", "resources/list=hang", "ping=crash:9");
        try (var client = script.launch().start()) {
            var first = client.request("tools/list", "");
            String cursor = first.at("result", "nextCursor").write();
            var second = client.request("tools/list", "{\"cursor\":" + cursor + "}");
            assertThat(second.at("error", "code").asLong()).isEqualTo(-32050);
            client.sendRequest("resources/list", "");
            client.sendRequest("ping", "");
            assertThat(client.exitCode(SOON)).isEqualTo(9);
            assertThat(client.poll(A_MOMENT)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"same, page2", "new, page3", "grow, page3", "empty, page3"})
    void paginatesForever(String cursor, String afterTwo) throws InterruptedException {
        var script =
                script().withOption("tool-count", 9)
                        .withOption("page-size", 2)
                        .withOption("cursor", cursor);
        try (var client = script.launch().start()) {
            var one = client.request("tools/list", "").at("result", "nextCursor");
            var two = client.request("tools/list", "{\"cursor\":" + one.write() + "}");
            assertThat(two.at("result", "nextCursor").asText()).isEqualTo(afterTwo);
        }
    }

    @Test
    void rereadsToolsFileAndAnnouncesChanges() throws IOException, InterruptedException {
        Path file = dir.resolve("tools.json");
        Files.writeString(file, "[{\"name\":\"one\",\"x-behaviour\":\"add\",\"inputSchema\":{}}]");
        var script = script().withOption("tools-file", file.toString()).withOption("watch", 20);
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
            client.request("ping", "");
            assertThat(client.request("tools/list", "").at("result", "tools").write())
                    .isEqualTo("[{\"name\":\"one\",\"inputSchema\":{}}]");
            assertThat(client.callTool("one", "{\"a\":2,\"b\":2}").write()).contains("\"4\"");
            Files.writeString(file, "[]");
            client.awaitMethod("notifications/tools/list_changed");
            assertThat(client.request("tools/list", "").at("result", "tools").asList()).isEmpty();
        }
    }

    @Test
    void listsHostileToolsBesideAValidOne() throws IOException, InterruptedException {
        var hostile = new ArrayList<>(HostileToolDefinitions.oddNames());
        hostile.addAll(HostileToolDefinitions.hostileSchemas());
        Path file =
                Files.writeString(dir.resolve("tools.json"), HostileToolDefinitions.file(hostile));
        try (var client = script().withOption("tools-file", file.toString()).launch().start()) {
            JsonTree listed = client.request("tools/list", "").at("result", "tools");
            assertThat(listed.asList()).hasSize(hostile.size() + 1);
            assertThat(client.callTool("good", "{\"q\":1}").write()).contains("{\"q\":1}");
        }
    }

    @Test
    void exitsInEveryWay() throws InterruptedException {
        for (String way : List.of("crash:exit=3", "kill9", "partialThenExit:exit=4")) {
            try (var client = script().tools("die=" + way).launch().start()) {
                client.sendRequest("tools/call", ClientMessages.callParams("die", ""));
                int code = client.exitCode(SOON);
                assertThat(way + " " + code)
                        .isIn("crash:exit=3 3", "kill9 137", "partialThenExit:exit=4 4");
            }
        }
    }

    @Test
    void keepsRunningAfterClosingItsStreams() throws InterruptedException {
        try (var client = script().tools("closeStdout").launch().start()) {
            client.sendRequest("tools/call", ClientMessages.callParams("closeStdout", ""));
            assertThat(client.awaitOutputEnd(SOON)).isTrue();
            assertThat(client.isAlive()).isTrue();
        }
        try (var client = script().tools("closeStdin").launch().start()) {
            client.sendRequest("tools/call", ClientMessages.callParams("closeStdin", ""));
            long end = System.nanoTime() + SOON.toNanos();
            while (client.trySend(new byte[] {'\n'}) && System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(client.trySend(new byte[] {'\n'})).isFalse();
            assertThat(client.isAlive()).isTrue();
            client.kill();
        }
    }

    @Test
    void ignoresTermAndLeavesAGrandchild() throws InterruptedException {
        var script =
                script().withOption("ignore-term")
                        .withOption("ignore-eof")
                        .withOption("grandchild", "plain");
        try (var client = script.launch().start()) {
            client.initialize("2025-11-25");
            client.signal("TERM");
            client.closeInput();
            assertThat(client.isAlive()).isTrue();
            long grandchild = script.recording().grandchildPids().get(0);
            assertThat(ProcessInspector.descendants(client.pid())).contains(grandchild);
            ProcessInspector.signal(grandchild, "TERM");
            assertThat(ProcessInspector.isAlive(grandchild)).isTrue();
            ProcessInspector.signal(grandchild, "KILL");
            client.kill();
            assertThat(client.exitCode(SOON)).isEqualTo(137);
        }
    }

    @Test
    void boundsFloodsAndStorms() throws InterruptedException {
        var script = script().withOption("flood", 1_000_000).withOption("storm", "1000:10");
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
    void writesEndlessLinesAndSingleBytes() throws InterruptedException {
        var script = script().tools("big", "drip:ms=1", "drip", "endless");
        try (var client = script.launch().start()) {
            assertThat(client.callTool("big", "{\"bytes\":3000000}").write())
                    .hasSizeGreaterThan(3000000);
            assertThat(client.callTool("drip", "{\"ms\":1}").has("result")).isTrue();
            client.sendRequest(
                    "tools/call", ClientMessages.callParams("endless", "{\"bytes\":5000000}"));
            awaitBytes(client, 8_000_000);
            assertThat(client.untakenLineCount()).isZero();
            client.kill();
        }
    }

    @Test
    void reportsItsEnvironment() throws InterruptedException {
        try (var client = script().tools("env").launch().clearEnvironment().env("A", "b").start()) {
            JsonTree report = client.callTool("env", "{}").at("result", "structuredContent");
            assertThat(report.at("env", "A").asText()).isEqualTo("b");
            assertThat(report.at("argv").asList()).contains(new JsonTree.Str("--tools"));
            assertThat(report.at("fds").asList()).hasSizeGreaterThan(2);
        }
    }

    @Test
    void rejectsUnknownOptions() throws InterruptedException {
        try (var client = script().withOption("nonsense").launch().start()) {
            assertThat(client.exitCode(SOON)).isEqualTo(2);
        }
    }

    @Test
    void readsOptionsFromAScriptFile() throws IOException, InterruptedException {
        Path file = dir.resolve("script.json");
        Files.writeString(file, "{\"tools\":[\"echo\",\"slow\",\"hang\"],\"page-size\":1}");
        try (var client = script().withOption("script", file.toString()).launch().start()) {
            var list = client.request("tools/list", "");
            assertThat(list.at("result", "tools").asList()).hasSize(1);
            assertThat(list.at("result").has("nextCursor")).isTrue();
        }
    }

    private ServerScript script() {
        return ServerScript.named("s", dir);
    }

    private static void awaitBytes(RawStdioClient client, long bytes) {
        long end = System.nanoTime() + SOON.toNanos();
        while (client.receivedBytes() < bytes && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(client.receivedBytes()).isGreaterThanOrEqualTo(bytes);
    }

    private static String read(RawStdioClient client, String uri) throws InterruptedException {
        return client.request("resources/read", "{\"uri\":" + StrictJson.quote(uri) + "}")
                .at("result", "contents", 0, "text")
                .asText();
    }
}
