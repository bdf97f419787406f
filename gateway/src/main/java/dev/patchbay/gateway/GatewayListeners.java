package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.text.LoggedFailure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The listeners of a gateway. Each hears of the servers that its view shows. A listener that fails
 * does not affect the others.
 */
final class GatewayListeners implements EntryListener {
    /** A listener, and the servers that it hears of. */
    private record Registration(GatewayListener listener, VisibleServers servers) {}

    private final List<Registration> all = new CopyOnWriteArrayList<>();

    void add(GatewayListener listener, VisibleServers servers) {
        all.add(new Registration(listener, servers));
    }

    void remove(GatewayListener listener) {
        all.removeIf(it -> it.listener.equals(listener));
    }

    /** Reports lists that have changed to the listeners of a view. */
    void publishChangedLists(List<String> lists, VisibleServers servers) {
        for (Registration it : all) {
            if (it.servers.equals(servers)) {
                lists.forEach(list -> publish(it.listener, to -> to.listChanged(list)));
            }
        }
    }

    private void publish(ServerId server, Consumer<GatewayListener> event) {
        for (Registration it : all) {
            if (it.servers.contains(server)) {
                publish(it.listener, event);
            }
        }
    }

    private static void publish(GatewayListener listener, Consumer<GatewayListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            log().log(ERROR, "A listener failed", new LoggedFailure(e));
        }
    }

    @Override
    public void stateChanged(ServerId server, ServerState before, ServerState after) {
        publish(server, it -> it.stateChanged(server, before, after));
    }

    @Override
    public void notificationReceived(ServerId server, String method, Json params) {
        if (method.equals("notifications/elicitation/complete")) {
            publish(server, it -> it.elicitationCompleted(params));
        }
    }

    @Override
    public void logged(ServerId server, Json params) {
        publish(server, it -> it.logged(server, params));
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(GatewayListeners.class.getName());
    }
}
