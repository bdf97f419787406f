package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A thousand clients at once, each with a session, a stream of its own, and a call. */
class ThousandClientsTest {
    private static final int CLIENTS = 1_000;
    private static final long RESIDENT_BYTES_MAX = 400L * 1024 * 1024;
    private static final int CONNECT_MILLIS_MAX = 10_000;

    @TempDir private Path folder;

    @Test
    void servesThousandClientsAtOnce() throws Exception {
        try (ServeProcess gateway = ServeProcess.startWithoutToken(folder, "echo")) {
            gateway.awaitTool("s.echo");
            var all = new CyclicBarrier(CLIENTS);
            var clients = new ArrayList<FutureTask<String>>();
            for (int i = 0; i < CLIENTS; i++) {
                String word = "word-" + i + "-of-its-own";
                clients.add(new FutureTask<>(() -> connectAndCall(gateway, all, word)));
                Thread.ofVirtual().start(clients.getLast());
            }
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(answer(clients.get(i))).contains("word-" + i + "-of-its-own");
            }
            assertThat(gateway.residentBytes()).isLessThan(RESIDENT_BYTES_MAX);
        }
    }

    /** One that finds no room tries again after a second, and then after more of them. */
    @Test
    void acceptsThousandConnectionsWhileBusy() throws Exception {
        try (ServeProcess gateway = ServeProcess.startWithoutToken(folder, "echo")) {
            gateway.awaitTool("s.echo");
            var clients = new ArrayList<Socket>();
            try {
                assertThat(ProcessInspector.signal(gateway.process().pid(), "STOP")).isTrue();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(new Socket());
                    clients.getLast().connect(gateway.address(), CONNECT_MILLIS_MAX);
                }
            } finally {
                ProcessInspector.signal(gateway.process().pid(), "CONT");
                for (Socket client : clients) {
                    client.close();
                }
            }
            gateway.awaitTool("s.echo");
        }
    }

    private static String answer(FutureTask<String> client) throws Exception {
        try {
            return client.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** Opens a session and its stream, waits for all the others to have theirs, and calls. */
    private static String connectAndCall(ServeProcess gateway, CyclicBarrier all, String word)
            throws Exception {
        try (RawHttpConnection posts = gateway.connect();
                RawHttpConnection stream = gateway.connect()) {
            String session = session(gateway, posts);
            byte[] listen =
                    gateway.requestWithoutBody("GET", session).getBytes(StandardCharsets.US_ASCII);
            assertThat(stream.send(listen).readResponseHead().status()).isEqualTo(200);
            all.await(1, TimeUnit.MINUTES);
            String call = ServeProcess.call("1", "s.echo", "{\"text\":\"" + word + "\"}");
            RawHttpConnection.Response reply =
                    posts.send(gateway.postRequest(call, session)).readResponse();
            all.await(1, TimeUnit.MINUTES);
            return reply.body();
        }
    }

    private static String session(ServeProcess gateway, RawHttpConnection posts)
            throws IOException {
        String greeting =
                ClientMessages.request(
                        "0", "initialize", ClientMessages.initializeParams("2025-06-18"));
        RawHttpConnection.Response reply = posts.send(gateway.postRequest(greeting)).readResponse();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        String ready = ClientMessages.notification("notifications/initialized", "");
        assertThat(posts.send(gateway.postRequest(ready, line)).readResponse().status())
                .isEqualTo(202);
        return line;
    }
}
