package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.SampleLines;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Faults of clients and operators that the gateway survives: cancellations, duplicate ids,
 * oversized or invalid lines, a broken configuration. See {@link GatewayShutdownTest} for what ends
 * a gateway, and {@link NonReadingClientTest} for clients that do not read.
 */
class ClientAndConfigFaultTest {
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);
    private static final int LONG_LINE_BYTES = 20_000_000;
    private static final int LINE_COUNT = 2_000;

    @TempDir private static Path folder;
    private static GatewayWithFaultyServer gateway;
    private static TestHost host;
    private static TestInstallation installation;
    private ServerScript alpha;

    @BeforeAll
    static void open() throws Exception {
        gateway = new GatewayWithFaultyServer(folder);
        host = gateway.host();
        installation = gateway.installation();
    }

    @BeforeEach
    void connectAlpha() throws Exception {
        alpha = gateway.connect(gateway.script("alpha").tools("echo", "hang", "nap=slow:ms=500"));
    }

    @AfterEach
    void clear() throws Exception {
        gateway.removeFaultyServers();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    @Test
    void validCancellationReachesItsServerOnceAndOthersAreIgnored() throws Exception {
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            String hang = send("hang");
            assertThat(
                            alpha.recording()
                                    .await(
                                            it -> it.callArguments("hang").size() == 1,
                                            TestHost.TIMEOUT))
                    .isTrue();
            for (String line :
                    List.of(
                            ClientMessages.cancelled(hang),
                            ClientMessages.cancelled(hang),
                            ClientMessages.cancelled("424242"),
                            ClientMessages.cancelled("\"" + hang + "\""),
                            ClientMessages.notification("notifications/cancelled", "{}"),
                            ClientMessages.notification("notifications/cancelled", "[]"),
                            ClientMessages.notification("notifications/cancelled", ""))) {
                host.client().sendLine(line);
            }
            assertThat(
                            alpha.recording()
                                    .await(it -> it.cancelledIds().size() == 1, TestHost.TIMEOUT))
                    .isTrue();
            String done = send("echo");
            assertThat(text(host.client().awaitResponse(done))).isEqualTo("{}");
            host.client().sendLine(ClientMessages.cancelled(done));
            assertThat(host.callForText(alpha.name() + ".echo", "{\"after\":1}"))
                    .isEqualTo("{\"after\":1}");
            for (String id : List.of(hang, done)) {
                assertThat(host.client().poll(it -> isAnswer(it, id), Duration.ZERO))
                        .as("nothing came for what was cancelled")
                        .isEmpty();
            }
            assertThat(alpha.recording().cancelledIds()).hasSize(1);
        }
    }

    @Test
    void duplicateIdIsRefusedAndIdOfAnotherTypeIsDistinct() throws Exception {
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            // In one write: the first must still be at work when the others come.
            host.client()
                    .sendLine(
                            String.join(
                                    "\n",
                                    line("7007007", "nap"),
                                    line("7007007", "echo"),
                                    line("\"7007007\"", "echo")));
            assertThat(text(host.client().awaitResponse("\"7007007\""))).isEqualTo("{}");
            JsonTree first = host.client().awaitResponse("7007007");
            JsonTree second = host.client().awaitResponse("7007007");
            assertThat(first.at("error", "code").asLong()).isEqualTo(-32600);
            assertThat(text(second)).isEqualTo("slow");
            host.client().sendLine(line("7007007", "echo"));
            assertThat(text(host.client().awaitResponse("7007007"))).isEqualTo("{}");
        }
    }

    /** Each line is answered once, and reaches no server. */
    @Test
    void oversizedAndInvalidLinesReachNoServer() throws Exception {
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            byte[] tooLong = SampleLines.requestOfLength("\"long\"", LONG_LINE_BYTES);
            host.client().sendLine(tooLong);
            JsonTree refusal = host.client().awaitResponse("\"long\"");
            assertThat(refusal.at("error", "code").asLong()).isEqualTo(-32600);
            var lines = new StringBuilder();
            for (int i = 0; i < LINE_COUNT; i++) {
                String id = "\"bad " + i + "\"";
                lines.append("{not json ").append(i).append('\n');
                lines.append("{\"id\":").append(id).append("}\r\n");
                lines.append(ClientMessages.request(id, "tools/call", "{\"name\":5}")).append('\n');
            }
            host.client().send(lines.toString().getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < LINE_COUNT; i++) {
                host.client().awaitResponse("\"bad " + i + "\"");
                host.client().awaitResponse("\"bad " + i + "\"");
                host.client().awaitResponse("null");
            }
        }
        assertThat(alpha.recording().callArguments("echo")).isEmpty();
    }

    @Test
    void brokenConfigurationLeavesTheOldOneInEffect() throws Exception {
        String good = installation.configText();
        var random = new Random(42);
        String echo = alpha.name() + ".echo";
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            for (int i = 0; i < 50; i++) {
                installation.save(good.substring(0, random.nextInt(good.length() - 3)));
                assertThat(host.callForText(echo, "{\"i\":" + i + "}")).contains("" + i);
            }
            installation.save("{\"mcpServers\": {},\n  \"patchbay\": {\"names\": 5}}");
            assertThat(
                            TestHost.await(
                                    TestHost.TIMEOUT,
                                    () -> host.client().stderr().contains("2:25")))
                    .isTrue();
            Files.delete(installation.configFile());
            assertThat(host.callForText(echo, "{}")).isEqualTo("{}");
            Path other = folder.resolve("other.json");
            Files.writeString(other, "[");
            Files.createSymbolicLink(installation.configFile(), other);
            assertThat(host.callForText(echo, "{}")).isEqualTo("{}");
            assertThat(host.servers()).hasSize(2);
            assertThat(alpha.recording().startCount()).isEqualTo(1);
            assertThat(alpha.recording().receivedCount("initialize")).isEqualTo(1);

            ShellServer.healthy("late").addTo(installation, "");
            Files.writeString(other, installation.configText());
            var saved = Stopwatch.start();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer("late"))).isTrue();
            assertThat(saved.activeTime()).isLessThan(SHORT_TIMEOUT);
            assertThat(host.callForText("late.who", "{}")).isEqualTo("late");
            assertThat(alpha.recording().startCount()).as("untouched by all of it").isEqualTo(1);
        }
        installation.withoutServer("late");
    }

    @Test
    void invalidEntryAffectsOnlyItsServer() throws Exception {
        String good = installation.configText();
        String echo = alpha.name() + ".echo";
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            int end = good.indexOf('{', good.indexOf("\"mcpServers\"")) + 1;
            installation.save(
                    good.substring(0, end) + "\n\"bad\": {\"command\": 5}," + good.substring(end));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer("bad"))).isTrue();
            String error = host.awaitStatus("bad", "error").at("lastError").asText();
            assertThat(error)
                    .startsWith("INVALID_CONFIG: ")
                    .contains(installation.configFile() + ":3:20: mcpServers.bad.command");
            assertThat(host.callForText(echo, "{}")).isEqualTo("{}");
            assertThat(alpha.recording().startCount()).as("not affected").isEqualTo(1);
        }
        installation.save(good);
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer("bad"))).isTrue();
    }

    private String send(String tool) {
        String params = ClientMessages.callParams(alpha.name() + "." + tool, "{}");
        return host.client().sendRequest("tools/call", params);
    }

    private String line(String id, String tool) {
        String params = ClientMessages.callParams(alpha.name() + "." + tool, "{}");
        return ClientMessages.request(id, "tools/call", params);
    }

    private static boolean isAnswer(JsonTree message, String id) {
        return !message.has("method")
                && message.findAt("id").map(JsonTree::write).orElse("").equals(id);
    }

    private static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").asText();
    }
}
