package dev.patchbay.server;

import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

/** The phase of a supervisor and the state that it reports for it. */
record SupervisorSnapshot(Phase phase, ServerState state) {
    /** The state, unless the session has ended and has not reported it yet. */
    ServerState liveState(ServerId server) {
        JsonRpcServerSession session = phase.session();
        if (session == null || session.isOpen()) {
            return state;
        }
        int attempts = state.attempts();
        var failure = ServerFailure.endedAfterConnect("Server " + server + " ended", attempts);
        return with(phase, Status.ERROR, failure, attempts).state();
    }

    /** Another phase with the same state. */
    SupervisorSnapshot with(Phase next) {
        return new SupervisorSnapshot(next, state);
    }

    /** Another phase with a state that is not connected. */
    SupervisorSnapshot with(
            Phase next, Status status, @Nullable ServerFailure error, int attempts) {
        return with(next, new ServerState(status, error, state.lastConnectedAt(), attempts, null));
    }

    SupervisorSnapshot with(Phase next, ServerState nextState) {
        if (!state.status().canChangeTo(nextState.status())) {
            throw new IllegalStateException(state.status() + " to " + nextState.status());
        }
        return new SupervisorSnapshot(next, nextState);
    }
}
