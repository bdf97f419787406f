package dev.patchbay.http;

import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.Calls;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Outlet;
import dev.patchbay.jsonrpc.Serving;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One legacy session: who it belongs to, its requests at work, our calls to it, its streams. */
final class Session implements Outlet {
    private static final int STREAMS_KEPT_MAX = 64;
    private static final long STREAM_KEPT_NANOS = Duration.ofMinutes(2).toNanos();

    private final String id;
    private final String principal;
    private final Doors.Session door;
    private final EventBudget budget;
    private final Serving serving;
    private final Calls calls;
    private final ResumableStream standing;
    private final Map<Integer, ResumableStream> streams = new HashMap<>();
    private int lastStream;
    private volatile ProtocolVersion version = ProtocolVersion.V2025_03_26;
    private volatile boolean used;
    private volatile long lastUse = System.nanoTime();

    Session(String id, String principal, Doors doors, int requestsMax, EventBudget budget) {
        this.id = id;
        this.principal = principal;
        this.budget = budget;
        standing = new ResumableStream(0, budget);
        door = doors.legacy(principal, this::unsolicited);
        serving = new Serving(door.handler(), requestsMax);
        // Whoever calls tells the client himself, over the stream of his call.
        calls = new Calls(this, (_, _) -> {});
    }

    String id() {
        return id;
    }

    boolean belongsTo(String other) {
        return principal.equals(other);
    }

    Handler handler() {
        return door.handler();
    }

    Serving serving() {
        return serving;
    }

    Calls calls() {
        return calls;
    }

    /** The stream for what belongs to no request. */
    ResumableStream standing() {
        return standing;
    }

    ProtocolVersion version() {
        return version;
    }

    void negotiated(ProtocolVersion agreed) {
        version = agreed;
    }

    /** Notes that the client is alive. */
    void touch() {
        lastUse = System.nanoTime();
        used = true;
    }

    /** Whether the client sent anything after its handshake. */
    boolean isUsed() {
        return used;
    }

    long idleNanos() {
        boolean busy = serving.size() > 0 || standing.isConnected();
        return busy ? 0 : System.nanoTime() - lastUse;
    }

    /** A new stream for what goes before the answer to a request. */
    ResumableStream newStream() {
        synchronized (streams) {
            if (streams.size() >= STREAMS_KEPT_MAX) {
                prune(0);
            }
            lastStream++;
            var stream = new ResumableStream(lastStream, budget);
            streams.put(lastStream, stream);
            return stream;
        }
    }

    /** The stream of that number, if it is still known. */
    @Nullable ResumableStream stream(int number) {
        if (number == 0) {
            return standing;
        }
        synchronized (streams) {
            return streams.get(number);
        }
    }

    /** Forgets streams that ended a while ago. */
    void prune() {
        synchronized (streams) {
            prune(STREAM_KEPT_NANOS);
        }
    }

    private void prune(long nanos) {
        streams.values()
                .removeIf(
                        stream -> {
                            boolean old = stream.isOverFor(nanos);
                            if (old) {
                                stream.forget();
                            }
                            return old;
                        });
    }

    /** Ends the session: nothing is answered any more, and what is at work is stopped. */
    void end() {
        serving.stop();
        calls.end("The session has ended");
        List<ResumableStream> open;
        synchronized (streams) {
            open = new ArrayList<>(streams.values());
            streams.clear();
        }
        open.add(standing);
        for (ResumableStream stream : open) {
            stream.finish(null);
            stream.forget();
        }
        door.end().run();
    }

    @Override
    public boolean trySend(JsonText frame, Duration patience) {
        return standing.send(frame, EventStream.Weight.REQUEST);
    }

    private void unsolicited(Notification notification) {
        standing.send(Encoder.encode(notification), EventStream.Weight.NOTIFICATION);
    }
}
