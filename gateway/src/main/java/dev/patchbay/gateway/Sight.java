package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the observer of a gateway sees. Without one, a request pays for one look at a field. */
final class Sight {
    private volatile @Nullable CallObserver observer;

    void observe(CallObserver by) {
        observer = by;
    }

    /** Begins to look at a request; null if nobody wants to see it. */
    @Nullable Sighting begin(String method, String client) {
        CallObserver by = observer;
        return by == null ? null : new Sighting(by, method, client);
    }

    /** A request that somebody looks at. Its end is told once, the first that is known. */
    static final class Sighting {
        private final CallObserver observer;
        private final String method;
        private final String client;
        private final long beganNanos = System.nanoTime();
        private final AtomicBoolean told = new AtomicBoolean();

        private Sighting(CallObserver observer, String method, String client) {
            this.observer = observer;
            this.method = method;
            this.client = client;
        }

        /** It ended with that reply; with none if nobody waited any more. */
        void ended(@Nullable ServerId server, String target, Json params, @Nullable Reply reply) {
            if (!told.compareAndSet(false, true)) {
                return;
            }
            var call =
                    new CallObserver.Call(
                            server,
                            method,
                            target,
                            client,
                            params,
                            reply,
                            beganNanos,
                            System.nanoTime());
            try {
                observer.ended(call);
            } catch (RuntimeException e) {
                System.getLogger(Sight.class.getName()).log(Level.ERROR, "The observer failed", e);
            }
        }
    }
}
