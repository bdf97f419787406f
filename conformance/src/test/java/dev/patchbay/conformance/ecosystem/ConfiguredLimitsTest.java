package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/** Each configured limit is applied. */
class ConfiguredLimitsTest {
    private static final int LIMIT_BYTES = 65_536;
    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

    @TempDir private static Path folder;
    private static TestHost host;
    private static ServerScript worker;

    @BeforeAll
    static void open() throws Exception {
        var installation =
                new TestInstallation(folder)
                        .settings(
                                """
                                "limits": {"pagesMax": 2, "toolsPerServerMax": 5,
                                "requestsPerServerMax": 2, "requestsPerClientMax": 20,
                                "serverMessageBytesMax": 131072, "clientMessageBytesMax": 65536,
                                "clientLineBytesMax": 65536, "stderrBytesMax": 1024,
                                "shutdownGraceMs": 500, "wingsMax": 2}\
                                """);
        worker = installation.script("worker").tools("echo", "hang", "big");
        installation.withServer(worker, "\"requestTimeoutMs\": 4000");
        installation.withServer(installation.script("many").withOption("tool-count", 10));
        installation.withServer(
                installation
                        .script("pager")
                        .withOption("tool-count", 3)
                        .withOption("page-size", 1));
        host = installation.save().connect();
        host.awaitListed("worker");
        host.awaitListed("many");
        host.awaitListed("pager");
    }

    @AfterAll
    static void close() {
        host.close();
    }

    @Test
    void unknownLimitIsReported() {
        assertThat(
                        TestHost.await(
                                TestHost.TIMEOUT,
                                () -> host.client().stderr().contains("wingsMax")))
                .isTrue();
    }

    @Test
    void pageLimitIsApplied() throws Exception {
        assertThat(host.toolNames()).filteredOn(name -> name.startsWith("pager.")).hasSize(2);
        assertThat(host.server("pager").at("withheld").write()).contains("more than 2 pages");
    }

    @Test
    void toolLimitIsApplied() throws Exception {
        assertThat(host.toolNames()).filteredOn(name -> name.startsWith("many.")).hasSize(5);
        assertThat(host.server("many").at("withheld").write()).contains("more than 5");
    }

    @Test
    void serverMessageSizeLimitIsApplied() throws Exception {
        JsonTree failure = host.failureDetails("worker.big", "{\"bytes\":" + 3 * LIMIT_BYTES + "}");
        assertThat(failure.at("message").asText()).contains("131,072");
    }

    @Test
    void outputLineSizeLimitIsApplied() throws Exception {
        JsonTree answer = host.client().callTool("worker.big", "{\"bytes\":" + LIMIT_BYTES + "}");
        assertThat(answer.at("error", "message").asText()).contains("65,536");
    }

    @Test
    void inputLineSizeLimitIsApplied() throws Exception {
        String arguments = "{\"x\":\"" + "x".repeat(LIMIT_BYTES) + "\"}";
        JsonTree answer = host.client().callTool("worker.echo", arguments);
        assertThat(answer.at("error", "code").asLong()).isEqualTo(-32600);
    }

    @Test
    void concurrentRequestLimitIsApplied() throws Exception {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            ids.add(
                    host.client()
                            .sendRequest(
                                    "tools/call", ClientMessages.callParams("worker.hang", "")));
        }
        assertThat(
                        worker.recording()
                                .await(
                                        it -> it.callArguments("hang").size() == 2,
                                        TestHost.TIMEOUT))
                .isTrue();
        assertThat(
                        worker.recording()
                                .await(it -> it.callArguments("hang").size() > 2, SHORT_TIMEOUT))
                .isFalse();
        int refused = 0;
        for (String id : ids) {
            JsonTree answer = host.client().awaitResponse(id);
            refused += answer.has("error") ? 1 : 0;
        }
        assertThat(refused).as("beyond the 20 of a client").isEqualTo(5);
    }
}
