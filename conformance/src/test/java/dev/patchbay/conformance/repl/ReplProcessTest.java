package dev.patchbay.conformance.repl;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
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

    private static ProcessHandle sessionOf(Repl repl) throws InterruptedException {
        JsonTree result = repl.evaluate("ProcessHandle.current().pid()");
        String pid = result.at("structuredContent", "value").text();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static void assertEnds(ProcessHandle process) throws Exception {
        process.onExit().get(Repl.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void answersWhatIsInFlightAtTheEndOfInputAndLeavesNothingBehind() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            String slow = "TimeUnit.MILLISECONDS.sleep(700); \"last\"";
            String id = repl.client.sendRequest("tools/call", Repl.params(slow, ""));
            repl.client.closeInput();
            JsonTree result = repl.client.awaitAnswer(id).at("result");
            assertThat(result.at("structuredContent", "value").text()).isEqualTo("\"last\"");
            assertThat(repl.client.exitCode(Duration.ofSeconds(20))).isZero();
            assertThat(repl.client.violations()).isEmpty();
            assertEnds(session);
        }
    }

    @Test
    void evaluationThatNeverEndsDoesNotHoldTheEnd() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            repl.client.sendRequest("tools/call", Repl.params("while (true);", ""));
            repl.client.closeInput();
            repl.client.exitCode(Duration.ofSeconds(30));
            assertEnds(session);
        }
    }

    @Test
    void sessionEndsWithAServerThatIsKilled() throws Exception {
        try (var repl = Repl.open(home)) {
            ProcessHandle session = sessionOf(repl);
            JsonTree started =
                    repl.evaluate("new ProcessBuilder(\"sleep\", \"600\").start().pid()");
            String pid = started.at("structuredContent", "value").text();
            ProcessHandle child = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
            repl.client.sendRequest("tools/call", Repl.params("while (true);", ""));
            repl.client.kill();
            assertEnds(session);
            assertEnds(child);
        }
    }

    /** Whoever is connected to one gateway works in one session; each stdio gateway has its own. */
    @Test
    void clientsOfOneGatewayShareTheSession() throws Exception {
        var launch = Repl.launch(home, "serve", "--listen", "127.0.0.1:0");
        try (var gateway = launch.start()) {
            String url = said(gateway, "Serving MCP at (\\S+)");
            String token = said(gateway, "Authorization: (Bearer \\S+)");
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
    void hostsOnStdioHaveSessionsOfTheirOwn() throws Exception {
        try (var one = Repl.launch(home, "stdio").start();
                var other = Repl.launch(home, "stdio").start()) {
            for (RawClient host : List.of(one, other)) {
                host.initialize("2025-11-25");
            }
            assertThat(one.call("java.evaluate", "{\"code\":\"int mine = 6;\"}").toString())
                    .contains("mine = 6");
            assertThat(other.call("java.evaluate", "{\"code\":\"mine\"}").toString())
                    .contains("cannot find symbol");
        }
    }

    private static String said(RawClient gateway, String pattern) {
        long end = System.nanoTime() + Repl.PATIENCE.toNanos();
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
        String params = Repl.params(code, "").replace("\"evaluate\"", "\"java.evaluate\"");
        String body = Messages.request("1", "tools/call", Messages.modernParams(params));
        var request =
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Repl.PATIENCE)
                        .header("Authorization", token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", Messages.MODERN)
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", "java.evaluate")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void evaluatesOnACommandLineWithNothingConfigured() throws Exception {
        var launch = Repl.launch(home, "call", "java.evaluate", "code=IntStream.range(0,5).sum()");
        try (var client = launch.start()) {
            client.closeInput();
            assertThat(new String(client.next(Repl.PATIENCE), UTF_8)).isEqualTo("=> 10 : int");
            assertThat(client.exitCode(Duration.ofSeconds(20))).isZero();
        }
    }
}
