package dev.patchbay.server;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens sessions with one server, and reports the end of each. */
final class SessionOpener {
    private final Supplier<ServerSpec> spec;
    private final TransportOpenLimiter openLimiter;
    private final Supervisor.Dependencies dependencies;
    private final ServerEventListener listener;
    private final Consumer<JsonRpcServerSession> onEnded;

    SessionOpener(
            Supplier<ServerSpec> spec,
            Supervisor.Dependencies dependencies,
            ServerEventListener listener,
            Consumer<JsonRpcServerSession> onEnded) {
        this.spec = spec;
        this.openLimiter = new TransportOpenLimiter(dependencies.transportFactory());
        this.dependencies = dependencies;
        this.listener = listener;
        this.onEnded = onEnded;
    }

    /** Opens the server and begins to read from it. Sends nothing. */
    JsonRpcServerSession open() throws IOException {
        ServerSpec current = spec.get();
        var options =
                new SessionOptions(
                        listener,
                        QuestionPolicy.of(current),
                        dependencies.callsMax(),
                        dependencies.ticker());
        return JsonRpcServerSession.start(
                current.id(), openLimiter.open(current), options, onEnded);
    }

    /** Reports the end of a session that has ended without a report that was heard. */
    void reportEnd(JsonRpcServerSession session) {
        onEnded.accept(session);
    }
}
