package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.FastEchoServer;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threat C1 and fault 55: many clients that use the same ids at the same time, for one server on
 * stdio, which answers in any order, and one over HTTP. None gets another's answer, no answer is
 * missing, and no call is made twice; a healthy server beside them is served as before, and what is
 * said of all servers is so. {@code -Dpatchbay.crowd.calls} says how many calls.
 */
class EqualRequestIdsTest {
    private static final int CLIENTS = 64;
    private static final int CALLS = Integer.getInteger("patchbay.crowd.calls", 30_000);

    /** One of so many calls goes to the server over HTTP. */
    private static final int HTTP_SHARE = 8;

    /** One of so many calls is made under an id of its client's own first. */
    private static final int OWN_ID_SHARE = 10;

    private static final int MANY_CLIENTS = 950;

    @TempDir private static Path folder;

    /** How many calls each makes, and whether under ids that no other client uses. */
    private record Ids(boolean own, int calls) {
        /** How many of them go to the server over HTTP. */
        int overHttp() {
            return (calls + HTTP_SHARE - 1) / HTTP_SHARE;
        }
    }

    /** What one client does, and what it found. */
    private record TestClient(ServeProcess gateway, Ids ids, int number, CountDownLatch start) {
        int run() throws Exception {
            String session = number % 2 == 0 ? "" : gateway.openSession();
            try (RawHttpConnection client = gateway.connect()) {
                start.countDown();
                start.await();
                int wrong = 0;
                for (int call = 0; call < ids.calls(); call++) {
                    int id = ids.own() ? number * CALLS + call : call;
                    wrong += isRight(client, session, id) ? 0 : 1;
                }
                return wrong;
            }
        }

        private boolean isRight(RawHttpConnection client, String session, int id)
                throws IOException {
            String tool = id % HTTP_SHARE == 0 ? "web.echo" : "pipe.echo";
            String arguments = "{\"of\":\"client-" + number + "-" + id + "\"}";
            byte[] request =
                    session.isEmpty()
                            ? gateway.modernCall(Integer.toString(id), tool, arguments)
                            : gateway.postRequest(
                                    ServeProcess.call(Integer.toString(id), tool, arguments),
                                    session);
            RawHttpConnection.Response reply = client.send(request).readResponse();
            return reply.status() == 200
                    && reply.body().startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\"")
                    && reply.body().contains("\"text\":" + StrictJson.quote(arguments));
        }
    }

    private static ServeProcess open(FastEchoServer web) throws IOException {
        String servers =
                "\"pipe\": "
                        + FastEchoServer.stdioConfig()
                        + ", \"web\": {\"url\": "
                        + StrictJson.quote(web.url().toString())
                        + "}, \"calm\": "
                        + FastEchoServer.stdioConfig();
        ServerScript none = ServerScript.named("none", folder);
        String settings = "\"http\": {\"auth\": \"none\"}, \"selfTools\": true";
        return ServeProcess.start(folder, none, settings, servers)
                .awaitTool("pipe.count")
                .awaitTool("web.count")
                .awaitTool("calm.echo");
    }

    @Test
    void clientsWithEqualIdsGetTheirOwnResponses() throws Exception {
        try (FastEchoServer web = FastEchoServer.startHttp();
                ServeProcess gateway = open(web)) {
            // A crowd is no fault; that its ids are the same must cost nobody more than it does.
            var own = new Ids(true, CALLS / CLIENTS / OWN_ID_SHARE);
            var same = new Ids(false, CALLS / CLIENTS);
            Duration usual = HealthyClientMonitor.baseline(gateway, () -> run(gateway, own));
            try (HealthyClientMonitor _ = HealthyClientMonitor.start(gateway, usual)) {
                assertThat(run(gateway, same)).containsOnly(0);
            }
            int overHttp = own.overHttp() + same.overHttp();
            assertThat(callCount(gateway, "web")).isEqualTo(CLIENTS * overHttp);
            int piped = own.calls() + same.calls() - overHttp;
            assertThat(callCount(gateway, "pipe")).isEqualTo(CLIENTS * piped);
            assertManyClientsAreServed(gateway);
        }
    }

    private static List<Integer> run(ServeProcess gateway, Ids ids)
            throws InterruptedException, ExecutionException {
        var start = new CountDownLatch(CLIENTS);
        var wrong = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(new TestClient(gateway, ids, i, start)::run));
            }
            for (Future<Integer> visitor : running) {
                wrong.add(visitor.get());
            }
        }
        return wrong;
    }

    private static int callCount(ServeProcess gateway, String server) throws IOException {
        RawHttpConnection.Response reply =
                gateway.send(gateway.modernCall("1", server + ".count", "{}"));
        return Integer.parseInt(reply.json().at("result", "content", 0, "text").asText());
    }

    /** Close to the limit of connections, all open at once, each is served. */
    private static void assertManyClientsAreServed(ServeProcess gateway) throws IOException {
        var clients = new ArrayList<RawHttpConnection>();
        try {
            for (int i = 0; i < MANY_CLIENTS; i++) {
                String id = Integer.toString(i);
                RawHttpConnection client = gateway.connect();
                clients.add(client);
                client.send(gateway.modernCall(id, "pipe.echo", "{\"of\":" + i + "}"));
            }
            for (int i = 0; i < MANY_CLIENTS; i++) {
                String body = clients.get(i).readResponse().body();
                assertThat(body).contains("\"id\":" + i + ",", "{\\\"of\\\":" + i + "}");
            }
        } finally {
            for (RawHttpConnection client : clients) {
                client.close();
            }
        }
    }
}
