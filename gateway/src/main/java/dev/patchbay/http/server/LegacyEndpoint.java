package dev.patchbay.http.server;

import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.BatchResponseSink;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.ResponseSink;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

/** Handles messages of legacy sessions; opens and ends sessions. */
final class LegacyEndpoint {
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final LegacyHttpSessionRegistry sessions;
    private final ReplayMemoryBudget replayBudget;
    private final int requestsMax;

    LegacyEndpoint(LegacyHttpSessionRegistry sessions, int requestsMax) {
        this.sessions = sessions;
        this.requestsMax = requestsMax;
        this.replayBudget = new ReplayMemoryBudget(ReplayMemoryBudget.STORED_BYTES_MAX);
    }

    void handleRequest(McpHttpRequest posting, Request request) {
        boolean opens = request.method().equals(McpMethod.INITIALIZE.wireName());
        if (opens && posting.sessionId() == null) {
            openSession(posting, request);
            return;
        }
        LegacyHttpSession session = requireSession(posting, request.id());
        if (session == null) {
            return;
        }
        noteLogLevel(session, request);
        LegacyResponseSink sink = newSink(session, posting);
        if (!session.serving().tryStart(request, sink)) {
            // The session has too many requests in progress: wait for one of them to end.
            posting.exchange().runOnVirtualThread(() -> session.serving().start(request, sink));
        }
    }

    /** A session that is continued by another process keeps its log level. */
    private void noteLogLevel(LegacyHttpSession session, Request request) {
        Json params = request.params();
        String level = params == null ? null : params.memberText("level");
        if (level != null && request.method().equals(McpMethod.SET_LEVEL.wireName())) {
            session.rememberLogLevel(level);
            sessions.saveInBackground(session);
        }
    }

