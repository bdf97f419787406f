package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/** The outcome of a call to a peer. */
public sealed interface CallOutcome {
    /** The peer answered with a result. */
    record Result(Json value) implements CallOutcome {}

    /** The peer answered with an error. */
    record ErrorResponse(RpcError error) implements CallOutcome {}

    /** No response came in time. The peer may still work on the request. */
    record TimedOut() implements CallOutcome {}

    /** The connection ended before a response came. */
    record ConnectionLost(String reason) implements CallOutcome {}

    /**
     * The peer sent an invalid response.
     *
     * @param tooDeepResult the result, if its only fault is that it is nested too deeply; it must
     *     not be forwarded as a whole
     */
    record InvalidResponse(String reason, @Nullable Json tooDeepResult) implements CallOutcome {
        public InvalidResponse(String why) {
            this(why, null);
        }
    }

    /** The peer requires authorization and did nothing. */
    record Unauthorized(String reason) implements CallOutcome {}

    /** The peer could not be reached, or the connection to it has ended. Nothing was sent. */
    record Unreachable(String reason) implements CallOutcome {}

    /** The peer takes no more requests now. Nothing was sent. */
    record NotSent(String reason) implements CallOutcome {}

    /** Whether the peer answered the request, in any way. */
    default boolean isResponse() {
        return switch (this) {
            case Result _, ErrorResponse _, InvalidResponse _ -> true;
            case TimedOut _, ConnectionLost _, Unauthorized _, Unreachable _, NotSent _ -> false;
        };
    }
}
