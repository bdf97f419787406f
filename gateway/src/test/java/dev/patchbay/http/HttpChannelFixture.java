package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.testkit.Messages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server reached over HTTP, as its link sees it. */
final class HttpChannelFixture implements Handler, AutoCloseable {
    final List<String> heard = new CopyOnWriteArrayList<>();
    final CountDownLatch ended = new CountDownLatch(1);
    final HttpChannel channel;
    private final Connection connection;

    private HttpChannelFixture(HttpChannel channel) {
        this.channel = channel;
        connection = new Connection(channel, this, 16, this::abandoned);
        Thread.ofVirtual().start(this::run);
    }

    static HttpChannelFixture to(URI url) throws IOException {
        return to(new HttpChannel.Target(url, Map.of("X-Key", "of-the-server"), false));
    }

    static HttpChannelFixture to(HttpChannel.Target target) throws IOException {
        return new HttpChannelFixture(new HttpChannel(target, HttpChannelFixture::headerParams));
    }

    private static List<HeaderParam> headerParams(String tool) {
        return tool.equals("query")
                ? List.of(
                        new HeaderParam("Region", List.of("region")),
                        new HeaderParam("Limit", List.of("page", "limit")))
                : List.of();
    }

    private void run() {
        try {
            connection.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended.countDown();
        }
    }

    private void abandoned(long id, String why) {
        notify("notifications/cancelled", "{\"requestId\":" + id + "}");
    }

    void notify(String method, String params) {
        try {
            var notice = new Notification(method, params.isEmpty() ? null : Json.of(params));
            channel.trySend(Encoder.encode(notice), Duration.ZERO);
        } catch (IOException e) {
            heard.add("not sent: " + e.getMessage());
        }
    }

    /** Calls with params as they are. */
    CallOutcome call(String method, String params, int millis) throws InterruptedException {
        Json given = params.isEmpty() ? null : Json.of(params);
        return connection.calls().call(method, _ -> given, Duration.ofMillis(millis));
    }

    CallOutcome call(String method, String params) throws InterruptedException {
        return call(method, params, 30_000);
    }

    CallOutcome modern(String method, String params) throws InterruptedException {
        return call(method, Messages.modernParams(params));
    }

    /** Shakes hands in the legacy way. */
    CallOutcome greet(String version) throws InterruptedException {
        CallOutcome outcome = call("initialize", Messages.initializeParams(version));
        if (outcome instanceof CallOutcome.Result) {
            channel.agreed(ProtocolVersion.of(version).orElseThrow());
            notify("notifications/initialized", "");
        }
        return outcome;
    }

    @Override
    public Json handle(Request request, Exchange exchange) {
        heard.add(request.method() + " for " + exchange.relatedCall());
        return Json.of("{\"answered\":true}");
    }

    @Override
    public void notified(Notification notification, Exchange exchange) {
        heard.add(notification.method() + " for " + exchange.relatedCall());
    }

    @Override
    public boolean answersMalformed() {
        return false;
    }

    @Override
    public void close() {
        channel.close();
    }
}
