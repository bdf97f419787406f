package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawStdioClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The REPL's processes: when they start, when they end, and that none is left behind. */
class ReplProcessTest {
    @TempDir private Path home;

    private static ProcessHandle sessionOf(ReplTestClient repl) throws InterruptedException {
        JsonTree result = repl.evaluate("ProcessHandle.current().pid()");
        String pid = result.at("structuredContent", "value").asText();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static void assertEnds(ProcessHandle process) throws Exception {
        process.onExit().get(ReplTestClient.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void answersRequestsInFlightAtEndOfInputAndLeavesNoProcess() throws Exception {
        try (var repl = ReplTestClient.open(home)) {
            ProcessHandle session = sessionOf(repl);
            String slow = "TimeUnit.MILLISECONDS.sleep(700); \"last\"";
            String id =
                    repl.client.sendRequest("tools/call", ReplTestClient.evaluateParams(slow, ""));
            repl.client.closeInput();
            JsonTree result = repl.client.awaitResponse(id).at("result");
            assertThat(result.at("structuredContent", "value").asText()).isEqualTo("\"last\"");
            assertThat(repl.client.exitCode(Duration.ofSeconds(20))).isZero();
            assertThat(repl.client.violations()).isEmpty();
            assertEnds(session);
        }
    }

    @Test
    void endlessEvaluationDoesNotDelayTheExit() throws Exception {
        try (var repl = ReplTestClient.open(home)) {
            ProcessHandle session = sessionOf(repl);
            repl.client.sendRequest(
                    "tools/call", ReplTestClient.evaluateParams("while (true);", ""));
            repl.client.closeInput();
            repl.client.exitCode(Duration.ofSeconds(30));
            assertEnds(session);
        }
    }

    @Test
    void sessionEndsWhenTheServerIsKilled() throws Exception {
        try (var repl = ReplTestClient.open(home)) {
            ProcessHandle session = sessionOf(repl);
            JsonTree started =
                    repl.evaluate("new ProcessBuilder(\"sleep\", \"600\").start().pid()");
            String pid = started.at("structuredContent", "value").asText();
            ProcessHandle child = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
            repl.client.sendRequest(
                    "tools/call", ReplTestClient.evaluateParams("while (true);", ""));
            repl.client.kill();
            assertEnds(session);
            assertEnds(child);
        }
    }

    /** Whoever is connected to one gateway works in one session; each stdio gateway has its own. */
    @Test
    void clientsOfOneGatewayShareTheSession() throws Exception {
        var launch = ReplTestClient.launchOptions(home, "serve", "--listen", "127.0.0.1:0");
        try (var gateway = launch.start()) {
            String url = awaitStderrMatch(gateway, "Serving MCP at (\\S+)");
            Path tokenFile = Path.of(awaitStderrMatch(gateway, "The token is in (\\S+)"));
            String token = "Bearer " + Files.readString(tokenFile).strip();
            try (var one = HttpClient.newHttpClient();
                    var other = HttpClient.newHttpClient()) {
                assertThat(post(one, url, token, "int shared = 6;"))
                        .contains("=> shared = 6 : int");
                assertThat(post(other, url, token, "shared * 7")).contains("=> 42 : int");
            }
            gateway.signal("TERM");
            assertThat(gateway.exitCode(Duration.ofSeconds(20))).isZero();
        }
    }

    @Test
    void stdioHostsHaveSeparateSessions() throws Exception {
        try (var one = ReplTestClient.launchOptions(home, "stdio").start();
                var other = ReplTestClient.launchOptions(home, "stdio").start()) {
            for (RawStdioClient host : List.of(one, other)) {
                host.initialize("2025-11-25");
            }
            assertThat(one.callTool("java.evaluate", "{\"code\":\"int mine = 6;\"}").toString())
                    .contains("mine = 6");
            assertThat(other.callTool("java.evaluate", "{\"code\":\"mine\"}").toString())
                    .contains("cannot find symbol");
        }
    }

    private static String awaitStderrMatch(RawStdioClient gateway, String pattern) {
        long end = System.nanoTime() + ReplTestClient.TIMEOUT.toNanos();
        Matcher found = Pattern.compile(pattern).matcher(gateway.stderr());
        while (!found.find()) {
            assertThat(System.nanoTime()).as(gateway.stderr()).isLessThan(end);
            LockSupport.parkNanos(10_000_000);
            found = Pattern.compile(pattern).matcher(gateway.stderr());
        }
        return found.group(1);
    }

    private static String post(HttpClient client, String url, String token, String code)
            throws Exception {
        String params =
                ReplTestClient.evaluateParams(code, "")
                        .replace("\"evaluate\"", "\"java.evaluate\"");
        String body =
                ClientMessages.request("1", "tools/call", ClientMessages.modernParams(params));
        var request =
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(ReplTestClient.TIMEOUT)
                        .header("Authorization", token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", ClientMessages.MODERN)
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", "java.evaluate")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void evaluatesFromTheCommandLineWithoutConfiguration() throws Exception {
        var launch =
                ReplTestClient.launchOptions(
                        home, "call", "java.evaluate", "code=IntStream.range(0,5).sum()");
        try (var client = launch.start()) {
            client.closeInput();
            assertThat(new String(client.nextLine(ReplTestClient.TIMEOUT), UTF_8))
                    .isEqualTo("=> 10 : int");
            assertThat(client.exitCode(Duration.ofSeconds(20))).isZero();
        }
    }
}
