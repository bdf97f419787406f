package dev.patchbay.server;

import dev.patchbay.server.StartLimiter.Priority;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Receives the reports of the attempts of a supervisor, and changes its phase accordingly. A report
 * of attempts that were left has no effect.
 */
final class ConnectAttemptListener implements ConnectAttempts.Owner {
    private final SessionOpener opener;
    private final OpenResources resources;
    private final PhaseTransitions transitions;
    private final Predicate<UnaryOperator<SupervisorSnapshot>> transition;
    private volatile Priority startPriority = Priority.NORMAL;

    /** The last parameter changes the phase, and tells whether anything changed. */
    ConnectAttemptListener(
            SessionOpener opener,
            OpenResources resources,
            PhaseTransitions transitions,
            Predicate<UnaryOperator<SupervisorSnapshot>> transition) {
        this.opener = opener;
        this.resources = resources;
        this.transitions = transitions;
        this.transition = transition;
    }

    void setStartPriority(Priority priority) {
        startPriority = priority;
    }

    @Override
    public JsonRpcServerSession openSession() throws IOException {
        JsonRpcServerSession session = opener.open();
        resources.add(session);
        return session;
    }

    @Override
    public void awaitPreviousEnd(Duration timeout) throws InterruptedException {
        resources.awaitLastConnectedEnd(timeout);
    }

    @Override
    public Priority priority() {
        return startPriority;
    }

    @Override
    public boolean onAttempt(ConnectAttempts attempts, int number) {
        return transition.test(now -> transitions.attempt(now, attempts, number));
    }

    @Override
    public boolean onFailure(
            ConnectAttempts attempts, ServerFailure failure, ConnectAttempts.Next next) {
        return transition.test(now -> transitions.failure(now, attempts, failure, next));
    }

    @Override
    public boolean onConnected(ConnectAttempts attempts, JsonRpcServerSession session) {
        resources.connected(session);
        startPriority = Priority.NORMAL;
        boolean accepted = transition.test(now -> transitions.connected(now, attempts, session));
        if (accepted && !session.isOpen()) {
            opener.reportEnd(session); // it ended before it could be found in the phase
        }
        return accepted;
    }
}
