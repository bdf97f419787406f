package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the observer of a gateway sees. Without one, a request pays for one look at a field. */
final class CallObservation {
    private volatile @Nullable CallObserver observer;

    void setObserver(CallObserver by) {
        observer = by;
    }

    /** Begins to look at a request; null if nobody wants to see it. */
    @Nullable ObservedCall begin(String method, CallContext context) {
        CallObserver by = observer;
        return by == null ? null : new ObservedCall(by, method, context);
    }

    /** A request that somebody looks at. Its end is told once, the first that is known. */
    static final class ObservedCall {
        private final CallObserver observer;
        private final String method;
        private final CallContext context;
        private final long startedNanos = System.nanoTime();
        private final AtomicBoolean reported = new AtomicBoolean();

        private ObservedCall(CallObserver observer, String method, CallContext context) {
            this.observer = observer;
            this.method = method;
            this.context = context;
        }

        /** It ended with that reply; with none if nobody waited any more. */
        void reportEnd(
                @Nullable ServerId server, String target, Json params, @Nullable CallResult reply) {
            if (!reported.compareAndSet(false, true)) {
                return;
            }
            var call =
                    new CallObserver.EndedCall(
                            server,
                            method,
                            target,
                            context.clientName(),
                            context.principal(),
                            params,
                            reply,
                            startedNanos,
                            System.nanoTime());
            try {
                observer.callEnded(call);
            } catch (RuntimeException e) {
                System.getLogger(CallObservation.class.getName())
                        .log(Level.ERROR, "The observer failed", new LoggedFailure(e));
            }
        }
    }
}
