package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.TaskMessages;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A call that was sent to a server and has no outcome yet. What concerns the questions of the
 * server is guarded by the lock of the {@link InputRequestRouter}; only the permit has a monitor.
 */
final class InFlightCall {
    /**
     * For how long the timeout of a call was paused.
     *
     * @param requests how many open questions may be about the call
     */
    private record Pause(int requests, long sinceNanos, long totalNanos) {
        static final Pause NONE = new Pause(0, 0, 0);
    }

    private final CallListener listener;
    private final Semaphore permits;
    private final String method;
    private final Json params;
    private volatile long id = -1;
    private volatile boolean answered;
    private volatile boolean ended;
    private volatile Pause pause = Pause.NONE;
    private volatile boolean wasPaused;
    private boolean hasPermit;
    private int openInputRequests;
    private long lastInputRequest;

    InFlightCall(CallListener listener, Semaphore permits, String method, Json params) {
        this.listener = listener;
        this.permits = permits;
        this.method = method;
        this.params = params;
    }

    CallListener listener() {
        return listener;
    }

    /** The task that the call waits for; null if it waits for none. */
    @Nullable String taskId() {
        return method.equals("tasks/result") ? params.memberText(TaskMessages.TASK_ID) : null;
    }

    /** What is called: a tool, or everything else of one method. */
    String target() {
        return method.equals("tools/call") ? method + " " + params.memberText("name") : method;
    }

    /** Whether nobody listens to it who could be told or asked anything. */
    boolean hasNoListener() {
        return listener.equals(CallListener.NONE);
    }

    void assignId(long given) {
        id = given;
    }

    /** The number of the call. A later call has a higher number. */
    long id() {
        return id;
    }

    /** Takes a permit, if there is one in time. */
    boolean acquirePermit(Duration patience) throws InterruptedException {
        boolean taken = permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        storePermit(taken);
        return taken;
    }

    /** Takes a permit if there is one and no other call waits for it. */
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

    private synchronized void releasePermit() {
        if (hasPermit) {
            hasPermit = false;
            permits.release();
        }
    }

    /** Pauses the timeout: a question may be about this call. */
    void pauseTimeout(long now) {
        wasPaused = true;
        Pause old = pause;
        long since = old.requests == 0 ? now : old.sinceNanos;
        pause = new Pause(old.requests + 1, since, old.totalNanos);
    }

    void resumeTimeout(long now) {
        Pause old = pause;
        long total = old.requests == 1 ? old.totalNanos + now - old.sinceNanos : old.totalNanos;
        pause = new Pause(old.requests - 1, old.sinceNanos, total);
    }

    /** Whether a question may have been about this call. */
    boolean wasPaused() {
        return wasPaused;
    }

    /** For how long the timeout was paused until now. */
    long pausedNanos(long now) {
        Pause known = pause;
        return known.requests == 0 ? known.totalNanos : known.totalNanos + now - known.sinceNanos;
    }

    /** Its client is asked. Until the client answers, the server can work for others. */
    void beginInputRequest(long number) {
        lastInputRequest = number;
        openInputRequests++;
        releasePermit();
    }

    /** Its client answered. The call goes on, also if no permit is left for it. */
    void endInputRequest() {
        openInputRequests--;
        if (openInputRequests == 0 && !ended) {
            storePermit(permits.tryAcquire());
        }
    }

    /** Whether its client is asked something and has not answered yet. */
    boolean isWaitingForClient() {
        return openInputRequests > 0;
    }

    /** The number of the last question that its client was asked through it. */
    long lastInputRequest() {
        return lastInputRequest;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether the call was cancelled, timed out or was not sent: the server may still ask. */
    boolean isAbandoned() {
        return ended && !answered;
    }

    /**
     * Ends the call. Its permit is given back once.
     *
     * @param isAnswered whether the server answered it
     */
    void end(boolean isAnswered) {
        synchronized (this) {
            answered = isAnswered;
            ended = true;
            releasePermit();
        }
    }
}
