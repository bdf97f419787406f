package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** How a call of ours ended. */
public sealed interface CallOutcome {
    /** The peer answered with a result. */
    record Result(Json value) implements CallOutcome {}

    /** The peer answered with an error. */
    record Refused(RpcError error) implements CallOutcome {}

    /** No answer came in time; the peer may still be at work. */
    record TimedOut() implements CallOutcome {}

    /** The peer is gone, and with it the answer. */
    record Lost(String why) implements CallOutcome {}

    /**
     * The peer answered with something that is no valid response.
     *
     * @param tooDeep the result, where all that is wrong with it is that it nests too deep; it must
     *     not be passed on as a whole
     */
    record Invalid(String why, @Nullable Json tooDeep) implements CallOutcome {
        public Invalid(String why) {
            this(why, null);
        }
    }

    /** The peer wants to know first who we are, and has done nothing. */
    record Unauthorized(String why) implements CallOutcome {}

    /** The request never left us. */
    record NotSent(String why) implements CallOutcome {}
}
