package dev.patchbay.http;

import dev.patchbay.jsonrpc.BatchReply;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Inbound.BadResponse;
import dev.patchbay.jsonrpc.Inbound.Batch;
import dev.patchbay.jsonrpc.Inbound.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Reply;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/** Takes messages that belong to a legacy session, and opens and ends sessions. */
final class LegacyDoor {
    private static final String EVENT_ID = "Last-Event-ID";

    private final Doors doors;
    private final Sessions sessions;
    private final EventBudget budget;
    private final int requestsMax;

    LegacyDoor(Doors doors, Sessions sessions, int requestsMax) {
        this.doors = doors;
        this.sessions = sessions;
        this.requestsMax = requestsMax;
        this.budget = new EventBudget(EventBudget.KEPT_BYTES_MAX);
    }

    void request(Posting posting, Request request) {
        boolean opens = request.method().equals(Method.INITIALIZE.wireName());
        if (opens && posting.sessionId() == null) {
            initialize(posting, request);
            return;
        }
        Session session = session(posting, request.id());
        if (session != null) {
            session.serving().run(request, reply(session, posting));
        }
    }

    /** Passes a call on without waiting; false if that cannot be done, and nothing was done. */
    boolean pass(Posting posting, Request request) {
        Session session = session(posting, request.id());
        return session == null || session.serving().pass(request, reply(session, posting));
    }

    void notification(Posting posting, Notification notification) {
        Session session = session(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.serving().notice(notification, reply(session, posting));
            posting.visit().empty(202);
        }
    }

    void response(Posting posting, Response response) {
        Session session = session(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.calls().settle(response);
            posting.visit().empty(202);
        }
    }

    void badResponse(Posting posting, BadResponse response) {
        Session session = session(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.calls().settle(response);
            posting.refuse(400, "Invalid request: a response, but " + response.why());
        }
    }

    void batch(Posting posting, Batch batch) {
        if (posting.sessionId() == null || batch.items().stream().anyMatch(LegacyDoor::isModern)) {
            posting.refuse(400, "Invalid request: batches are not served");
            return;
        }
        Session session = session(posting, RequestId.UNKNOWN);
        if (session == null) {
            return;
        }
        if (!session.handler().acceptsBatches()) {
            posting.refuse(400, "Invalid request: batches are not served");
            return;
        }
        LegacyReply reply = reply(session, posting);
        new BatchReply(reply, reply::answerAll)
                .start(batch.items(), (item, way) -> take(session, item, way));
    }

    private static boolean isModern(Inbound item) {
        return item instanceof Request request && Posting.claim(request.params()) != null;
    }

    private static void take(Session session, Inbound item, Reply reply) {
        switch (item) {
            case Request request -> session.serving().start(request, reply);
            case Notification notification -> session.serving().notice(notification, reply);
            case Response response -> session.calls().settle(response);
            case BadResponse response -> session.calls().settle(response);
            case Malformed(RequestId id, RpcError error) -> reply.answer(new Failure(id, error));
            case Batch _ -> {
                var error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: not an object");
                reply.answer(new Failure(RequestId.UNKNOWN, error));
            }
        }
    }

    /** Opens the stream for what belongs to no request, or takes up a stream that broke. */
    void listen(Posting posting) {
        Session session = session(posting, RequestId.UNKNOWN);
        if (session == null) {
            return;
        }
        String last = posting.visit().header(EVENT_ID);
        if (last != null) {
            resume(posting, session, last);
        } else if (session.standing().isConnected()) {
            posting.refuse(409, "The session has its stream already");
        } else {
            ResumableStream standing = session.standing();
            EventStream events = posting.visit().stream(standing);
            if (events != null) {
                standing.connect(events, LegacyReply.RETRY_MILLIS, LegacyReply.isPrimed(session));
                events.show();
            }
        }
    }

    private static void resume(Posting posting, Session session, String last) {
        int dash = last.indexOf('-');
        int number = dash < 0 ? -1 : number(last.substring(0, dash));
        int event = dash < 0 ? -1 : number(last.substring(dash + 1));
        ResumableStream stream = number < 0 || event < 0 ? null : session.stream(number);
        if (stream == null || !stream.knows(event)) {
            posting.refuse(400, "The event is not known any more");
            return;
        }
        EventStream events = posting.visit().stream(stream);
        if (events != null && stream.resume(events, event)) {
            events.show();
        } else if (events != null) {
            events.finish();
        }
    }

    private static int number(String digits) {
        boolean right =
                !digits.isEmpty()
                        && digits.length() < 10
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return right ? Integer.parseInt(digits) : -1;
    }

    /** Ends a session as its client asks. */
    void delete(Posting posting) {
        Session session = session(posting, RequestId.UNKNOWN);
        if (session != null) {
            sessions.end(session);
            posting.visit().empty(204);
        }
    }

    private void initialize(Posting posting, Request request) {
        var session =
                new Session(sessions.newId(), posting.principal(), doors, requestsMax, budget);
        session.serving().run(request, new Opening(session, sessions, posting));
    }

    private static LegacyReply reply(Session session, Posting posting) {
        return new LegacyReply(session, posting.visit(), posting.accepts());
    }

    /** The session of a message; null if there is none, and then that was the answer. */
    private @Nullable Session session(Posting posting, RequestId id) {
        String version = posting.version();
        String sessionId = posting.sessionId();
        if (version != null && !isLegacy(version)) {
            refuse(posting, 400, id, "Unsupported " + ModernHeaders.VERSION);
            return null;
        }
        if (sessionId == null || posting.visit().count(Posting.SESSION) > 1) {
            refuse(posting, 400, id, "Invalid request: " + Posting.SESSION + " is missing");
            return null;
        }
        Session session = sessions.find(sessionId, posting.principal());
        if (session == null) {
            refuse(posting, 404, id, "Session not found");
            return null;
        }
        session.touch();
        return session;
    }

    private static void refuse(Posting posting, int status, RequestId id, String why) {
        posting.visit().refuse(status, id, RpcError.of(RpcError.INVALID_REQUEST, why));
    }

    private static boolean isLegacy(String version) {
        return ProtocolVersion.of(version).filter(v -> v.era() == Era.LEGACY).isPresent();
    }
}
