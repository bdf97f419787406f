package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.ResponseSink;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.McpErrorCodes;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.LongFunction;

/**
 * The response to a modern request: one JSON body, or an event stream if other messages precede it.
 * A client that does not accept events does not get those messages.
 */
final class ModernResponseSink implements ResponseSink {
    private final HttpExchange exchange;
    private final AcceptHeader acceptHeader;
    private final boolean isMethodServed;
    private @Nullable SseWriter stream;
    private boolean isFinished;

    /**
     * Creates a sink.
     *
     * @param isKnown whether the endpoint supports the method
     */
    ModernResponseSink(HttpExchange visit, AcceptHeader accepts, boolean isKnown) {
        this.exchange = visit;
        this.acceptHeader = accepts;
        this.isMethodServed = isKnown;
    }

    @Override
    public void respond(Response response) {
        EncodedJson text = Encoder.encodeResponse(response);
        SseWriter events;
        synchronized (this) {
            isFinished = true;
            events = stream == null && !acceptHeader.acceptsJson() ? openStream() : stream;
        }
        if (events == null) {
            exchange.respondJson(status(response), text);
        } else {
            events.finish(null, text);
        }
    }

    @Override
    public synchronized void sendNotification(Notification notification) {
        if (isFinished || !acceptHeader.acceptsEvents()) {
            return;
        }
        SseWriter events = stream == null ? openStream() : stream;
        if (events != null) {
            events.send(null, Encoder.encode(notification), SseWriter.EventKind.NOTIFICATION);
        }
    }

    @Override
    public void onCancelled() {
        SseWriter events;
        synchronized (this) {
            isFinished = true;
            events = stream;
        }
        if (events == null) {
            exchange.abort();
        } else {
            events.finish();
        }
    }

    /** Modern clients are asked through the result of their request, never by a request. */
    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout) {
        return new CallOutcome.NotSent("A modern client takes no requests");
    }

    private @Nullable SseWriter openStream() {
        stream = exchange.stream(_ -> {});
        return stream;
    }

    private int status(Response response) {
        return switch (response) {
            case Success _ -> 200;
            case Failure(_, RpcError error) ->
                    switch (error.code()) {
                        // The same code of a server does not mean that the gateway lacks the
                        // method.
                        case RpcError.METHOD_NOT_FOUND -> isMethodServed ? 200 : 404;
                        case McpErrorCodes.HEADER_MISMATCH,
                                McpErrorCodes.MISSING_CLIENT_CAPABILITY,
                                McpErrorCodes.UNSUPPORTED_PROTOCOL_VERSION ->
                                400;
                        default -> 200;
                    };
        };
    }
}
