package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.ERROR;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Those who listen to a gateway. One that fails costs the others nothing. */
final class GatewayListeners {

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
                log().log(ERROR, "A listener failed", e);
            }
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(GatewayListeners.class.getName());
    }
}
