package dev.patchbay.http.server;

import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.ResponseSink;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.LongFunction;

/** The response to {@code initialize}: if it succeeds, a session is created and its id is sent. */
final class InitializeResponseSink implements ResponseSink {
    private final LegacyHttpSession session;
    private final LegacyHttpSessionRegistry sessions;
    private final McpHttpRequest httpRequest;
    private final LegacyResponseSink sink;

    InitializeResponseSink(
            LegacyHttpSession session, LegacyHttpSessionRegistry sessions, McpHttpRequest posting) {
        this.session = session;
        this.sessions = sessions;
        this.httpRequest = posting;
        this.sink = new LegacyResponseSink(session, posting.exchange(), posting.acceptHeader());
    }

    @Override
    public void respond(Response response) {
        switch (response) {
            case Success(_, Json result) -> openSession(response, result);
            case Failure _ -> {
                session.end();
                sink.respond(response);
            }
        }
    }

    private void openSession(Response response, Json result) {
        session.agreeOn(result.memberText("protocolVersion"));
        if (sessions.add(session)) {
            httpRequest.exchange().setHeader(McpHeaders.SESSION_ID, session.id());
            sink.respond(response);
        } else {
            session.end();
            var error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many sessions", "OVERLOADED");
            httpRequest.exchange().refuse(503, response.id(), error);
        }
    }

    @Override
    public void onCancelled() {
        session.end();
        sink.onCancelled();
    }

    /** No notification may precede the response. */
    @Override
    public void sendNotification(Notification notification) {}

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout) {
        return new CallOutcome.NotSent("The session is not open yet");
    }
}
