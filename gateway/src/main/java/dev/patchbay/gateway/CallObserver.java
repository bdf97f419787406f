package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.TraceContext.SpanIds;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

/**
 * Receives every request that concerned a server, after its end. It is called on the thread that
 * ends the request, which may read for many others, so it must be fast.
 */
public interface CallObserver {
    void callEnded(EndedCall call);

    /**
     * A request that has ended.
     *
     * @param server whom it concerned; null if that could not be told
     * @param target the tool, prompt or resource it was about, by the server's own name for it
     * @param client how the client calls itself; empty if it does not say
     * @param principal who the transport knows the client to be; empty if it does not know
     * @param params as they are passed on to the server, before what its era wants around them
     * @param result null if nobody waited for it any more
     * @param startedNanos by {@link System#nanoTime}
     * @param span the span of the request; null if it is not traced
     */
    record EndedCall(
            @Nullable ServerId server,
            String method,
            String target,
            String client,
            String principal,
            Json params,
            @Nullable CallResult result,
            long startedNanos,
            long endedNanos,
            @Nullable SpanIds span) {}
}
