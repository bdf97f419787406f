package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Finds the call that a question of a server is about, and asks the client of that call. A question
 * for which the protocol names no call waits until {@link InputRequestDecision} finds one. Calls do
 * not wait for questions. Only targets that have asked before take turns between clients, so that
 * their next questions can be told apart; a call whose client is being asked holds no turn.
 */
final class InputRequestRouter {
    /** How long a question waits until it is known which call it is about. */
    static final Duration DECISION_WAIT_MAX = Duration.ofSeconds(5);

    /** How long a call of a target that asks waits for a call of another client. */
    static final Duration TURN_WAIT_MAX = Duration.ofSeconds(1);

    /** How long a server takes at most to read a cancellation. */
    private static final Duration CANCELLATION_READ_MAX = Duration.ofSeconds(2);

    private static final int CANCELLED_CALLS_MAX = 1_000;

    private final InFlightCalls inFlightCalls;
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<ServerInputRequest> openRequests = new LinkedHashSet<>();

    /** The calls that were cancelled, and when, until the server has read the cancellation. */
    private final Map<InFlightCall, Long> cancelledCalls = new LinkedHashMap<>();

    private final CallTurns turns = new CallTurns(openRequests);
    private long lastRequestNumber;

    /** Whether the server has asked anything. Until then, a call only reads this. */
    private volatile boolean isUsed;

    /** Whether the server has asked without saying which call asks. */
    private volatile boolean hasAskingTargets;

    InputRequestRouter(InFlightCalls inFlightCalls, Ticker ticker) {
        this.inFlightCalls = inFlightCalls;
        this.ticker = ticker;
    }

    /** Takes in a question about a known call. */
    ServerInputRequest open(String method, Json params, InFlightCall call) {
        var request = new ServerInputRequest(method, params, List.of(call), List.of());
        lock.lock();
        try {
            add(request);
            request.decide(List.of(call));
        } finally {
            lock.unlock();
        }
        return request;
    }

    /** Takes in a question for which the protocol names no call. */
    ServerInputRequest open(String method, Json params) {
        lock.lock();
        try {
            isUsed = true; // from now on every call reports its end
            forgetOldCancellations();
            var request =
                    new ServerInputRequest(
                            method,
                            params,
                            inFlightCalls.withListener(),
                            List.copyOf(cancelledCalls.keySet()));
            if (request.candidates().isEmpty()) {
                throw new RpcException(
                        RpcError.METHOD_NOT_FOUND,
                        "No call is in progress that " + method + " could belong to");
            }
            learnTarget(request, request.candidates());
            add(request);
            return request;
        } finally {
            lock.unlock();
        }
    }

    private void add(ServerInputRequest request) {
        isUsed = true;
        openRequests.add(request);
        long now = ticker.nanoTime();
        request.candidates().forEach(call -> call.pauseTimeout(now));
        changed.signalAll();
    }

    /** If all calls that may have asked have one target, it is the one that asks. */
    private void learnTarget(ServerInputRequest request, List<InFlightCall> calls) {
        List<String> targets =
                Stream.concat(calls.stream(), request.abandonedCalls().stream())
                        .map(InFlightCall::target)
                        .distinct()
                        .toList();
        if (targets.size() == 1 && turns.addAskingTarget(targets.getFirst())) {
            hasAskingTargets = true;
            inFlightCalls.withListener().stream().filter(turns::isAsking).forEach(turns::take);
        }
    }

    /** Asks the client that the question is for, and waits for the answer. */
    Json ask(ServerInputRequest request) throws InterruptedException {
        try {
            List<InFlightCall> calls = awaitDecision(request);
            Json answer = null;
            while (answer == null) {
                InFlightCall carrier = beginAsking(request, calls);
                try {
                    answer = carrier.listener().requestInput(request.method(), request.params());
                } finally {
                    endAsking(request, carrier, TURN_WAIT_MAX);
                }
            }
            return answer;
        } finally {
            close(request);
        }
    }

