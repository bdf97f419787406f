package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The calls of one session that have no outcome yet. */
final class InFlightCalls {
    private static final int TASK_CALLS_MAX = 1_000;

    private final ConcurrentMap<Long, InFlightCall> byId = new ConcurrentHashMap<>();

    /** Calls whose result was a task, which may still report progress. */
    private final Map<Long, InFlightCall> taskCalls =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, InFlightCall> eldest) {
                    return size() > TASK_CALLS_MAX;
                }
            };

    void register(long id, InFlightCall call) {
        call.assignId(id);
        byId.put(id, call);
    }

    /**
     * Ends a call.
     *
     * @param isAnswered whether the server answered it
     */
    void remove(InFlightCall call, boolean isAnswered) {
        byId.remove(call.id(), call);
        call.end(isAnswered);
    }

    @Nullable InFlightCall find(long id) {
        return byId.get(id);
    }

    /** Keeps a call whose result was a task: there may be progress as long as the task runs. */
    void keepForProgress(InFlightCall call) {
        synchronized (taskCalls) {
            taskCalls.put(call.id(), call);
        }
    }

    /** The call whose progress is reported, in flight or not. */
    @Nullable InFlightCall findForProgress(long id) {
        InFlightCall call = byId.get(id);
        if (call == null) {
            synchronized (taskCalls) {
                call = taskCalls.get(id);
            }
        }
        return call;
    }

    /** The call that waits for a task; null if none does. */
    @Nullable InFlightCall findByTask(String task) {
        return byId.values().stream()
                .filter(call -> task.equals(call.taskId()))
                .findFirst()
                .orElse(null);
    }

    int size() {
        return byId.size();
    }

    /** The calls in flight that somebody listens to, oldest first. */
    List<InFlightCall> withListener() {
        return byId.values().stream()
                .filter(call -> !call.hasNoListener())
                .sorted(Comparator.comparingLong(InFlightCall::id))
                .toList();
    }
}
