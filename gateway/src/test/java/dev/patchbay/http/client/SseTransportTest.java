package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers over the HTTP and SSE transport of 2024-11-05. */
class SseTransportTest {
    private static final String CALL = "{\"name\":\"echo\",\"arguments\":{\"a\":1}}";

    private static void assertClosesSoon(HttpChannelFixture reach) throws InterruptedException {
        var watch = Stopwatch.start();
        assertThat(reach.closed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(2));
    }

    private static void serveSse(Exchange exchange, LinkedBlockingQueue<Exchange> streams)
            throws Exception {
        if (exchange.request().method().equals("GET")) {
            exchange.startEventStream();
            exchange.send("event: endpoint\ndata: /messages?session=9\n\n");
            streams.add(exchange);
            exchange.awaitDisconnect(60_000);
        } else if (!exchange.request().path().startsWith("/messages")) {
            exchange.respond(405, "");
        } else {
            exchange.respond(202, "");
            Exchange stream = streams.peek();
            if (stream != null && !exchange.request().rpcId().isEmpty()) {
                stream.sendEvent(
                        exchange.resultMessage(
                                "{\"protocolVersion\":\"2024-11-05\",\"old\":true}"));
            }
        }
    }

    @Test
    void sseTransportIsDetected() throws Exception {
        var streams = new LinkedBlockingQueue<Exchange>();
        try (var server = RawHttpServer.start(exchange -> serveSse(exchange, streams));
                var reach = HttpChannelFixture.open(server.url("/sse"))) {
            assertThat(reach.callModern("server/discover", "{}"))
                    .isInstanceOf(CallOutcome.ErrorResponse.class);
            assertThat(reach.initialize("2024-11-05")).isInstanceOf(CallOutcome.Result.class);
            assertThat(reach.call("tools/call", CALL)).isInstanceOf(CallOutcome.Result.class);
            assertThat(server.receivedRequests().getLast().path()).isEqualTo("/messages?session=9");
            assertThat(server.receivedRequests().getLast().header("X-Key"))
                    .contains("of-the-server");
            streams.remove().close();
            assertClosesSoon(reach);
        }
    }

    @Test
    void configuredSseTransportIsUsedAtOnce() throws Exception {
        var streams = new LinkedBlockingQueue<Exchange>();
        try (var server = RawHttpServer.start(exchange -> serveSse(exchange, streams));
                var reach =
                        HttpChannelFixture.open(
                                new HttpChannel.Target(server.url("/sse"), Map.of(), true))) {
            assertThat(reach.initialize("2024-11-05")).isInstanceOf(CallOutcome.Result.class);
            assertThat(server.receivedRequests().getFirst().method()).isEqualTo("GET");
        }
    }

    /** Threat B7. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/x",
                "//evil.example/x",
                "https://127.0.0.1/x",
                "http://127.0.0.1:1/x",
                "http://127.0.0.1:PORT@evil.example/x",
                "http://user@127.0.0.1:PORT/x",
                "http:// bad",
                "file:///etc/passwd",
            })
    void sseTransportPostsOnlyToSameOrigin(String endpoint) throws Exception {
        var port = new AtomicInteger();
        try (var server =
                        RawHttpServer.start(
                                exchange -> {
                                    exchange.startEventStream();
                                    String told = endpoint.replace("PORT", port.toString());
                                    exchange.send("event: endpoint\ndata: " + told + "\n\n");
                                    exchange.awaitDisconnect(60_000);
                                });
                var reach =
                        HttpChannelFixture.open(
                                new HttpChannel.Target(server.url("/sse"), Map.of(), true))) {
            port.set(server.port());
            CallOutcome outcome = reach.call("initialize", "{}", 30_000);
            assertThat(outcome)
                    .isInstanceOfAny(
                            CallOutcome.ConnectionLost.class,
                            CallOutcome.Unreachable.class,
                            CallOutcome.NotSent.class);
            assertThat(server.receivedRequests()).hasSize(1);
        }
    }
}
