package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.FrameSender;
import dev.patchbay.jsonrpc.InboundRequests;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.OutboundCalls;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.ResponseSink;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;

/** One legacy session: who it belongs to, its requests at work, our calls to it, its streams. */
final class LegacyHttpSession implements FrameSender {
    private static final int STREAMS_MAX = 64;
    private static final int RESTORED_MAX = 900_000_000;
    private static final long SAVE_INTERVAL_NANOS = Duration.ofHours(1).toNanos();
    private static final RequestId RESTORE_ID =
            Objects.requireNonNull(RequestId.of(Json.string("patchbay-restore")));
    private static final long FINISHED_STREAM_NANOS_MAX = Duration.ofMinutes(2).toNanos();

    private final String id;
    private final EndpointClient client;
    private final HandlerFactory.SessionHandler sessionHandler;
    private final ReplayMemoryBudget replayBudget;
    private final InboundRequests serving;
    private final OutboundCalls calls;
    private final QuestionExpiry questionExpiry;
    private final ResumableStream serverStream;
    private final Map<Integer, ResumableStream> streams = new HashMap<>();
    private int lastStreamNumber;
    private final Object fileLock = new Object();
    private volatile ProtocolVersion version = ProtocolVersion.V2025_03_26;
    private volatile @Nullable StoredSession storedForm;
    private volatile boolean isUsed;
    private volatile long lastUseNanos = System.nanoTime();
    private volatile long lastSaveNanos;
    private boolean isDeleted;

    LegacyHttpSession(
            String id, EndpointClient client, int requestsMax, ReplayMemoryBudget budget) {
        this.id = id;
        this.client = client;
        this.replayBudget = budget;
        serverStream = new ResumableStream(0, budget);
        sessionHandler =
                client.handlers().newLegacyHandler(client.principal(), id, this::sendUnsolicited);
        serving = new InboundRequests(sessionHandler.handler(), requestsMax);
        // Whoever calls tells the client himself, over the stream of his call.
        calls = new OutboundCalls(this, (_, _) -> {}, Ticker.system());
        questionExpiry = new QuestionExpiry(calls, this::hasConnection);
    }

    String id() {
        return id;
    }

    String principal() {
        return client.principal();
    }

    /** Whether it was opened by this principal and for this view. */
    boolean belongsTo(EndpointClient other) {
        return client.hasSameAccessAs(other);
    }

    RpcHandler handler() {
        return sessionHandler.handler();
    }

    InboundRequests serving() {
        return serving;
    }

    OutboundCalls calls() {
        return calls;
    }

    /** The stream for what belongs to no request. */
    ResumableStream serverStream() {
        return serverStream;
    }

    ProtocolVersion version() {
        return version;
    }

    /** Notes the version of the result of a handshake. */
    void agreeOn(@Nullable String agreed) {
        if (agreed != null) {
            ProtocolVersion.of(agreed).ifPresent(it -> version = it);
        }
    }

    /** Notes what the client said of itself in the handshake. */
    void rememberHandshake(Json params) {
        storedForm = new StoredSession(client.principal(), client.view(), params.detached(), null);
    }

    /** Notes which log messages the client wants. */
    void rememberLogLevel(String level) {
        StoredSession known = storedForm;
        if (known != null) {
            storedForm = known.withLogLevel(level);
        }
    }

    /** Repeats the handshake of a session that another process has opened; whether it succeeds. */
    boolean restore(StoredSession stored) {
        storedForm = stored;
        synchronized (streams) {
            // So that an event of the other process is not taken for one of this session.
            lastStreamNumber = ThreadLocalRandom.current().nextInt(STREAMS_MAX, RESTORED_MAX);
        }
        var sink = new RestoreSink();
        serving.start(
                new Request(RESTORE_ID, McpMethod.INITIALIZE.wireName(), stored.initializeParams()),
                sink);
        if (!sink.isSuccessful) {
            return false;
        }
        serving.handleNotification(new Notification("notifications/initialized", null), sink);
        if (stored.logLevel() != null) {
            Json level =
                    new JsonWriter()
                            .beginObject()
                            .member("level", stored.logLevel())
                            .endObject()
                            .toJson();
            serving.start(new Request(RESTORE_ID, McpMethod.SET_LEVEL.wireName(), level), sink);
        }
        return true;
    }

