package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.FastEchoServer;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Clients over HTTP that hang up, do not read, send in pieces, cancel what is not theirs, or come
 * in floods. Each has only itself to blame.
 */
class HttpClientFaultTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 128L << 20;
    private static final int UNREAD_CALLS = 10_000;
    private static final int INITIALIZE_REQUESTS = 3_000;

    @TempDir private static Path folder;
    private static ServeProcess gateway;
    private static Duration baseline;
    private HealthyClientMonitor monitor;

    @BeforeAll
    static void open() throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools("echo", "hang");
        String servers =
                "\"s\": " + script.config() + ", \"calm\": " + FastEchoServer.stdioConfig();
        String settings = "\"http\": {\"auth\": \"none\"}, \"selfTools\": true";
        gateway = ServeProcess.start(folder, script, settings, servers);
        gateway.awaitTool("s.echo").awaitTool("calm.echo");
        baseline = HealthyClientMonitor.baseline(gateway);
    }

    @BeforeEach
    void startMonitor() {
        monitor = HealthyClientMonitor.start(gateway, baseline);
    }

    @AfterEach
    void assertOtherClientsUnaffected() {
        monitor.close();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static int hangingCallCount() {
        return gateway.script().recording().callArguments("hang").size();
    }

    private static int cancelledCallCount() {
        return gateway.script().recording().cancelledIds().size();
    }

    private static void assertServes(String session) throws IOException {
        RawHttpConnection.Response reply =
                gateway.send(gateway.postRequest(ServeProcess.call("9", "s.echo", "{}"), session));
        assertThat(reply.body()).contains("\"id\":9,", "\"content\"");
    }

    /** Fault 47. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void disconnectCancelsTheCall(boolean abruptly) throws Exception {
        int calls = hangingCallCount();
        int cancels = cancelledCallCount();
        RawHttpConnection client = gateway.connect();
        client.send(gateway.modernCall("1", "s.hang", "{}"));
        ServeProcess.await("the call arrives", () -> hangingCallCount() == calls + 1);
        if (abruptly) {
            client.reset();
        } else {
            client.close();
        }
        ServeProcess.await("the cancellation arrives", () -> cancelledCallCount() == cancels + 1);
    }

    /** Faults 48 and 49: what is not read is not lost, and does not pile up. */
    @Test
    void clientThatDoesNotReadGetsEverythingLater() throws Exception {
        String session = gateway.openSession();
        long memory = gateway.residentBytes();
        try (RawHttpConnection client = gateway.connect()) {
            var writing =
                    new FutureTask<Boolean>(
                            () -> {
                                for (int i = 0; i < UNREAD_CALLS; i++) {
                                    String id = Integer.toString(i);
                                    String text =
                                            ServeProcess.call(id, "s.echo", "{\"i\":" + i + "}");
                                    client.send(gateway.postRequest(text, session));
                                }
                                return true;
                            });
            Thread.ofVirtual().start(writing);
            // By then both directions are full: the gateway waits for us, and we for it.
            assertThat(gateway.process().waitFor(2, TimeUnit.SECONDS)).isFalse();
            assertServes(session);
            assertThat(gateway.residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
            for (int i = 0; i < UNREAD_CALLS; i++) {
                String body = client.readResponse().body();
                assertThat(body).contains("\"id\":" + i + ",", "{\\\"i\\\":" + i + "}");
            }
            assertThat(writing.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Fault 50, and threat C3: a cancellation reaches the calls of its own session only. */
    @Test
    void cancellationEndsOnlyTheNamedCall() throws Exception {
        String session = gateway.openSession();
        String other = gateway.openSession();
        int calls = hangingCallCount();
        int cancels = cancelledCallCount();
        try (RawHttpConnection mine = gateway.connect();
                RawHttpConnection others = gateway.connect()) {
            mine.send(gateway.postRequest(ServeProcess.call("5", "s.hang", "{}"), session));
            others.send(gateway.postRequest(ServeProcess.call("5", "s.hang", "{}"), other));
            ServeProcess.await("both calls arrive", () -> hangingCallCount() == calls + 2);
            for (String params :
                    List.of(
                            "{\"requestId\":6}",
                            "{\"requestId\":\"5\"}",
                            "{\"requestId\":null}",
                            "{}",
                            "[]")) {
                sendCancellation(session, params);
            }
            assertServes(session);
            assertThat(cancelledCallCount()).isEqualTo(cancels);
            sendCancellation(session, "{\"requestId\":5}");
            sendCancellation(session, "{\"requestId\":5}");
            assertThat(mine.readResponse().body()).isEmpty();
            ServeProcess.await("the cancellation arrives", () -> cancelledCallCount() > cancels);
            assertServes(other);
            assertThat(cancelledCallCount()).isEqualTo(cancels + 1);
            sendCancellation(other, "{\"requestId\":5}");
            assertThat(others.readResponse().body()).isEmpty();
            ServeProcess.await(
                    "that of the other arrives", () -> cancelledCallCount() == cancels + 2);
        }
    }

    private static void sendCancellation(String session, String params) throws IOException {
        byte[] request =
                gateway.postRequest(
                        ClientMessages.notification("notifications/cancelled", params), session);
        assertThat(gateway.send(request).status()).isIn(202, 400);
    }

    /** Fault 54. */
    @Test
    void requestSentInSingleBytesIsAnswered() throws Exception {
        byte[] request = gateway.modernCall("1", "s.echo", "{\"a\":\"é😀\"}");
        try (RawHttpConnection client = gateway.connect()) {
            for (byte part : request) {
                client.send(new byte[] {part});
            }
            assertThat(client.readResponse().body()).contains("é😀");
        }
    }

    /** Fault 54: many requests in one write. */
    @Test
    void requestsInOneWriteAreAnsweredInOrder() throws Exception {
        String session = gateway.openSession();
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < 1_000; i++) {
            String id = Integer.toString(i);
            all.writeBytes(gateway.postRequest(ServeProcess.call(id, "s.echo", "{}"), session));
        }
        try (RawHttpConnection client = gateway.connect()) {
            Thread.ofVirtual().start(() -> sendAll(client, all.toByteArray()));
            for (int i = 0; i < 1_000; i++) {
                assertThat(client.readResponse().body()).contains("\"id\":" + i + ",");
            }
        }
    }

    private static void sendAll(RawHttpConnection client, byte[] bytes) {
        try {
            client.send(bytes);
        } catch (IOException _) {
            // Then the replies are missing, and the test fails by that.
        }
    }

    /** Fault 57, and threat C4: whoever opens sessions by the thousand drives out only his own. */
    @Test
    void initializeFloodDoesNotEvictActiveSessions() throws Exception {
        String session = gateway.openSession();
        assertServes(session);
        long memory = gateway.residentBytes();
        byte[] greeting =
                gateway.postRequest(
                        ClientMessages.request(
                                "0", "initialize", ClientMessages.initializeParams("2025-06-18")));
        try (RawHttpConnection client = gateway.connect()) {
            for (int i = 0; i < INITIALIZE_REQUESTS; i++) {
                assertThat(client.send(greeting).readResponse().status()).isIn(200, 503);
            }
        }
        assertServes(session);
        assertServes(gateway.openSession());
        assertThat(gateway.residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    /** Fault 59: who waits when the gateway is told to end is answered. */
    @Test
    void waitingClientIsAnsweredAtShutdown(@TempDir Path other) throws Exception {
        var clients = new ArrayList<RawHttpConnection>();
        ServerScript script = ServerScript.named("s", other).tools("echo", "hang");
        String settings = "\"http\": {\"auth\": \"none\"}, \"limits\": {\"shutdownGraceMs\": 2000}";
        try (ServeProcess ending =
                ServeProcess.start(other, script, settings).awaitTool("s.echo")) {
            String session = ending.openSession();
            for (int i = 0; i < 100; i++) {
                String id = Integer.toString(i);
                String call = ServeProcess.call(id, "s.hang", "{}");
                byte[] request =
                        i % 2 == 0
                                ? ending.modernCall(id, "s.hang", "{}")
                                : ending.postRequest(call, session);
                clients.add(ending.connect().send(request));
            }
            var record = ending.script().recording();
            ServeProcess.await(
                    "the calls arrive", () -> record.callArguments("hang").size() == 100);
            ending.process().destroy();
            for (int i = 0; i < 100; i++) {
                String body = clients.get(i).readResponse().body();
                assertThat(body.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
                assertThat(body).contains("\"id\":" + i + ",");
            }
        } finally {
            for (RawHttpConnection client : clients) {
                client.close();
            }
        }
    }
}
