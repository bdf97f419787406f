package dev.patchbay.server;

import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

/** The phase of a supervisor and the state that it reports for it. */
record SupervisorSnapshot(Phase phase, ServerState state) {
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
