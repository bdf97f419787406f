package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.Reply;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.LongFunction;

/** The answer to a handshake: if it succeeds, there is a session, and the client gets its id. */
final class Opening implements Reply {
    private final Session session;
    private final Sessions sessions;
    private final Posting posting;
    private final LegacyReply reply;

    Opening(Session session, Sessions sessions, Posting posting) {
        this.session = session;
        this.sessions = sessions;
        this.posting = posting;
        this.reply = new LegacyReply(session, posting.visit(), posting.accepts());
    }

    @Override
    public void answer(Response response) {
        switch (response) {
            case Success(_, Json result) -> open(response, result);
            case Failure _ -> {
                session.end();
                reply.answer(response);
            }
        }
    }

    private void open(Response response, Json result) {
        String version = result.memberText("protocolVersion");
        if (version != null) {
            ProtocolVersion.of(version).ifPresent(session::negotiated);
        }
        if (sessions.add(session)) {
            posting.visit().setHeader(Posting.SESSION, session.id());
            reply.answer(response);
        } else {
            session.end();
            var error = RpcError.of(RpcError.INTERNAL_ERROR, "Too many sessions", "OVERLOADED");
            posting.visit().refuse(503, response.id(), error);
        }
    }

    @Override
    public void cancelled() {
        session.end();
        reply.cancelled();
    }

    /** Nothing goes before the answer to a handshake. */
    @Override
    public void notify(Notification notification) {}

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout) {
        return new CallOutcome.NotSent("The session is not open yet");
    }
}
