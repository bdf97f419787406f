package dev.patchbay.server;

import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.time.Ticker;

import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Lets calls to a server begin: each needs its turn and one of a limited number of permits. */
final class CallAdmission {
    private final InputRequestRouter inputRequests;
    private final Semaphore permits;
    private final SendResult busy;
    private final Ticker ticker;

    CallAdmission(InputRequestRouter inputRequests, int callsMax, Ticker ticker) {
        this.inputRequests = inputRequests;
        this.permits = new Semaphore(callsMax, true);
        this.busy = new SendResult.NotSent("it is busy with " + callsMax + " other requests");
        this.ticker = ticker;
    }

    /** The permits that calls take. */
    Semaphore permits() {
        return permits;
    }

    /** The result for a call that was not admitted. */
    SendResult busy() {
        return busy;
    }

    /** Admits a call that began at a time, if that is possible in time. Zero never waits. */
    boolean admit(InFlightCall call, Duration patience, long startedNanos)
            throws InterruptedException {
        if (patience.isZero()) {
            return inputRequests.tryTakeTurn(call) && call.acquirePermit();
        }
        inputRequests.takeTurn(call, patience);
        return call.acquirePermit(remaining(patience, startedNanos));
    }

    /** What is left of a time that began earlier. */
    Duration remaining(Duration time, long startedNanos) {
        return ticker.remaining(startedNanos + time.toNanos());
    }
}
