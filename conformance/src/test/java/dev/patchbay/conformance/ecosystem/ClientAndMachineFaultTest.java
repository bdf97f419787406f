package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Samples;
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
 * What clients, operators and the machine do to a gateway that goes on: they cancel, use an id
 * twice, send what is too long or no message, or write half a configuration. What ends it is in
 * {@link EndOfGatewayTest}, and clients that do not read in {@link UnreadClientTest}.
 */
class ClientAndMachineFaultTest {
    private static final Duration SHORTLY = Duration.ofSeconds(5);
    private static final int LONG_LINE_BYTES = 20_000_000;
    private static final int LINES = 2_000;

    @TempDir private static Path folder;
    private static Neighbourhood around;
    private static Host host;
    private static Workbench bench;
    private ServerScript alpha;

    @BeforeAll
    static void open() throws Exception {
        around = new Neighbourhood(folder);
        host = around.host();
        bench = around.bench();
    }

    @BeforeEach
    void set() throws Exception {
        alpha = around.connect(around.script("alpha").tools("echo", "hang", "nap=slow:ms=500"));
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
    void cancellationsReachTheServerOrNobody() throws Exception {
        try (Watch _ = around.watch()) {
            String hang = send("hang");
            assertThat(alpha.record().await(it -> it.calls("hang").size() == 1, Host.PATIENCE))
                    .isTrue();
            for (String line :
                    List.of(
                            Messages.cancelled(hang),
                            Messages.cancelled(hang),
                            Messages.cancelled("424242"),
                            Messages.cancelled("\"" + hang + "\""),
                            Messages.notification("notifications/cancelled", "{}"),
                            Messages.notification("notifications/cancelled", "[]"),
                            Messages.notification("notifications/cancelled", ""))) {
                host.client().sendLine(line);
            }
            assertThat(alpha.record().await(it -> it.cancels().size() == 1, Host.PATIENCE))
                    .isTrue();
            String done = send("echo");
            assertThat(text(host.client().awaitAnswer(done))).isEqualTo("{}");
            host.client().sendLine(Messages.cancelled(done));
            assertThat(host.text(alpha.name() + ".echo", "{\"after\":1}"))
                    .isEqualTo("{\"after\":1}");
            for (String id : List.of(hang, done)) {
                assertThat(host.client().poll(it -> isAnswer(it, id), Duration.ZERO))
                        .as("nothing came for what was cancelled")
                        .isEmpty();
            }
            assertThat(alpha.record().cancels()).hasSize(1);
        }
    }

    @Test
    void anIdInUseIsRefusedAndOneOfAnotherTypeIsAnother() throws Exception {
        try (Watch _ = around.watch()) {
            // In one write: the first must still be at work when the others come.
            host.client()
                    .sendLine(
                            String.join(
                                    "\n",
                                    line("7007007", "nap"),
                                    line("7007007", "echo"),
                                    line("\"7007007\"", "echo")));
            assertThat(text(host.client().awaitAnswer("\"7007007\""))).isEqualTo("{}");
            JsonTree first = host.client().awaitAnswer("7007007");
            JsonTree second = host.client().awaitAnswer("7007007");
            assertThat(first.at("error", "code").integer()).isEqualTo(-32600);
            assertThat(text(second)).isEqualTo("slow");
            host.client().sendLine(line("7007007", "echo"));
            assertThat(text(host.client().awaitAnswer("7007007"))).isEqualTo("{}");
        }
    }

    /** Each is answered once, as the traffic shows in the end, and no server hears of any. */
    @Test
    void linesThatAreTooLongOrNoMessageDisturbNoServer() throws Exception {
        try (Watch _ = around.watch()) {
            byte[] tooLong = Samples.requestOfLength("\"long\"", LONG_LINE_BYTES);
            host.client().sendLine(tooLong);
            JsonTree refusal = host.client().awaitAnswer("\"long\"");
            assertThat(refusal.at("error", "code").integer()).isEqualTo(-32600);
            var lines = new StringBuilder();
            for (int i = 0; i < LINES; i++) {
                String id = "\"bad " + i + "\"";
                lines.append("{not json ").append(i).append('\n');
                lines.append("{\"id\":").append(id).append("}\r\n");
                lines.append(Messages.request(id, "tools/call", "{\"name\":5}")).append('\n');
            }
            host.client().send(lines.toString().getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < LINES; i++) {
                host.client().awaitAnswer("\"bad " + i + "\"");
                host.client().awaitAnswer("\"bad " + i + "\"");
                host.client().awaitAnswer("null");
            }
        }
        assertThat(alpha.record().calls("echo")).isEmpty();
    }

    @Test
    void aBrokenConfigurationLeavesTheOldOneInForce() throws Exception {
        String good = bench.text();
        var random = new Random(42);
        String echo = alpha.name() + ".echo";
        try (Watch _ = around.watch()) {
            for (int i = 0; i < 50; i++) {
                bench.save(good.substring(0, random.nextInt(good.length() - 3)));
                assertThat(host.text(echo, "{\"i\":" + i + "}")).contains("" + i);
            }
            bench.save("{\"mcpServers\": {\n  \"alpha\": {\"command\": 5}}}");
            assertThat(Host.await(Host.PATIENCE, () -> host.client().stderr().contains("2:24")))
                    .isTrue();
            Files.delete(bench.file());
            assertThat(host.text(echo, "{}")).isEqualTo("{}");
            Path other = folder.resolve("other.json");
            Files.writeString(other, "[");
            Files.createSymbolicLink(bench.file(), other);
            assertThat(host.text(echo, "{}")).isEqualTo("{}");
            assertThat(host.servers()).hasSize(2);
            assertThat(alpha.record().starts()).isEqualTo(1);
            assertThat(alpha.record().count("initialize")).isEqualTo(1);

            SmallServer.healthy("late").into(bench, "");
            Files.writeString(other, bench.text());
            var saved = Stopwatch.start();
            assertThat(Host.await(Host.PATIENCE, () -> host.knows("late"))).isTrue();
            assertThat(saved.net()).isLessThan(SHORTLY);
            assertThat(host.text("late.who", "{}")).isEqualTo("late");
            assertThat(alpha.record().starts()).as("untouched by all of it").isEqualTo(1);
        }
        bench.without("late");
    }

    private String send(String tool) {
        String params = Messages.callParams(alpha.name() + "." + tool, "{}");
        return host.client().sendRequest("tools/call", params);
    }

    private String line(String id, String tool) {
        String params = Messages.callParams(alpha.name() + "." + tool, "{}");
        return Messages.request(id, "tools/call", params);
    }

    private static boolean isAnswer(JsonTree message, String id) {
        return !message.has("method")
                && message.find("id").map(JsonTree::write).orElse("").equals(id);
    }

    private static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").text();
    }
}
