package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A question of a server and the calls that it may be about. Its mutable state is guarded by the
 * lock of the {@link InputRequestRouter}.
 */
final class ServerInputRequest {
    private final String method;
    private final Json params;

    /** The calls that were in flight when the question arrived. No other call can have asked it. */
    private final List<InFlightCall> candidates;

    /** Calls that were cancelled, while the server may not have read that yet. */
    private final List<InFlightCall> cancelledCandidates;

    /** The calls of the one client that the question is for; null while that is not known. */
    private @Nullable List<InFlightCall> calls;

    private final Set<InFlightCall> triedCalls = new HashSet<>();
    private @Nullable Thread waitingThread;

    ServerInputRequest(
            String method,
            Json params,
            List<InFlightCall> candidates,
            List<InFlightCall> cancelledCandidates) {
        this.method = method;
        this.params = params;
        this.candidates = candidates;
        this.cancelledCandidates = cancelledCandidates;
    }

    String method() {
        return method;
    }

    Json params() {
        return params;
    }

    List<InFlightCall> candidates() {
        return candidates;
    }

    /** The calls without an answer that it may be about, although they are over. */
    List<InFlightCall> abandonedCalls() {
        return Stream.concat(
                        cancelledCandidates.stream(),
                        candidates.stream().filter(InFlightCall::isAbandoned))
                .toList();
    }

    boolean isDecided() {
        return calls != null;
    }

    /** The calls of the client that it is for, or all that it may be for. */
    List<InFlightCall> calls() {
        return calls == null ? candidates : calls;
    }

    void decide(List<InFlightCall> ofOneClient) {
        calls = ofOneClient;
    }

    /** Whether it may be about a call. */
    boolean concerns(InFlightCall call) {
        return calls().contains(call);
    }

    /** The calls that go on. */
    List<InFlightCall> liveCalls() {
        return calls().stream().filter(call -> !call.hasEnded()).toList();
    }

    /** The calls that may have asked it: all without an answer. */
    List<InFlightCall> possibleCalls() {
        return calls().stream().filter(call -> !call.hasEnded() || call.isAbandoned()).toList();
    }

    boolean isUntried(InFlightCall call) {
        return !triedCalls.contains(call);
    }

    void beginAsking(InFlightCall call) {
        triedCalls.add(call);
        waitingThread = Thread.currentThread();
    }

    void endAsking() {
        waitingThread = null;
    }

    /** Ends the wait for the client if the question has no point any more. */
    void interruptIfOver() {
        if (waitingThread != null && liveCalls().isEmpty()) {
            waitingThread.interrupt();
        }
    }

    RpcException overError() {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The call that " + method + " belongs to has ended");
    }

    RpcException ambiguousError(long clients) {
        return new RpcException(
                RpcError.INTERNAL_ERROR,
                "Calls of %d clients are in progress; %s does not say to which of them it belongs"
                        .formatted(clients, method));
    }
}
