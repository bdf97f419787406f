package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The calls of one link that wait for their answers, each with the one who waits for it. A server
 * that asks clients without saying for which call works for one client at a time.
 */
final class InFlightCalls {
    /** For so long a call waits for those of other clients; no client holds up another for more. */
    static final Duration TURN_WAIT_MAX = Duration.ofSeconds(5);

    private static final int TASK_CALLS_MAX = 1_000;

    private final ConcurrentMap<Long, InFlightCall> byId = new ConcurrentHashMap<>();

    /** Those that were let in while turns are taken. */
    private final Set<InFlightCall> admitted = ConcurrentHashMap.newKeySet();

    /** Calls that were answered with a task, whose progress may still be told. */
    private final Map<Long, InFlightCall> taskCalls =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, InFlightCall> eldest) {
                    return size() > TASK_CALLS_MAX;
                }
            };

    private volatile boolean turnsEnabled;

    /** From now on clients take turns: the server has asked, and did not say for which call. */
    void enableTurns() {
        turnsEnabled = true;
    }

    /** Lets a call in; false if it would have to wait for those of another client. */
    boolean tryAdmit(InFlightCall flight) {
        return !turnsEnabled || flight.hasNoListener() || admit(flight);
    }

    /** Lets a call in when no other client's is at work, or when its time to wait is over. */
    void admit(InFlightCall flight, Duration patience) throws InterruptedException {
        if (!turnsEnabled || flight.hasNoListener()) {
            return;
        }
        Duration most = patience.compareTo(TURN_WAIT_MAX) < 0 ? patience : TURN_WAIT_MAX;
        synchronized (this) {
            awaitTurn(flight, most);
            admitted.add(flight);
        }
    }

    private synchronized boolean admit(InFlightCall flight) {
        return isTurn(flight) && admitted.add(flight);
    }

    /** A call whose client was asked goes on, when no other client's is at work. */
    synchronized void resumeAfterInput(InFlightCall flight) {
        try {
            if (turnsEnabled) {
                awaitTurn(flight, TURN_WAIT_MAX);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        flight.endInputRequest();
        notifyAll();
    }

    private synchronized void awaitTurn(InFlightCall flight, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long left = patience.toNanos();
        while (left > 0 && !flight.hasEnded() && !isTurn(flight)) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
    }

    /** A call whose client is asked something is not at work, and people take their time. */
    private boolean isTurn(InFlightCall flight) {
        return Stream.concat(byId.values().stream(), admitted.stream())
                .allMatch(
                        other ->
                                other.hasNoListener()
                                        || other.isWaitingForClient()
                                        || other.client().equals(flight.client()));
    }

    void register(long id, InFlightCall flight) {
        flight.assignId(id);
        byId.put(id, flight);
    }

    /** Ends a call. */
    void remove(InFlightCall flight) {
        byId.remove(flight.id(), flight);
        flight.end();
        if (turnsEnabled) {
            admitted.remove(flight);
            wakeWaiters();
        }
    }

    /** A call ended, or began to wait for its client. */
    synchronized void wakeWaiters() {
        notifyAll();
    }

    @Nullable InFlightCall find(long id) {
        return byId.get(id);
    }

    /** A call that was answered with a task: there may be progress of it for as long as that. */
    void keepForProgress(InFlightCall flight) {
        synchronized (taskCalls) {
            taskCalls.put(flight.id(), flight);
        }
    }

    /** The call whose progress is told, in flight or not. */
    @Nullable InFlightCall findForProgress(long id) {
        InFlightCall flight = byId.get(id);
        if (flight == null) {
            synchronized (taskCalls) {
                flight = taskCalls.get(id);
            }
        }
        return flight;
    }

    /** The call that waits for a task; null if none does. */
    @Nullable InFlightCall findByTask(String task) {
        return byId.values().stream()
                .filter(flight -> task.equals(flight.taskId()))
                .findFirst()
                .orElse(null);
    }

    int size() {
        return byId.size();
    }

    /** The calls in flight that somebody listens to, oldest first. */
    List<InFlightCall> withListener() {
        return byId.values().stream()
                .filter(flight -> !flight.hasNoListener())
                .sorted(Comparator.comparingLong(InFlightCall::id))
                .toList();
    }
}