    private List<InFlightCall> awaitDecision(ServerInputRequest request)
            throws InterruptedException {
        lock.lock();
        try {
            long left = DECISION_WAIT_MAX.toNanos();
            List<InFlightCall> calls = decide(request, false);
            while (calls == null) {
                left = ticker.awaitNanos(changed, left);
                calls = decide(request, left <= 0);
            }
            return calls;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calls of the one client that a question is for.
     *
     * @param isTimeUp whether it has waited for long enough
     * @return null if it must wait
     */
    @Nullable List<InFlightCall> decide(ServerInputRequest request, boolean isTimeUp) {
        lock.lock();
        try {
            if (request.isDecided()) {
                return request.calls();
            }
            var decision = new InputRequestDecision(request, openRequests, turns);
            List<InFlightCall> calls = decision.calls(isTimeUp);
            if (calls != null) {
                long now = ticker.nanoTime();
                request.candidates().stream()
                        .filter(call -> !calls.contains(call))
                        .forEach(call -> call.resumeTimeout(now));
                request.decide(calls);
                learnTarget(request, calls);
                changed.signalAll();
            }
            return calls;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Chooses the call to ask through: the newest one that can be asked and is not being asked
     * already. Of those that are, the one that was asked last: it may ask for more at once.
     */
    InFlightCall beginAsking(ServerInputRequest request, List<InFlightCall> calls) {
        Set<InFlightCall> able = new HashSet<>();
        for (InFlightCall call : calls) { // outside the lock: listeners have locks of their own
            if (call.listener().acceptsInputRequest(request.method(), request.params())) {
                able.add(call);
            }
        }
        lock.lock();
        try {
            InFlightCall carrier =
                    calls.stream()
                            .filter(call -> !call.hasEnded() && request.isUntried(call))
                            .max(
                                    Comparator.<InFlightCall, Boolean>comparing(able::contains)
                                            .thenComparing(call -> !call.isWaitingForClient())
                                            .thenComparingLong(InputRequestRouter::recency))
                            .orElseThrow(request::overError);
            lastRequestNumber++;
            carrier.beginInputRequest(lastRequestNumber);
            request.beginAsking(carrier);
            changed.signalAll();
            return carrier;
        } finally {
            lock.unlock();
        }
    }

    private static long recency(InFlightCall call) {
        return call.isWaitingForClient() ? call.lastInputRequest() : call.id();
    }

    /** Lets the call go on that the client was asked through, when it is its turn. */
    void endAsking(ServerInputRequest request, InFlightCall carrier, Duration patience) {
        lock.lock();
        try {
            request.endAsking();
            if (turns.isHolder(carrier)) {
                awaitTurn(carrier, patience);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            carrier.endInputRequest();
            changed.signalAll();
            lock.unlock();
        }
    }

    void close(ServerInputRequest request) {
        lock.lock();
        try {
            if (openRequests.remove(request)) {
                long now = ticker.nanoTime();
                request.calls().forEach(call -> call.resumeTimeout(now));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives a call its turn, unless it would have to wait for one of another client. */
    boolean tryTakeTurn(InFlightCall call) {
        if (!hasAskingTargets || call.hasNoListener()) {
            return true;
        }
        lock.lock();
        try {
            boolean isTurn = !turns.isAsking(call) || turns.isTurn(call);
            if (isTurn && turns.isAsking(call)) {
                turns.take(call);
            }
            return isTurn;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is the turn of a call, or the time is up. */
    void takeTurn(InFlightCall call, Duration patience) throws InterruptedException {
        if (tryTakeTurn(call)) {
            return;
        }
        lock.lock();
        try {
            awaitTurn(call, patience.compareTo(TURN_WAIT_MAX) < 0 ? patience : TURN_WAIT_MAX);
            turns.take(call);
        } finally {
            lock.unlock();
        }
    }

    private void awaitTurn(InFlightCall call, Duration patience) throws InterruptedException {
        boolean isQueued = turns.enqueue(call);
        try {
            long left = patience.toNanos();
            while (left > 0 && !call.hasEnded() && !turns.isTurn(call)) {
                left = ticker.awaitNanos(changed, left);
            }
        } finally {
            if (isQueued) {
                turns.dequeue(call);
            }
        }
    }

    /**
     * Notes that a call is cancelled, before the server is told. Until the server has read that, a
     * question may still be about the call.
     *
     * @return whether it is worth finding out when the server has read that
     */
    boolean onCancelling(InFlightCall call) {
        if (call.hasNoListener()) {
            return false;
        }
        lock.lock();
        try {
            forgetOldCancellations();
            if (cancelledCalls.size() < CANCELLED_CALLS_MAX) {
                cancelledCalls.put(call, ticker.nanoTime());
            }
        } finally {
            lock.unlock();
        }
        return hasAskingTargets;
    }

    private void forgetOldCancellations() {
        long oldest = ticker.nanoTime() - CANCELLATION_READ_MAX.toNanos();
        cancelledCalls.values().removeIf(cancelled -> cancelled < oldest);
    }

    void onCancellationRead(InFlightCall call) {
        lock.lock();
        try {
            cancelledCalls.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /** Called when a call has ended. */
    void onEnded(InFlightCall call) {
        if (!isUsed) {
            return;
        }
        lock.lock();
        try {
            turns.onEnded(call);
            openRequests.forEach(ServerInputRequest::interruptIfOver);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
