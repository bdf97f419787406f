package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.text.LoggedFailure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The listeners of a gateway. A listener that fails does not affect the others. */
final class GatewayListeners implements EntryListener {

    private final List<GatewayListener> all = new CopyOnWriteArrayList<>();

    void add(GatewayListener listener) {
        all.add(listener);
    }

    void remove(GatewayListener listener) {
        all.remove(listener);
    }

    void publish(Consumer<GatewayListener> event) {
        for (GatewayListener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                log().log(ERROR, "A listener failed", new LoggedFailure(e));
            }
        }
    }

    @Override
    public void stateChanged(ServerId server, ServerState before, ServerState after) {
        publish(it -> it.stateChanged(server, before, after));
    }

    @Override
    public void notificationReceived(ServerId server, String method, Json params) {
        if (method.equals("notifications/elicitation/complete")) {
            publish(it -> it.elicitationCompleted(params));
        }
    }

    @Override
    public void logged(ServerId server, Json params) {
        publish(it -> it.logged(server, params));
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(GatewayListeners.class.getName());
    }
}
