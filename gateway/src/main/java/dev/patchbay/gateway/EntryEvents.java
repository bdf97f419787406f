package dev.patchbay.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Forwards events of registered servers to the parts of the gateway, in order. */
final class EntryEvents {
    private final List<EntryListener> listeners = new CopyOnWriteArrayList<>();

    void add(EntryListener listener) {
        listeners.add(listener);
    }

    void publish(Consumer<EntryListener> event) {
        listeners.forEach(event);
    }
}
