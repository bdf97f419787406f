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
final class Flights {
    /** For so long a call waits for those of other clients; no client holds up another for more. */
    static final Duration TURN_TIME_MAX = Duration.ofSeconds(5);

    private static final int LASTING_MAX = 1_000;

    private final ConcurrentMap<Long, Flight> flights = new ConcurrentHashMap<>();

    /** Those that were let in while turns are taken. */
    private final Set<Flight> entered = ConcurrentHashMap.newKeySet();

    /** Calls that were answered with a task, whose progress may still be told. */
    private final Map<Long, Flight> lasting =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Flight> eldest) {
                    return size() > LASTING_MAX;
                }
            };

    private volatile boolean takesTurns;

    /** From now on clients take turns: the server has asked, and did not say for which call. */
    void takeTurns() {
        takesTurns = true;
    }

    /** Lets a call in; false if it would have to wait for those of another client. */
    boolean tryEnter(Flight flight) {
        return !takesTurns || flight.isSilent() || enter(flight);
    }

    /** Lets a call in when no other client's is at work, or when its time to wait is over. */
    void enter(Flight flight, Duration patience) throws InterruptedException {
        if (!takesTurns || flight.isSilent()) {
            return;
        }
        Duration most = patience.compareTo(TURN_TIME_MAX) < 0 ? patience : TURN_TIME_MAX;
        synchronized (this) {
            awaitTurn(flight, most);
            entered.add(flight);
        }
    }

    private synchronized boolean enter(Flight flight) {
        return isTurnOf(flight) && entered.add(flight);
    }

    /** A call whose client was asked goes on, when no other client's is at work. */
    synchronized void goOn(Flight flight) {
        try {
            if (takesTurns) {
                awaitTurn(flight, TURN_TIME_MAX);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        flight.answered();
        notifyAll();
    }

    private synchronized void awaitTurn(Flight flight, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long left = patience.toNanos();
        while (left > 0 && !flight.isOver() && !isTurnOf(flight)) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
    }

    /** A call whose client is asked something is not at work, and people take their time. */
    private boolean isTurnOf(Flight flight) {
        return Stream.concat(flights.values().stream(), entered.stream())
                .allMatch(
                        other ->
                                other.isSilent()
                                        || other.isAsking()
                                        || other.client().equals(flight.client()));
    }

    void begin(long id, Flight flight) {
        flight.begin(id);
        flights.put(id, flight);
    }

    /** Ends a call. */
    void end(Flight flight) {
        flights.remove(flight.id(), flight);
        flight.end();
        if (takesTurns) {
            entered.remove(flight);
            changed();
        }
    }

    /** A call ended, or began to wait for its client. */
    synchronized void changed() {
        notifyAll();
    }

    @Nullable Flight of(long id) {
        return flights.get(id);
    }

    /** A call that was answered with a task: there may be progress of it for as long as that. */
    void last(Flight flight) {
        synchronized (lasting) {
            lasting.put(flight.id(), flight);
        }
    }

    /** The call whose progress is told, in flight or not. */
    @Nullable Flight progressing(long id) {
        Flight flight = flights.get(id);
        if (flight == null) {
            synchronized (lasting) {
                flight = lasting.get(id);
            }
        }
        return flight;
    }

    /** The call that waits for a task; null if none does. */
    @Nullable Flight ofTask(String task) {
        return flights.values().stream()
                .filter(flight -> task.equals(flight.task()))
                .findFirst()
                .orElse(null);
    }

    int size() {
        return flights.size();
    }

    /** The calls in flight that somebody listens to, oldest first. */
    List<Flight> heard() {
        return flights.values().stream()
                .filter(flight -> !flight.isSilent())
                .sorted(Comparator.comparingLong(Flight::id))
                .toList();
    }
}
