package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/**
 * Decides which client a question of a server is for, where the protocol does not tell. The calls
 * that may have asked are those that were in flight when the question arrived.
 *
 * <p>If all of them are of one client, it is that client. If not, the question waits until the
 * calls of the others have ended. Between clients of one principal, a call is not expected to ask
 * that waits for an answer already, or whose target was called before and did not ask while that of
 * another did. A question that waits for too long goes to modern requests with one client name, or
 * is refused.
 *
 * @param openRequests the questions of the server without an answer, with this one
 * @param turns knows the targets that have asked before, and those that did not
 */
record InputRequestDecision(
        ServerInputRequest request, Collection<ServerInputRequest> openRequests, CallTurns turns) {

    /** The calls of the client that the question is for; null if it must wait. */
    @Nullable List<InFlightCall> calls(boolean isTimeUp) {
        List<InFlightCall> live = request.liveCalls();
        if (live.isEmpty()) {
            throw request.overError();
        }
        if (!isOnly(live.getFirst(), request.abandonedCalls(), CallListener::client)) {
            throw ambiguous(live); // it may be about a call that was cancelled
        }
        if (isOnly(live.getFirst(), live, CallListener::origin)) {
            return live;
        }
        boolean mustEnd = isTimeUp || isNobodyAtWork(live);
        if (!isOnly(live.getFirst(), live, CallListener::principal)) {
            if (mustEnd || live.stream().anyMatch(call -> isBlocked(call, live))) {
                throw ambiguous(live);
            }
            return null;
        }
        List<InFlightCall> likely = likelyCalls(live);
        if (isOnly(likely.getFirst(), likely, CallListener::origin)
                || (mustEnd && isOnly(likely.getFirst(), likely, CallListener::client))) {
            return likely;
        }
        if (mustEnd) {
            throw ambiguous(live);
        }
        return null;
    }

    /** The calls that are expected to ask; all of them if none is. */
    private List<InFlightCall> likelyCalls(List<InFlightCall> live) {
        List<InFlightCall> notQuiet = live.stream().filter(call -> !turns.isQuiet(call)).toList();
        List<InFlightCall> asking =
                notQuiet.stream().filter(call -> !isBlocked(call, notQuiet)).toList();
        if (asking.stream().anyMatch(turns::isAsking)) {
            return asking;
        }
        List<InFlightCall> free = live.stream().filter(call -> !isBlocked(call, live)).toList();
        return free.isEmpty() ? live : free;
    }

    /** Whether all calls have something in common with the first. */
    private static boolean isOnly(
            InFlightCall first, List<InFlightCall> calls, Function<CallListener, Object> key) {
        Object known = key.apply(first.listener());
        return calls.stream().allMatch(call -> key.apply(call.listener()).equals(known));
    }

    /**
     * Whether each call of the same client waits for the answer to another question. If a question
     * may be about calls of other origins too, these must wait as well.
     */
    private boolean isBlocked(InFlightCall call, List<InFlightCall> live) {
        Object origin = call.listener().origin();
        var calls = new HashSet<InFlightCall>();
        live.stream().filter(it -> it.listener().origin().equals(origin)).forEach(calls::add);
        var questions = new HashSet<ServerInputRequest>();
        int known;
        do {
            known = calls.size();
            for (ServerInputRequest other : openRequests) {
                if (other.isDecided() && calls.stream().anyMatch(other::concerns)) {
                    questions.add(other);
                    calls.addAll(other.possibleCalls());
                }
            }
        } while (calls.size() > known);
        return questions.size() >= calls.size();
    }

    /** Whether there are as many questions as calls, so that no call will end by itself. */
    private boolean isNobodyAtWork(List<InFlightCall> live) {
        long questions =
                openRequests.stream()
                        .filter(other -> live.stream().anyMatch(other::concerns))
                        .count();
        return questions >= live.size();
    }

    private RuntimeException ambiguous(List<InFlightCall> calls) {
        long clients =
                calls.stream().map(call -> call.listener().origin()).distinct().count()
                        + (request.abandonedCalls().isEmpty() ? 0 : 1);
        return request.ambiguousError(clients);
    }
}
