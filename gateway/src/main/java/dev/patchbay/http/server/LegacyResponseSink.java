package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.FrameSender;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.ResponseSink;
import dev.patchbay.mcp.CancelledNotification;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The response to a legacy client: JSON, or an event stream if other messages precede it. Messages
 * that cannot be sent there go to the session's own stream, if it is open.
 */
final class LegacyResponseSink implements ResponseSink, FrameSender {
    private static final long RETRY_MILLIS = 1_000;

    /** The user agent of the JDK's HTTP client, which the Java SDK uses. */
    private static final String JAVA_CLIENT = "Java-http-client/";

    private final LegacyHttpSession session;
    private final HttpExchange exchange;
    private final AcceptHeader acceptHeader;
    private @Nullable ResumableStream stream;
    private boolean isFinished;

    LegacyResponseSink(LegacyHttpSession session, HttpExchange visit, AcceptHeader accepts) {
        this.session = session;
        this.exchange = visit;
        this.acceptHeader = accepts;
    }

    /**
     * The reconnection time; zero to send none. The Java SDK up to 2.0.1 fails on a {@code retry}
     * line.
     */
    static long retryMillis(HttpExchange exchange) {
        String agent = exchange.header("User-Agent");
        return agent != null && agent.startsWith(JAVA_CLIENT) ? 0 : RETRY_MILLIS;
    }

    /** Whether the client supports events without data. */
    static boolean supportsPrimingEvent(LegacyHttpSession session) {
        return session.version().isAtLeast(ProtocolVersion.V2025_11_25);
    }

    @Override
    public void respond(Response response) {
        finish(List.of(response), Encoder.encodeResponse(response));
    }

    /** Responds to several requests: in one array, or in one event for each. */
    void answerBatch(List<Response> responses) {
        if (responses.isEmpty()) {
            onCancelled();
            return;
        }
        var writer = new JsonWriter().beginArray();
        responses.forEach(response -> writer.value(Encoder.encode(response).toJson()));
        finish(responses, writer.endArray().toEncodedJson());
    }

    private synchronized void finish(List<Response> responses, EncodedJson asJson) {
        isFinished = true;
        if (stream == null && acceptHeader.prefersJson()) {
            exchange.respondJson(200, asJson);
            return;
        }
        ResumableStream events = stream == null ? openStream() : stream;
        for (Response response : responses.subList(0, responses.size() - 1)) {
            events.send(Encoder.encode(response), SseWriter.EventKind.RESPONSE);
        }
        events.finish(Encoder.encode(responses.getLast()));
    }

    @Override
    public synchronized void onCancelled() {
        isFinished = true;
        if (stream == null) {
            exchange.respondEmpty(202);
        } else {
            stream.finish(null);
        }
    }

    @Override
    public void sendNotification(Notification notification) {
        send(Encoder.encode(notification), SseWriter.EventKind.NOTIFICATION);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        var asked = new CallIdRecorder(params);
        try {
            CallOutcome outcome = session.calls().call(this, method, asked, timeout);
            if (outcome instanceof CallOutcome.TimedOut) {
                sendCancelled(asked.id, "no response in time");
            }
            return outcome;
        } catch (InterruptedException e) {
            sendCancelled(asked.id, "Cancelled");
            throw e;
        }
    }

    /** A question goes to the stream of the session if the request's own connection is gone. */
    @Override
    public boolean trySend(EncodedJson frame, Duration patience) {
        return isOwnConnectionOpen()
                ? send(frame, SseWriter.EventKind.REQUEST)
                : session.serverStream().send(frame, SseWriter.EventKind.REQUEST);
    }

    @Override
    public boolean isConnected() {
        return isOwnConnectionOpen() || session.serverStream().isConnected();
    }

    /** A client without the first event has nothing to resume from. */
    @Override
    public synchronized void endStream() {
        if (!isFinished && acceptHeader.acceptsEvents() && supportsPrimingEvent(session)) {
            ResumableStream events = stream == null ? openStream() : stream;
            events.disconnect();
        }
    }

    private synchronized boolean isOwnConnectionOpen() {
        if (isFinished || !acceptHeader.acceptsEvents()) {
            return false;
        }
        return stream == null ? !exchange.isDisconnected() : stream.isConnected();
    }

    private synchronized boolean send(EncodedJson text, SseWriter.EventKind weight) {
        if (isFinished || !acceptHeader.acceptsEvents()) {
            return session.serverStream().send(text, weight);
        }
        ResumableStream events = stream == null ? openStream() : stream;
        return events.send(text, weight);
    }

    private ResumableStream openStream() {
        ResumableStream opened = session.newStream();
        stream = opened;
        SseWriter events = exchange.stream(opened);
        if (events != null) {
            opened.connect(events, retryMillis(exchange), supportsPrimingEvent(session));
        }
        return opened;
    }

    private void sendCancelled(long id, String reason) {
        sendNotification(CancelledNotification.of(id, reason));
    }

    /** Records the id of a call. */
    private static final class CallIdRecorder implements LongFunction<@Nullable Json> {
        private final LongFunction<@Nullable Json> params;
        private volatile long id;

        CallIdRecorder(LongFunction<@Nullable Json> params) {
            this.params = params;
        }

        @Override
        public @Nullable Json apply(long given) {
            id = given;
            return params.apply(given);
        }
    }
}
