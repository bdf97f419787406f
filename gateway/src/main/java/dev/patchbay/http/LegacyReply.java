package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Outlet;
import dev.patchbay.jsonrpc.Reply;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The answer to what a legacy client posted: JSON, or a stream of events if something goes before
 * it. What cannot go there goes to the standing stream of the session, if the client has opened it.
 */
final class LegacyReply implements Reply, Outlet {
    static final long RETRY_MILLIS = 1_000;

    private final Session session;
    private final Visit visit;
    private final Accepts accepts;
    private @Nullable ResumableStream stream;
    private boolean over;

    LegacyReply(Session session, Visit visit, Accepts accepts) {
        this.session = session;
        this.visit = visit;
        this.accepts = accepts;
    }

    /** Whether the client knows events without data. */
    static boolean isPrimed(Session session) {
        return session.version().isAtLeast(ProtocolVersion.V2025_11_25);
    }

    @Override
    public void answer(Response response) {
        finish(List.of(response), Encoder.answer(response));
    }

    /** Answers several requests at once, or none: in one array, or in an event for each. */
    void answerAll(List<Response> responses) {
        if (responses.isEmpty()) {
            cancelled();
            return;
        }
        var writer = new JsonWriter().beginArray();
        responses.forEach(response -> writer.value(Encoder.encode(response).toJson()));
        finish(responses, writer.endArray().toText());
    }

    private synchronized void finish(List<Response> responses, JsonText asJson) {
        over = true;
        if (stream == null && accepts.json()) {
            visit.json(200, asJson);
            return;
        }
        ResumableStream events = stream == null ? open() : stream;
        for (Response response : responses.subList(0, responses.size() - 1)) {
            events.send(Encoder.encode(response), EventStream.Weight.ANSWER);
        }
        events.finish(Encoder.encode(responses.getLast()));
    }

    @Override
    public synchronized void cancelled() {
        over = true;
        if (stream == null) {
            visit.empty(202);
        } else {
            stream.finish(null);
        }
    }

    @Override
    public void notify(Notification notification) {
        send(Encoder.encode(notification), EventStream.Weight.NOTIFICATION);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        var asked = new AskedId(params);
        try {
            CallOutcome outcome = session.calls().call(this, method, asked, timeout);
            if (outcome instanceof CallOutcome.TimedOut) {
                tellGivenUp(asked.id, "No answer in time");
            }
            return outcome;
        } catch (InterruptedException e) {
            tellGivenUp(asked.id, "Cancelled");
            throw e;
        }
    }

    @Override
    public boolean trySend(JsonText frame, Duration patience) {
        return send(frame, EventStream.Weight.REQUEST);
    }

    private synchronized boolean send(JsonText text, EventStream.Weight weight) {
        if (over || !accepts.events()) {
            return session.standing().send(text, weight);
        }
        ResumableStream events = stream == null ? open() : stream;
        return events.send(text, weight);
    }

    private ResumableStream open() {
        ResumableStream opened = session.newStream();
        stream = opened;
        EventStream events = visit.stream(opened);
        if (events != null) {
            opened.connect(events, RETRY_MILLIS, isPrimed(session));
        }
        return opened;
    }

    private void tellGivenUp(long id, String why) {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("requestId", id)
                        .member("reason", why)
                        .endObject()
                        .toJson();
        notify(new Notification("notifications/cancelled", params));
    }

    /** Notes the id that a call gets. */
    private static final class AskedId implements LongFunction<@Nullable Json> {
        private final LongFunction<@Nullable Json> params;
        private volatile long id;

        AskedId(LongFunction<@Nullable Json> params) {
            this.params = params;
        }

        @Override
        public @Nullable Json apply(long given) {
            id = given;
            return params.apply(given);
        }
    }
}
