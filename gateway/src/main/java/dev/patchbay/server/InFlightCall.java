package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One call, its place among those at work, and the questions of the server that may be its own. */
final class InFlightCall {
    private final CallListener listener;
    private final Semaphore permits;
    private final @Nullable String taskId;
    private final List<ServerInputRequest> inputRequests = new ArrayList<>(0);
    private volatile long id = -1;
    private volatile boolean ended;
    private volatile long lastInputRequest;
    private boolean hasPermit;
    private int openInputRequests;
    private long pausedSinceNanos;
    private long pausedNanos;

    InFlightCall(CallListener caller, Semaphore places) {
        this(caller, places, null);
    }

    /** A call that waits for a task of the server. */
    InFlightCall(CallListener caller, Semaphore places, @Nullable String task) {
        this.listener = caller;
        this.permits = places;
        this.taskId = task;
    }

    CallListener listener() {
        return listener;
    }

    /** The task that the call waits for; null if it waits for none. */
    @Nullable String taskId() {
        return taskId;
    }

    Object client() {
        return listener.client();
    }

    /** Whether nobody listens to it who could be told or asked anything. */
    boolean hasNoListener() {
        return listener.equals(CallListener.NONE);
    }

    void assignId(long given) {
        id = given;
    }

    /** The number of the call; later ones have higher ones. */
    long id() {
        return id;
    }

    /** Takes a place among the calls at work, if there is one in time. */
    boolean acquirePermit(Duration patience) throws InterruptedException {
        boolean taken = permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        storePermit(taken);
        return taken;
    }

    /** Takes a place if there is one and nobody waits for it: who waits would do so for long. */
    boolean acquirePermit() {
        boolean taken = !permits.hasQueuedThreads() && permits.tryAcquire();
        storePermit(taken);
        return taken;
    }

    private synchronized void storePermit(boolean taken) {
        if (taken && ended) {
            permits.release();
        } else {
            hasPermit = taken;
        }
    }

    /** A question may be about this call: its time stands still. */
    synchronized void pauseTimeout(ServerInputRequest question) {
        if (inputRequests.isEmpty()) {
            pausedSinceNanos = System.nanoTime();
        }
        inputRequests.add(question);
    }

    synchronized void resumeTimeout(ServerInputRequest question) {
        inputRequests.remove(question);
        if (inputRequests.isEmpty()) {
            pausedNanos += System.nanoTime() - pausedSinceNanos;
        }
    }

    /** Its client is asked on its behalf. Until it answers, the server can work for others. */
    synchronized void beginInputRequest(long number) {
        lastInputRequest = number;
        openInputRequests++;
        if (hasPermit) {
            hasPermit = false;
            permits.release();
        }
    }

    /** Its client answered. It works on, also where its place is taken by now. */
    void endInputRequest() {
        synchronized (this) {
            openInputRequests--;
            if (openInputRequests > 0 || ended) {
                return;
            }
        }
        storePermit(permits.tryAcquire());
    }

    /** Whether its client is asked something, and has not answered yet. */
    synchronized boolean isWaitingForClient() {
        return openInputRequests > 0;
    }

    /** The number of the last question that its client was asked on its behalf. */
    long lastInputRequest() {
        return lastInputRequest;
    }

    /** For how long the server has waited for its client, instead of the client for it. */
    synchronized long pausedNanos() {
        return inputRequests.isEmpty()
                ? pausedNanos
                : pausedNanos + System.nanoTime() - pausedSinceNanos;
    }

    boolean hasEnded() {
        return ended;
    }

    /** It ended; its place is given back, once. */
    void end() {
        List<ServerInputRequest> left;
        synchronized (this) {
            ended = true;
            if (hasPermit) {
                hasPermit = false;
                permits.release();
            }
            left = inputRequests.isEmpty() ? List.of() : List.copyOf(inputRequests);
        }
        left.forEach(ServerInputRequest::onCallEnded);
    }
}
