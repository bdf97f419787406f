package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** How a call of ours ended. */
public sealed interface CallOutcome {
    /** The peer answered with a result. */
    record Result(Json value) implements CallOutcome {}

    /** The peer answered with an error. */
    record ErrorResponse(RpcError error) implements CallOutcome {}

    /** No answer came in time; the peer may still be at work. */
    record TimedOut() implements CallOutcome {}

    /** The peer is gone, and with it the answer. */
    record ConnectionLost(String reason) implements CallOutcome {}

    /**
     * The peer answered with something that is no valid response.
     *
     * @param tooDeepResult the result, where all that is wrong with it is that it nests too deep;
     *     it must not be passed on as a whole
     */
    record InvalidResponse(String reason, @Nullable Json tooDeepResult) implements CallOutcome {
        public InvalidResponse(String why) {
            this(why, null);
        }
    }

    /** The peer wants to know first who we are, and has done nothing. */
    record Unauthorized(String reason) implements CallOutcome {}

    /** The request never left us. */
    record NotSent(String reason) implements CallOutcome {}
}
