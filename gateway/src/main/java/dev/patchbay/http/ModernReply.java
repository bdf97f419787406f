package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.Reply;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Codes;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.LongFunction;

/**
 * The answer to a modern request: one JSON body, or a stream of events if something goes before the
 * answer. A client that takes no events does without what goes before.
 */
final class ModernReply implements Reply {
    private final Visit visit;
    private final Accepts accepts;
    private final boolean isKnown;
    private @Nullable EventStream stream;
    private boolean over;

    /** An answer to a message of a method that this endpoint has, or has not. */
    ModernReply(Visit visit, Accepts accepts, boolean isKnown) {
        this.visit = visit;
        this.accepts = accepts;
        this.isKnown = isKnown;
    }

    @Override
    public void answer(Response response) {
        JsonText text = Encoder.answer(response);
        EventStream events;
        synchronized (this) {
            over = true;
            events = stream == null && !accepts.json() ? open() : stream;
        }
        if (events == null) {
            visit.json(status(response), text);
        } else {
            events.finish(null, text);
        }
    }

    @Override
    public synchronized void notify(Notification notification) {
        if (over || !accepts.events()) {
            return;
        }
        EventStream events = stream == null ? open() : stream;
        if (events != null) {
            events.send(null, Encoder.encode(notification), EventStream.Weight.NOTIFICATION);
        }
    }

    @Override
    public void cancelled() {
        EventStream events;
        synchronized (this) {
            over = true;
            events = stream;
        }
        if (events == null) {
            visit.abort();
        } else {
            events.finish();
        }
    }

    /** A modern client is asked by the result of its request, never by a request of ours. */
    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout) {
        return new CallOutcome.NotSent("A modern client takes no requests");
    }

    private @Nullable EventStream open() {
        stream = visit.stream(_ -> {});
        return stream;
    }

    private int status(Response response) {
        return switch (response) {
            case Success _ -> 200;
            case Failure(_, RpcError error) ->
                    switch (error.code()) {
                        // The same code of a server behind us does not mean that we lack the
                        // method.
                        case RpcError.METHOD_NOT_FOUND -> isKnown ? 200 : 404;
                        case Codes.HEADER_MISMATCH,
                                Codes.MISSING_CLIENT_CAPABILITY,
                                Codes.UNSUPPORTED_PROTOCOL_VERSION ->
                                400;
                        default -> 200;
                    };
        };
    }
}
