package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.FrameSender;
import dev.patchbay.jsonrpc.InboundRequests;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.OutboundCalls;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One legacy session: who it belongs to, its requests at work, our calls to it, its streams. */
final class LegacyHttpSession implements FrameSender {
    private static final int STREAMS_MAX = 64;
    private static final long FINISHED_STREAM_NANOS_MAX = Duration.ofMinutes(2).toNanos();

    /** How long a question waits for a client without a connection, which may come back. */
    private static final long DISCONNECTED_NANOS_MAX = Duration.ofSeconds(30).toNanos();

    private final String id;
    private final String principal;
    private final HandlerFactory.SessionHandler sessionHandler;
    private final ReplayMemoryBudget replayBudget;
    private final InboundRequests serving;
    private final OutboundCalls calls;
    private final ResumableStream serverStream;
    private final Map<Integer, ResumableStream> streams = new HashMap<>();
    private int lastStreamNumber;
    private volatile ProtocolVersion version = ProtocolVersion.V2025_03_26;
    private volatile boolean isUsed;
    private volatile long lastUseNanos = System.nanoTime();

    /** When a question was first seen to wait for a client without a connection; zero if none. */
    private long disconnectedSinceNanos;

    LegacyHttpSession(
            String id,
            String principal,
            HandlerFactory doors,
            int requestsMax,
            ReplayMemoryBudget budget) {
        this.id = id;
        this.principal = principal;
        this.replayBudget = budget;
        serverStream = new ResumableStream(0, budget);
        sessionHandler = doors.newLegacyHandler(principal, this::sendUnsolicited);
        serving = new InboundRequests(sessionHandler.handler(), requestsMax);
        // Whoever calls tells the client himself, over the stream of his call.
        calls = new OutboundCalls(this, (_, _) -> {}, Ticker.system());
    }

    String id() {
        return id;
    }

    String principal() {
        return principal;
    }

    boolean belongsTo(String other) {
        return principal.equals(other);
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

    void setVersion(ProtocolVersion agreed) {
        version = agreed;
    }

    /** Notes that the client is alive. */
    void markUsed() {
        lastUseNanos = System.nanoTime();
        isUsed = true;
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
        if (calls.pendingCount() == 0 || hasConnection()) {
            disconnectedSinceNanos = 0;
        } else if (disconnectedSinceNanos == 0) {
            disconnectedSinceNanos = now | 1;
        } else if (now - disconnectedSinceNanos > DISCONNECTED_NANOS_MAX) {
            disconnectedSinceNanos = 0;
            calls.failPending("The client has no connection");
        }
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
