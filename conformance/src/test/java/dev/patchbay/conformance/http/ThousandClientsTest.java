package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Processes;
import dev.patchbay.testkit.RawHttp;

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
    void aThousandClientsAreServedAtOnce() throws Exception {
        try (Served gateway = Served.open(folder, "echo")) {
            gateway.awaitTool("s.echo");
            var all = new CyclicBarrier(CLIENTS);
            var clients = new ArrayList<FutureTask<String>>();
            for (int i = 0; i < CLIENTS; i++) {
                String word = "word-" + i + "-of-its-own";
                clients.add(new FutureTask<>(() -> visit(gateway, all, word)));
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
    void aThousandConnectAtOnceWhileTheGatewayIsBusy() throws Exception {
        try (Served gateway = Served.open(folder, "echo")) {
            gateway.awaitTool("s.echo");
            var clients = new ArrayList<Socket>();
            try {
                assertThat(Processes.signal(gateway.process().pid(), "STOP")).isTrue();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(new Socket());
                    clients.getLast().connect(gateway.address(), CONNECT_MILLIS_MAX);
                }
            } finally {
                Processes.signal(gateway.process().pid(), "CONT");
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
    private static String visit(Served gateway, CyclicBarrier all, String word) throws Exception {
        try (RawHttp posts = gateway.connect();
                RawHttp stream = gateway.connect()) {
            String session = session(gateway, posts);
            byte[] listen = gateway.bare("GET", session).getBytes(StandardCharsets.US_ASCII);
            assertThat(stream.send(listen).head().status()).isEqualTo(200);
            all.await(1, TimeUnit.MINUTES);
            String call = Served.call("1", "s.echo", "{\"text\":\"" + word + "\"}");
            RawHttp.Reply reply = posts.send(gateway.post(call, session)).reply();
            all.await(1, TimeUnit.MINUTES);
            return reply.body();
        }
    }

    private static String session(Served gateway, RawHttp posts) throws IOException {
        String greeting =
                Messages.request("0", "initialize", Messages.initializeParams("2025-06-18"));
        RawHttp.Reply reply = posts.send(gateway.post(greeting)).reply();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        String ready = Messages.notification("notifications/initialized", "");
        assertThat(posts.send(gateway.post(ready, line)).reply().status()).isEqualTo(202);
        return line;
    }
}
