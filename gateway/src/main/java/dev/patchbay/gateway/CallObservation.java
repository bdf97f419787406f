package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports requests to the observers of a gateway. Without an observer, a request costs one read of
 * a field.
 */
final class CallObservation {
    private volatile @Nullable CallObserver observer;

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

    /** Starts to observe a request; null if there is no observer. */
    @Nullable ObservedCall begin(String method, CallContext context) {
        CallObserver by = observer;
        return by == null ? null : new ObservedCall(by, method, context);
    }

    /** An observed request. Its end is reported exactly once. */
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

        /** Reports the end with a result; null if the caller no longer waited. */
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
