package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.QuickServer;
import dev.patchbay.testkit.RawHttp;
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
class CrowdTest {
    private static final int CLIENTS = 64;
    private static final int CALLS = Integer.getInteger("patchbay.crowd.calls", 100_000);

    /** One of so many calls goes to the server over HTTP. */
    private static final int HTTP_SHARE = 8;

    /** One of so many calls is made under an id of its client's own first. */
    private static final int OWN_SHARE = 10;

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
    private record Visitor(Served gateway, Ids ids, int number, CountDownLatch start) {
        int run() throws Exception {
            String session = number % 2 == 0 ? "" : gateway.session();
            try (RawHttp client = gateway.connect()) {
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

        private boolean isRight(RawHttp client, String session, int id) throws IOException {
            String tool = id % HTTP_SHARE == 0 ? "web.echo" : "pipe.echo";
            String arguments = "{\"of\":\"client-" + number + "-" + id + "\"}";
            byte[] request =
                    session.isEmpty()
                            ? gateway.modernCall(Integer.toString(id), tool, arguments)
                            : gateway.post(
                                    Served.call(Integer.toString(id), tool, arguments), session);
            RawHttp.Reply reply = client.send(request).reply();
            return reply.status() == 200
                    && reply.body().startsWith("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\"")
                    && reply.body().contains("\"text\":" + StrictJson.quote(arguments));
        }
    }

    private static Served open(QuickServer web) throws IOException {
        String servers =
                "\"pipe\": "
                        + QuickServer.config()
                        + ", \"web\": {\"url\": "
                        + StrictJson.quote(web.url().toString())
                        + "}, \"calm\": "
                        + QuickServer.config();
        ServerScript none = ServerScript.named("none", folder);
        String settings = "\"http\": {\"auth\": \"none\"}, \"selfTools\": true";
        return Served.start(folder, none, settings, servers)
                .awaitTool("pipe.count")
                .awaitTool("web.count")
                .awaitTool("calm.echo");
    }

    @Test
    void clientsWithTheSameIdsNeverMeet() throws Exception {
        try (QuickServer web = QuickServer.http();
                Served gateway = open(web)) {
            // A crowd is no fault; that its ids are the same must cost nobody more than it does.
            var own = new Ids(true, CALLS / CLIENTS / OWN_SHARE);
            var same = new Ids(false, CALLS / CLIENTS);
            Duration usual = Bystander.usual(gateway, () -> run(gateway, own));
            try (Bystander _ = Bystander.of(gateway, usual)) {
                assertThat(run(gateway, same)).containsOnly(0);
            }
            int overHttp = own.overHttp() + same.overHttp();
            assertThat(count(gateway, "web")).isEqualTo(CLIENTS * overHttp);
            int piped = own.calls() + same.calls() - overHttp;
            assertThat(count(gateway, "pipe")).isEqualTo(CLIENTS * piped);
            assertManyAreServed(gateway);
        }
    }

    private static List<Integer> run(Served gateway, Ids ids)
            throws InterruptedException, ExecutionException {
        var start = new CountDownLatch(CLIENTS);
        var wrong = new ArrayList<Integer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(new Visitor(gateway, ids, i, start)::run));
            }
            for (Future<Integer> visitor : running) {
                wrong.add(visitor.get());
            }
        }
        return wrong;
    }

    private static int count(Served gateway, String server) throws IOException {
        RawHttp.Reply reply = gateway.ask(gateway.modernCall("1", server + ".count", "{}"));
        return Integer.parseInt(reply.json().at("result", "content", 0, "text").text());
    }

    /** Close to the limit of connections, all open at once, each is served. */
    private static void assertManyAreServed(Served gateway) throws IOException {
        var clients = new ArrayList<RawHttp>();
        try {
            for (int i = 0; i < MANY_CLIENTS; i++) {
                String id = Integer.toString(i);
                RawHttp client = gateway.connect();
                clients.add(client);
                client.send(gateway.modernCall(id, "pipe.echo", "{\"of\":" + i + "}"));
            }
            for (int i = 0; i < MANY_CLIENTS; i++) {
                String body = clients.get(i).reply().body();
                assertThat(body).contains("\"id\":" + i + ",", "{\\\"of\\\":" + i + "}");
            }
        } finally {
            for (RawHttp client : clients) {
                client.close();
            }
        }
    }
}
