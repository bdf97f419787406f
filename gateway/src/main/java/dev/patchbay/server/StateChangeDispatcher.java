package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Delivers changes of a server's state to the listeners. Changes are queued where they happen and
 * delivered in order, by one thread at a time, without a lock.
 */
final class StateChangeDispatcher {
    private record StateChange(ServerState before, ServerState after) {}

    private final ServerId server;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final ArrayDeque<StateChange> pending = new ArrayDeque<>();
    private boolean dispatching;

    StateChangeDispatcher(ServerId server) {
        this.server = server;
    }

    void addListener(StateListener listener) {
        listeners.add(listener);
    }

    synchronized void enqueue(ServerState before, ServerState after) {
        pending.add(new StateChange(before, after));
    }

    /** Delivers the queued changes, unless another thread does so. */
    void dispatch() {
        StateChange change = nextChange(false);
        while (change != null) {
            for (StateListener listener : listeners) {
                try {
                    listener.onStateChanged(server, change.before, change.after);
                } catch (RuntimeException e) {
                    log().log(
                                    ERROR,
                                    "A listener of server " + server + " failed",
                                    new LoggedFailure(e));
                }
            }
            change = nextChange(true);
        }
    }

    private synchronized @Nullable StateChange nextChange(boolean mine) {
        if (dispatching && !mine) {
            return null;
        }
        StateChange next = pending.poll();
        dispatching = next != null;
        return next;
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(StateChangeDispatcher.class.getName());
    }
}
