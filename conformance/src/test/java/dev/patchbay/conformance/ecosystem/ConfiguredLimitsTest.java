package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/** Each limit that a configuration may set is the one that holds. */
class ConfiguredLimitsTest {
    private static final int BYTES = 65_536;
    private static final Duration SHORTLY = Duration.ofMillis(500);

    @TempDir private static Path folder;
    private static Host host;
    private static ServerScript worker;

    @BeforeAll
    static void open() throws Exception {
        var bench =
                new Workbench(folder)
                        .settings(
                                """
                                "limits": {"pagesMax": 2, "toolsPerServerMax": 5,
                                "requestsPerServerMax": 2, "requestsPerClientMax": 20,
                                "serverMessageBytesMax": 131072, "clientMessageBytesMax": 65536,
                                "clientLineBytesMax": 65536, "stderrBytesMax": 1024,
                                "shutdownGraceMs": 500, "wingsMax": 2}\
                                """);
        worker = bench.script("worker").tools("echo", "hang", "big");
        bench.with(worker, "\"requestTimeoutMs\": 4000");
        bench.with(bench.script("many").with("tool-count", 10));
        bench.with(bench.script("pager").with("tool-count", 3).with("page-size", 1));
        host = bench.save().open();
        host.awaitListed("worker");
        host.awaitListed("many");
        host.awaitListed("pager");
    }

    @AfterAll
    static void close() {
        host.close();
    }

    @Test
    void aLimitThatIsNoneIsNamed() {
        assertThat(Host.await(Host.PATIENCE, () -> host.client().stderr().contains("wingsMax")))
                .isTrue();
    }

    @Test
    void onlySoManyPagesAreRead() throws Exception {
        assertThat(host.toolNames()).filteredOn(name -> name.startsWith("pager.")).hasSize(2);
        assertThat(host.server("pager").at("withheld").write()).contains("more than 2 pages");
    }

    @Test
    void onlySoManyToolsAreOffered() throws Exception {
        assertThat(host.toolNames()).filteredOn(name -> name.startsWith("many.")).hasSize(5);
        assertThat(host.server("many").at("withheld").write()).contains("more than 5");
    }

    @Test
    void aServersMessageIsOnlySoLong() throws Exception {
        JsonTree failure = host.failure("worker.big", "{\"bytes\":" + 3 * BYTES + "}");
        assertThat(failure.at("message").text()).contains("131,072");
    }

    @Test
    void aLineToTheClientIsOnlySoLong() throws Exception {
        JsonTree answer = host.client().call("worker.big", "{\"bytes\":" + BYTES + "}");
        assertThat(answer.at("error", "message").text()).contains("65,536");
    }

    @Test
    void aLineOfTheClientIsOnlySoLong() throws Exception {
        String arguments = "{\"x\":\"" + "x".repeat(BYTES) + "\"}";
        JsonTree answer = host.client().call("worker.echo", arguments);
        assertThat(answer.at("error", "code").integer()).isEqualTo(-32600);
    }

    @Test
    void onlySoManyRequestsAreAtWork() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            ids.add(
                    host.client()
                            .sendRequest("tools/call", Messages.callParams("worker.hang", "")));
        }
        assertThat(worker.record().await(it -> it.calls("hang").size() == 2, Host.PATIENCE))
                .isTrue();
        assertThat(worker.record().await(it -> it.calls("hang").size() > 2, SHORTLY)).isFalse();
        int refused = 0;
        for (String id : ids) {
            JsonTree answer = host.client().awaitAnswer(id);
            refused += answer.has("error") ? 1 : 0;
        }
        assertThat(refused).as("beyond the 20 of a client").isEqualTo(5);
    }
}
