package dev.patchbay.http.client;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.testkit.ClientMessages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server reached over HTTP, as its link sees it. */
public final class HttpChannelFixture implements RpcHandler, AutoCloseable {
    final List<String> received = new CopyOnWriteArrayList<>();
    final CountDownLatch closed = new CountDownLatch(1);
    final HttpChannel channel;
    private final Connection connection;

    private HttpChannelFixture(HttpChannel channel) {
        this.channel = channel;
        connection = new Connection(channel, this, 16, this::onCallAbandoned);
        Thread.ofVirtual().start(this::run);
    }

    public static HttpChannelFixture open(URI url) throws IOException {
        return open(new HttpChannel.Target(url, Map.of("X-Key", "of-the-server"), false));
    }

    static HttpChannelFixture open(HttpChannel.Target target) throws IOException {
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
            closed.countDown();
        }
    }

    private void onCallAbandoned(long id, String why) {
        notify("notifications/cancelled", "{\"requestId\":" + id + "}");
    }

    void notify(String method, String params) {
        try {
            var notice = new Notification(method, params.isEmpty() ? null : Json.of(params));
            channel.trySend(Encoder.encode(notice), Duration.ZERO);
        } catch (IOException e) {
            received.add("not sent: " + e.getMessage());
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

    CallOutcome callModern(String method, String params) throws InterruptedException {
        return call(method, ClientMessages.modernParams(params));
    }

    /** Shakes hands in the legacy way. */
    public CallOutcome initialize(String version) throws InterruptedException {
        CallOutcome outcome = call("initialize", ClientMessages.initializeParams(version));
        if (outcome instanceof CallOutcome.Result) {
            channel.setVersion(ProtocolVersion.of(version).orElseThrow());
            notify("notifications/initialized", "");
        }
        return outcome;
    }

    @Override
    public void handle(Request request, Responder responder) {
        received.add(request.method() + " for " + responder.context().relatedCallId());
        responder.fork(() -> Json.of("{\"answered\":true}"));
    }

    @Override
    public void onNotification(Notification notification, RequestContext exchange) {
        received.add(notification.method() + " for " + exchange.relatedCallId());
    }

    @Override
    public void onStreamEnded(long call) {
        received.add("stream ended for " + call);
    }

    @Override
    public boolean respondsToMalformed() {
        return false;
    }

    @Override
    public void close() {
        channel.close();
    }
}