    void handleNotification(McpHttpRequest posting, Notification notification) {
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.serving().handleNotification(notification, newSink(session, posting));
            posting.exchange().respondEmpty(202);
        }
    }

    void handleResponse(McpHttpRequest posting, Response response) {
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.calls().complete(response);
            posting.exchange().respondEmpty(202);
        }
    }

    void handleBadResponse(McpHttpRequest posting, BadResponse response) {
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session != null) {
            session.calls().complete(response);
            posting.refuse(400, "Invalid request: a response, but " + response.reason());
        }
    }

    void handleBatch(McpHttpRequest posting, Batch batch) {
        if (posting.sessionId() == null
                || batch.items().stream().anyMatch(LegacyEndpoint::isModern)) {
            posting.refuse(400, "Invalid request: batches are not served");
            return;
        }
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session == null) {
            return;
        }
        if (!session.handler().acceptsBatches()) {
            posting.refuse(400, "Invalid request: batches are not served");
            return;
        }
        LegacyResponseSink reply = newSink(session, posting);
        new BatchResponseSink(reply, reply::answerBatch)
                .start(batch.items(), (item, way) -> handleBatchItem(session, item, way));
    }

    private static boolean isModern(DecodedFrame item) {
        return item instanceof Request request
                && McpHeaders.claimedVersion(request.params()) != null;
    }

    private static void handleBatchItem(
            LegacyHttpSession session, DecodedFrame item, ResponseSink reply) {
        switch (item) {
            case Request request -> session.serving().start(request, reply);
            case Notification notification ->
                    session.serving().handleNotification(notification, reply);
            case Response response -> session.calls().complete(response);
            case BadResponse response -> session.calls().complete(response);
            case Malformed(RequestId id, RpcError error) -> reply.respond(new Failure(id, error));
            case Batch _ -> {
                var error = RpcError.of(RpcError.INVALID_REQUEST, "Invalid request: not an object");
                reply.respond(new Failure(RequestId.UNKNOWN, error));
            }
        }
    }

    /** Opens the stream for unsolicited messages, or resumes a stream. */
    void openStream(McpHttpRequest posting) {
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session == null) {
            return;
        }
        String last = posting.exchange().header(LAST_EVENT_ID);
        if (last != null && resumeStream(posting, session, last)) {
            return;
        }
        if (session.serverStream().isConnected()) {
            posting.refuse(409, "The session has its stream already");
        } else {
            ResumableStream standing = session.serverStream();
            SseWriter events = posting.exchange().stream(standing);
            if (events != null) {
                standing.connect(
                        events,
                        LegacyResponseSink.retryMillis(posting.exchange()),
                        LegacyResponseSink.supportsPrimingEvent(session));
                events.sendKeepAlive();
            }
        }
    }

    /**
     * Takes up a stream after an event. An event that this session never sent, as of a session
     * before, cannot be taken up; the client then gets the stream as it is from now on, because a
     * client that repeats its last event would never get another.
     *
     * @return whether the request was answered
     */
    private static boolean resumeStream(
            McpHttpRequest posting, LegacyHttpSession session, String last) {
        int dash = last.indexOf('-');
        int number = dash < 0 ? -1 : parseNumber(last.substring(0, dash));
        int event = dash < 0 ? -1 : parseNumber(last.substring(dash + 1));
        ResumableStream stream = number < 0 || event < 0 ? null : session.stream(number);
        if (stream == null || !stream.canResumeAfter(event)) {
            if (!session.hasIssued(number)) {
                return false;
            }
            posting.refuse(400, "The event is not known any more");
            return true;
        }
        SseWriter events = posting.exchange().stream(stream);
        if (events != null && stream.resume(events, event)) {
            events.sendKeepAlive();
        } else if (events != null) {
            events.finish();
        }
        return true;
    }

    private static int parseNumber(String digits) {
        boolean right =
                !digits.isEmpty()
                        && digits.length() < 10
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return right ? Integer.parseInt(digits) : -1;
    }

    /** Ends a session on request of its client. */
    void deleteSession(McpHttpRequest posting) {
        LegacyHttpSession session = requireSession(posting, RequestId.UNKNOWN);
        if (session != null) {
            sessions.end(session);
            posting.exchange().respondEmpty(204);
        }
    }

    private void openSession(McpHttpRequest posting, Request request) {
        var session =
                new LegacyHttpSession(
                        sessions.newId(), posting.client(), requestsMax, replayBudget);
        Json params = request.params();
        session.rememberHandshake(params == null ? Json.EMPTY_OBJECT : params);
        session.serving().start(request, new InitializeResponseSink(session, sessions, posting));
    }

    private static LegacyResponseSink newSink(LegacyHttpSession session, McpHttpRequest posting) {
        return new LegacyResponseSink(session, posting.exchange(), posting.acceptHeader());
    }

    /** The session of a message; null if there is none, in which case an error was sent. */
    private @Nullable LegacyHttpSession requireSession(McpHttpRequest posting, RequestId id) {
        String version = posting.protocolVersion();
        String sessionId = posting.sessionId();
        if (version != null && !isLegacy(version)) {
            refuse(posting, 400, id, "Unsupported " + McpHeaders.PROTOCOL_VERSION);
            return null;
        }
        if (sessionId == null || posting.exchange().headerCount(McpHeaders.SESSION_ID) > 1) {
            refuse(posting, 400, id, "Invalid request: " + McpHeaders.SESSION_ID + " is missing");
            return null;
        }
        LegacyHttpSession session = sessions.find(sessionId, posting.client());
        if (session == null) {
            session = restoreSession(sessionId, posting.client());
        }
        if (session == null) {
            refuse(posting, 404, id, "Session not found");
            return null;
        }
        if (session.markUsed()) {
            sessions.saveInBackground(session);
        }
        return session;
    }

    /** Continues a session that another process has opened; null if there is none. */
    private @Nullable LegacyHttpSession restoreSession(String id, EndpointClient client) {
        StoredSession stored = sessions.findStored(id, client);
        if (stored == null) {
            return null;
        }
        var session = new LegacyHttpSession(id, client, requestsMax, replayBudget);
        LegacyHttpSession added = session.restore(stored) ? sessions.addRestored(session) : null;
        if (added == null || !added.equals(session)) {
            session.end(); // another request was first
        }
        return added;
    }

    private static void refuse(McpHttpRequest posting, int status, RequestId id, String why) {
        posting.exchange().refuse(status, id, RpcError.of(RpcError.INVALID_REQUEST, why));
    }

    private static boolean isLegacy(String version) {
        return ProtocolVersion.of(version).filter(v -> v.era() == Era.LEGACY).isPresent();
    }
}
