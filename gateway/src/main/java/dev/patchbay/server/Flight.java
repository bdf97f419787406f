package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One call, its place among those at work, and the questions of the server that may be its own. */
final class Flight {
    private final CallListener caller;
    private final Semaphore places;
    private final @Nullable String task;
    private final List<Asking> questions = new ArrayList<>(0);
    private volatile long id = -1;
    private volatile boolean over;
    private volatile long lastAsked;
    private boolean placed;
    private int asked;
    private long openedNanos;
    private long pausedNanos;

    Flight(CallListener caller, Semaphore places) {
        this(caller, places, null);
    }

    /** A call that waits for a task of the server. */
    Flight(CallListener caller, Semaphore places, @Nullable String task) {
        this.caller = caller;
        this.places = places;
        this.task = task;
    }

    CallListener caller() {
        return caller;
    }

    /** The task that the call waits for; null if it waits for none. */
    @Nullable String task() {
        return task;
    }

    Object client() {
        return caller.client();
    }

    /** Whether nobody listens to it who could be told or asked anything. */
    boolean isSilent() {
        return caller.equals(CallListener.SILENT);
    }

    void begin(long given) {
        id = given;
    }

    /** The number of the call; later ones have higher ones. */
    long id() {
        return id;
    }

    /** Takes a place among the calls at work, if there is one in time. */
    boolean take(Duration patience) throws InterruptedException {
        boolean taken = places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        keep(taken);
        return taken;
    }

    /** Takes a place if there is one and nobody waits for it: who waits would do so for long. */
    boolean take() {
        boolean taken = !places.hasQueuedThreads() && places.tryAcquire();
        keep(taken);
        return taken;
    }

    private synchronized void keep(boolean taken) {
        if (taken && over) {
            places.release();
        } else {
            placed = taken;
        }
    }

    /** A question may be about this call: its time stands still. */
    synchronized void pause(Asking question) {
        if (questions.isEmpty()) {
            openedNanos = System.nanoTime();
        }
        questions.add(question);
    }

    synchronized void resume(Asking question) {
        questions.remove(question);
        if (questions.isEmpty()) {
            pausedNanos += System.nanoTime() - openedNanos;
        }
    }

    /** Its client is asked on its behalf. Until it answers, the server can work for others. */
    synchronized void asks(long number) {
        lastAsked = number;
        asked++;
        if (placed) {
            placed = false;
            places.release();
        }
    }

    /** Its client answered. It works on, also where its place is taken by now. */
    void answered() {
        synchronized (this) {
            asked--;
            if (asked > 0 || over) {
                return;
            }
        }
        keep(places.tryAcquire());
    }

    /** Whether its client is asked something, and has not answered yet. */
    synchronized boolean isAsking() {
        return asked > 0;
    }

    /** The number of the last question that its client was asked on its behalf. */
    long lastAsked() {
        return lastAsked;
    }

    /** For how long the server has waited for its client, instead of the client for it. */
    synchronized long pausedNanos() {
        return questions.isEmpty() ? pausedNanos : pausedNanos + System.nanoTime() - openedNanos;
    }

    boolean isOver() {
        return over;
    }

    /** It ended; its place is given back, once. */
    void end() {
        List<Asking> left;
        synchronized (this) {
            over = true;
            if (placed) {
                placed = false;
                places.release();
            }
            left = questions.isEmpty() ? List.of() : List.copyOf(questions);
        }
        left.forEach(Asking::left);
    }
}
