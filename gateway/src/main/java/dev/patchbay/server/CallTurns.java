package dev.patchbay.server;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The turns of calls whose targets ask questions without saying which call asks. One client at a
 * time has such calls at work, so that their questions can be told apart. Guarded by the lock of
 * the {@link InputRequestRouter}.
 */
final class CallTurns {
    private static final int TARGETS_MAX = 1_000;

    private final Collection<ServerInputRequest> openRequests;

    /** The targets whose calls have asked. */
    private final Set<String> askingTargets = new HashSet<>();

    /** The targets that were called and did not ask. */
    private final Set<String> quietTargets = new HashSet<>();

    /** The calls in flight of the targets that ask. */
    private final Set<InFlightCall> holders = new HashSet<>();

    /** The calls that wait for their turn, in their order. */
    private final Set<InFlightCall> queue = new LinkedHashSet<>();

    CallTurns(Collection<ServerInputRequest> openRequests) {
        this.openRequests = openRequests;
    }

    boolean isAsking(InFlightCall call) {
        return askingTargets.contains(call.target());
    }

    boolean isQuiet(InFlightCall call) {
        return quietTargets.contains(call.target());
    }

    /** Notes a target that asks; false if it is known or there are too many. */
    boolean addAskingTarget(String target) {
        quietTargets.remove(target);
        return askingTargets.size() < TARGETS_MAX && askingTargets.add(target);
    }

    /** Lets a call hold a turn. */
    void take(InFlightCall call) {
        holders.add(call);
    }

    boolean isHolder(InFlightCall call) {
        return holders.contains(call);
    }

    /** Puts a call into the queue; false if it is there already. */
    boolean enqueue(InFlightCall call) {
        return queue.add(call);
    }

    void dequeue(InFlightCall call) {
        queue.remove(call);
    }

    /** A call has ended. If the server answered it and did not ask, its target is quiet. */
    void onEnded(InFlightCall call) {
        holders.remove(call);
        boolean isQuiet = !call.isAbandoned() && !call.wasPaused() && !call.hasNoListener();
        if (isQuiet && quietTargets.size() < TARGETS_MAX && !isAsking(call)) {
            quietTargets.add(call.target());
        }
    }

    /** Whether no call of another client is at work or has waited for longer. */
    boolean isTurn(InFlightCall call) {
        Object client = call.listener().origin();
        for (InFlightCall waiting : queue) {
            if (waiting.equals(call)) {
                break;
            }
            if (!waiting.listener().origin().equals(client)) {
                return false;
            }
        }
        return holders.stream()
                .map(holder -> holder.listener().origin())
                .filter(origin -> !origin.equals(client))
                .distinct()
                .noneMatch(this::isAtWork);
    }

    /** Whether a client has a call that may ask next. A call that waits for an answer does not. */
    private boolean isAtWork(Object origin) {
        List<InFlightCall> calls =
                holders.stream().filter(call -> call.listener().origin().equals(origin)).toList();
        long questions =
                openRequests.stream()
                        .filter(request -> calls.stream().anyMatch(request::concerns))
                        .count();
        return questions < calls.size();
    }
}