    /** Takes the responses to what the gateway itself sends to restore a session. */
    private final class RestoreSink implements ResponseSink {
        private volatile boolean isSuccessful;

        @Override
        public void respond(Response response) {
            if (response instanceof Success(_, Json result)) {
                isSuccessful = true;
                agreeOn(result.memberText("protocolVersion"));
            }
        }

        @Override
        public void sendNotification(Notification notification) {}

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout) {
            return new CallOutcome.NotSent("The session is being restored");
        }
    }

    /** Stores the session for the next process, unless it was ended by its client. */
    void save(LegacySessionStore store) {
        synchronized (fileLock) {
            StoredSession known = storedForm;
            if (known != null && !isDeleted) {
                lastSaveNanos = System.nanoTime();
                store.save(id, known);
            }
        }
    }

    void delete(LegacySessionStore store) {
        synchronized (fileLock) {
            isDeleted = true;
            store.delete(id);
        }
    }

    /** Notes that the client is alive; whether the session should be stored now. */
    boolean markUsed() {
        long now = System.nanoTime();
        boolean isDue = !isUsed || now - lastSaveNanos > SAVE_INTERVAL_NANOS;
        lastUseNanos = now;
        if (isDue) {
            lastSaveNanos = now;
        }
        isUsed = true;
        return isDue;
    }

    /** Whether the client sent anything after its handshake. */
    boolean isUsed() {
        return isUsed;
    }

    long idleNanos() {
        boolean busy = serving.size() > 0 || serverStream.isConnected();
        return busy ? 0 : System.nanoTime() - lastUseNanos;
    }

    /** A new stream for what goes before the answer to a request. */
    ResumableStream newStream() {
        synchronized (streams) {
            if (streams.size() >= STREAMS_MAX) {
                pruneStreams(0);
            }
            lastStreamNumber++;
            var stream = new ResumableStream(lastStreamNumber, replayBudget);
            streams.put(lastStreamNumber, stream);
            return stream;
        }
    }

    /** Whether an event can be of a stream of this session. */
    boolean hasIssued(int streamNumber) {
        synchronized (streams) {
            return streamNumber > 0 && streamNumber <= lastStreamNumber;
        }
    }

    /** The stream of that number, if it is still known. */
    @Nullable ResumableStream stream(int number) {
        if (number == 0) {
            return serverStream;
        }
        synchronized (streams) {
            return streams.get(number);
        }
    }

    /** Ends the questions to a client that is gone. Called by one thread, a few times a second. */
    void expireQuestions(long now) {
        questionExpiry.expire(now);
    }

    private boolean hasConnection() {
        if (serverStream.isConnected()) {
            return true;
        }
        synchronized (streams) {
            return streams.values().stream().anyMatch(ResumableStream::isConnected);
        }
    }

    /** Forgets streams that ended a while ago. */
    void pruneStreams() {
        synchronized (streams) {
            pruneStreams(FINISHED_STREAM_NANOS_MAX);
        }
    }

    private void pruneStreams(long nanos) {
        streams.values()
                .removeIf(
                        stream -> {
                            boolean old = stream.isFinishedLongerThan(nanos);
                            if (old) {
                                stream.discardStored();
                            }
                            return old;
                        });
    }

    /** Ends the session: nothing is answered any more, and what is at work is stopped. */
    void end() {
        serving.stop();
        calls.close("The session has ended");
        List<ResumableStream> open;
        synchronized (streams) {
            open = new ArrayList<>(streams.values());
            streams.clear();
        }
        open.add(serverStream);
        for (ResumableStream stream : open) {
            stream.finish(null);
            stream.discardStored();
        }
        sessionHandler.onEnd().run();
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) {
        return serverStream.send(frame, SseWriter.EventKind.REQUEST);
    }

    private void sendUnsolicited(Notification notification) {
        serverStream.send(Encoder.encode(notification), SseWriter.EventKind.NOTIFICATION);
    }
}
