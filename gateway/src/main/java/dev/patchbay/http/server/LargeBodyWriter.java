package dev.patchbay.http.server;

import dev.patchbay.json.EncodedJson;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Writes a large body in pieces, without copying the whole. */
final class LargeBodyWriter extends IteratingCallback {
    static final int PIECE_BYTES_MAX = 64 * 1024;

    private final Response response;
    private final Callback completion;
    private final ArrayDeque<ByteBuffer> pending = new ArrayDeque<>();

    LargeBodyWriter(Response response, EncodedJson text, Callback end) {
        this.response = response;
        this.completion = end;
        for (ByteBuffer part : text.toBuffers()) {
            split(part, pending);
        }
    }

    /** Splits a buffer into pieces that are small enough for one write. */
    static void split(ByteBuffer part, ArrayDeque<ByteBuffer> target) {
        for (int at = part.position(); at < part.limit(); at += PIECE_BYTES_MAX) {
            int length = Math.min(PIECE_BYTES_MAX, part.limit() - at);
            target.add(part.slice(at, length));
        }
    }

    @Override
    protected Action process() {
        ByteBuffer next = pending.poll();
        if (next == null) {
            return Action.SUCCEEDED;
        }
        response.write(pending.isEmpty(), next, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        completion.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        completion.failed(cause);
    }
}
