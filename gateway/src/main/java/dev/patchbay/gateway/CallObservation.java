package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.TraceContext;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSession;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports requests to the observers and to the tracer of a gateway. Without them, a request costs
 * two reads of fields.
 */
final class CallObservation {
    private volatile @Nullable CallObserver observer;
    private volatile @Nullable RequestTracer tracer;

    synchronized void addObserver(CallObserver added) {
        CallObserver present = observer;
        observer = present == null ? added : new ObserverPair(present, added);
    }

    /** Two observers. A failure of the first does not keep the call from the second. */
    private record ObserverPair(CallObserver first, CallObserver second) implements CallObserver {
        @Override
        public void callEnded(EndedCall call) {
            try {
                first.callEnded(call);
            } finally {
                second.callEnded(call);
            }
        }
    }

    void setTracer(RequestTracer by) {
        tracer = by;
    }

    @Nullable RequestTracer tracer() {
        return tracer;
    }

    /** Starts to observe a request; null if there is neither an observer nor a tracer. */
    @Nullable ObservedCall begin(String method, CallContext context) {
        CallObserver by = observer;
        RequestTracer tracedBy = tracer;
        return by == null && tracedBy == null
                ? null
                : new ObservedCall(by, tracedBy, method, context);
    }

    /** An observed request. Its end is reported exactly once. */
    static final class ObservedCall {
        private final @Nullable CallObserver observer;
        private final @Nullable RequestTracer tracer;
        private final String method;
        private final CallContext context;
        private final long startedNanos = System.nanoTime();
        private final AtomicBoolean reported = new AtomicBoolean();

        /** The span of the request to the server; null before it is sent. */
        private RequestTracer.@Nullable TracedRequest span;

        private @Nullable ServerEntry target;

        private ObservedCall(
                @Nullable CallObserver observer,
                @Nullable RequestTracer tracer,
                String method,
                CallContext context) {
            this.observer = observer;
            this.tracer = tracer;
            this.method = method;
            this.context = context;
        }

        /** The params to send to a server: with the span of this request, if it is traced. */
        Json withSpan(Json params, ServerEntry server) {
            if (tracer == null) {
                return params;
            }
            if (span == null) {
                span =
                        tracer.beginSent(
                                new RequestTracer.SentRequest(method, params, server.spec()));
                target = server;
            }
            return span.addTo(params);
        }

        /** Reports the end with a result; null if the caller no longer waited. */
        void reportEnd(
                @Nullable ServerId server, String name, Json params, @Nullable CallResult reply) {
            if (!reported.compareAndSet(false, true)) {
                return;
            }
            if (span != null) {
                endSpan(span, RequestTracer.Ending.of(reply));
            }
            if (observer == null) {
                return;
            }
            var call =
                    new CallObserver.EndedCall(
                            server,
                            method,
                            name,
                            context.clientName(),
                            context.principal(),
                            params,
                            reply,
                            startedNanos,
                            System.nanoTime(),
                            spanIds(params));
            try {
                observer.callEnded(call);
            } catch (RuntimeException e) {
                System.getLogger(CallObservation.class.getName())
                        .log(Level.ERROR, "The observer failed", new LoggedFailure(e));
            }
        }

        /** A server that was not connected when the call began has a version by now. */
        private void endSpan(RequestTracer.TracedRequest traced, RequestTracer.Ending ending) {
            ServerEntry sentTo = target;
            ServerSession session =
                    sentTo == null ? null : sentTo.connections().currentSession(context.caller());
            if (session != null) {
                traced.setVersion(session.handshakeResult().version());
            }
            traced.end(ending);
        }

        /** The span of the request, or if nothing was sent, of the client's request. */
        private TraceContext.@Nullable SpanIds spanIds(Json params) {
            if (tracer == null) {
                return null;
            }
            if (span != null) {
                return span.ids();
            }
            TraceContext cause = TraceContext.in(params);
            return cause == null ? null : cause.recordedSpan();
        }
    }
}
