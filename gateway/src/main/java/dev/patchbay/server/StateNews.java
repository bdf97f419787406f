package dev.patchbay.server;

import static java.lang.System.Logger.Level.ERROR;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The changes of one server's state on their way to the listeners. They are noted where they happen
 * and told later, in their order: by one thread at a time, which holds no lock meanwhile.
 */
final class StateNews {
    private record Change(ServerState before, ServerState after) {}

    private final ServerId server;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final ArrayDeque<Change> untold = new ArrayDeque<>();
    private boolean telling;

    StateNews(ServerId server) {
        this.server = server;
    }

    void add(StateListener listener) {
        listeners.add(listener);
    }

    synchronized void note(ServerState before, ServerState after) {
        untold.add(new Change(before, after));
    }

    /** Tells what is noted, unless somebody is at it already. */
    void tell() {
        Change change = next(false);
        while (change != null) {
            for (StateListener listener : listeners) {
                try {
                    listener.changed(server, change.before, change.after);
                } catch (RuntimeException e) {
                    log().log(ERROR, "A listener of server " + server + " failed", e);
                }
            }
            change = next(true);
        }
    }

    private synchronized @Nullable Change next(boolean mine) {
        if (telling && !mine) {
            return null;
        }
        Change next = untold.poll();
        telling = next != null;
        return next;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(StateNews.class.getName());
    }
}
