package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.QuickServer;
import dev.patchbay.testkit.RawHttp;
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
    private static final int GREETINGS = 3_000;

    @TempDir private static Path folder;
    private static Served gateway;
    private static Duration usual;
    private Bystander bystander;

    @BeforeAll
    static void open() throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools("echo", "hang");
        String servers = "\"s\": " + script.config() + ", \"calm\": " + QuickServer.config();
        String settings = "\"http\": {\"auth\": \"none\"}, \"selfTools\": true";
        gateway = Served.start(folder, script, settings, servers);
        gateway.awaitTool("s.echo").awaitTool("calm.echo");
        usual = Bystander.usual(gateway);
    }

    @BeforeEach
    void watch() {
        bystander = Bystander.of(gateway, usual);
    }

    @AfterEach
    void assertNobodyElseNoticed() {
        bystander.close();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static int hanging() {
        return gateway.script().record().calls("hang").size();
    }

    private static int cancelled() {
        return gateway.script().record().cancels().size();
    }

    private static void assertServes(String session) throws IOException {
        RawHttp.Reply reply = gateway.ask(gateway.post(Served.call("9", "s.echo", "{}"), session));
        assertThat(reply.body()).contains("\"id\":9,", "\"content\"");
    }

    /** Fault 47. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoHangsUpHasItsCallCancelled(boolean abruptly) throws Exception {
        int calls = hanging();
        int cancels = cancelled();
        RawHttp client = gateway.connect();
        client.send(gateway.modernCall("1", "s.hang", "{}"));
        Served.await("the call arrives", () -> hanging() == calls + 1);
        if (abruptly) {
            client.reset();
        } else {
            client.close();
        }
        Served.await("the cancellation arrives", () -> cancelled() == cancels + 1);
    }

    /** Faults 48 and 49: what is not read is not lost, and does not pile up. */
    @Test
    void whoDoesNotReadGetsEverythingLater() throws Exception {
        String session = gateway.session();
        long memory = gateway.residentBytes();
        try (RawHttp client = gateway.connect()) {
            var writing =
                    new FutureTask<Boolean>(
                            () -> {
                                for (int i = 0; i < UNREAD_CALLS; i++) {
                                    String id = Integer.toString(i);
                                    String text = Served.call(id, "s.echo", "{\"i\":" + i + "}");
                                    client.send(gateway.post(text, session));
                                }
                                return true;
                            });
            Thread.ofVirtual().start(writing);
            // By then both directions are full: the gateway waits for us, and we for it.
            assertThat(gateway.process().waitFor(2, TimeUnit.SECONDS)).isFalse();
            assertServes(session);
            assertThat(gateway.residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
            for (int i = 0; i < UNREAD_CALLS; i++) {
                String body = client.reply().body();
                assertThat(body).contains("\"id\":" + i + ",", "{\\\"i\\\":" + i + "}");
            }
            assertThat(writing.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Fault 50, and threat C3: a cancellation reaches the calls of its own session only. */
    @Test
    void aCancellationEndsWhatItNamesAndNothingElse() throws Exception {
        String session = gateway.session();
        String other = gateway.session();
        int calls = hanging();
        int cancels = cancelled();
        try (RawHttp mine = gateway.connect();
                RawHttp others = gateway.connect()) {
            mine.send(gateway.post(Served.call("5", "s.hang", "{}"), session));
            others.send(gateway.post(Served.call("5", "s.hang", "{}"), other));
            Served.await("both calls arrive", () -> hanging() == calls + 2);
            for (String params :
                    List.of(
                            "{\"requestId\":6}",
                            "{\"requestId\":\"5\"}",
                            "{\"requestId\":null}",
                            "{}",
                            "[]")) {
                notify(session, params);
            }
            assertServes(session);
            assertThat(cancelled()).isEqualTo(cancels);
            notify(session, "{\"requestId\":5}");
            notify(session, "{\"requestId\":5}");
            assertThat(mine.reply().body()).isEmpty();
            Served.await("the cancellation arrives", () -> cancelled() > cancels);
            assertServes(other);
            assertThat(cancelled()).isEqualTo(cancels + 1);
            notify(other, "{\"requestId\":5}");
            assertThat(others.reply().body()).isEmpty();
            Served.await("that of the other arrives", () -> cancelled() == cancels + 2);
        }
    }

    private static void notify(String session, String params) throws IOException {
        byte[] request =
                gateway.post(Messages.notification("notifications/cancelled", params), session);
        assertThat(gateway.ask(request).status()).isIn(202, 400);
    }

    /** Fault 54. */
    @Test
    void aRequestInSingleBytesIsTheSameRequest() throws Exception {
        byte[] request = gateway.modernCall("1", "s.echo", "{\"a\":\"é😀\"}");
        try (RawHttp client = gateway.connect()) {
            for (byte part : request) {
                client.send(new byte[] {part});
            }
            assertThat(client.reply().body()).contains("é😀");
        }
    }

    /** Fault 54: many requests in one write. */
    @Test
    void requestsInOneWriteAreAnsweredInOrder() throws Exception {
        String session = gateway.session();
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < 1_000; i++) {
            String id = Integer.toString(i);
            all.writeBytes(gateway.post(Served.call(id, "s.echo", "{}"), session));
        }
        try (RawHttp client = gateway.connect()) {
            Thread.ofVirtual().start(() -> sendAll(client, all.toByteArray()));
            for (int i = 0; i < 1_000; i++) {
                assertThat(client.reply().body()).contains("\"id\":" + i + ",");
            }
        }
    }

    private static void sendAll(RawHttp client, byte[] bytes) {
        try {
            client.send(bytes);
        } catch (IOException _) {
            // Then the replies are missing, and the test fails by that.
        }
    }

    /** Fault 57, and threat C4: whoever opens sessions by the thousand drives out only his own. */
    @Test
    void aFloodOfGreetingsLeavesUsedSessionsAlone() throws Exception {
        String session = gateway.session();
        assertServes(session);
        long memory = gateway.residentBytes();
        byte[] greeting =
                gateway.post(
                        Messages.request(
                                "0", "initialize", Messages.initializeParams("2025-06-18")));
        try (RawHttp client = gateway.connect()) {
            for (int i = 0; i < GREETINGS; i++) {
                assertThat(client.send(greeting).reply().status()).isIn(200, 503);
            }
        }
        assertServes(session);
        assertServes(gateway.session());
        assertThat(gateway.residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
    }

    /** Fault 59: who waits when the gateway is told to end is answered. */
    @Test
    void whoWaitsAtTheEndIsAnswered(@TempDir Path other) throws Exception {
        var clients = new ArrayList<RawHttp>();
        ServerScript script = ServerScript.named("s", other).tools("echo", "hang");
        String settings = "\"http\": {\"auth\": \"none\"}, \"limits\": {\"shutdownGraceMs\": 2000}";
        try (Served ending = Served.start(other, script, settings).awaitTool("s.echo")) {
            String session = ending.session();
            for (int i = 0; i < 100; i++) {
                String id = Integer.toString(i);
                String call = Served.call(id, "s.hang", "{}");
                byte[] request =
                        i % 2 == 0
                                ? ending.modernCall(id, "s.hang", "{}")
                                : ending.post(call, session);
                clients.add(ending.connect().send(request));
            }
            var record = ending.script().record();
            Served.await("the calls arrive", () -> record.calls("hang").size() == 100);
            ending.process().destroy();
            for (int i = 0; i < 100; i++) {
                String body = clients.get(i).reply().body();
                assertThat(body.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
                assertThat(body).contains("\"id\":" + i + ",");
            }
        } finally {
            for (RawHttp client : clients) {
                client.close();
            }
        }
    }
}
