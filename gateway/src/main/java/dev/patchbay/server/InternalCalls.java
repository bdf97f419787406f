package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.OutboundCalls;

import java.time.Duration;
import java.util.function.LongConsumer;

/** Requests that a session sends for itself. They take no permits from the calls of clients. */
record InternalCalls(JsonRpcServerSession session) implements ChangeSubscriptions.RequestSender {
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public CallOutcome call(
            String method, Json params, CallOptions options, LongConsumer onIdAssigned)
            throws InterruptedException {
        Json withMeta = session.withMeta(params, options, 0);
        return session.sendAndWait(
                method,
                id -> {
                    onIdAssigned.accept(id);
                    return withMeta;
                },
                options.timeout());
    }

    CallOutcome call(String method, Json params, Duration timeout) throws InterruptedException {
        return call(method, params, CallOptions.internal(timeout), _ -> {});
    }

    /** Sends a ping, if it can be sent at once. Does not wait. */
    void ping(Runnable onOutcome) {
        var request = new OutboundCalls.CallRequest("ping", _ -> null, PING_TIMEOUT);
        session.trySend(request, _ -> onOutcome.run());
    }

    @Override
    public boolean isOpen() {
        return session.isOpen();
    }
}
