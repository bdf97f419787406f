package dev.patchbay.http;

import dev.patchbay.json.JsonText;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** A large body on its way out, a piece at a time, without a copy of the whole. */
final class Pieces extends IteratingCallback {
    static final int PIECE_BYTES_MAX = 64 * 1024;

    private final Response response;
    private final Callback end;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();

    Pieces(Response response, JsonText text, Callback end) {
        this.response = response;
        this.end = end;
        for (ByteBuffer part : text.toBuffers()) {
            cut(part, waiting);
        }
    }

    /** Cuts a buffer into pieces, each small enough to be written at once. */
    static void cut(ByteBuffer part, ArrayDeque<ByteBuffer> target) {
        for (int at = part.position(); at < part.limit(); at += PIECE_BYTES_MAX) {
            int length = Math.min(PIECE_BYTES_MAX, part.limit() - at);
            target.add(part.slice(at, length));
        }
    }

    @Override
    protected Action process() {
        ByteBuffer next = waiting.poll();
        if (next == null) {
            return Action.SUCCEEDED;
        }
        response.write(waiting.isEmpty(), next, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        end.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        end.failed(cause);
    }
}
