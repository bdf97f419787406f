package dev.patchbay.jsonrpc;

import dev.patchbay.json.Json;

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

    /** The peer answered with something that is no valid response. */
    record Invalid(String why) implements CallOutcome {}

    /** The request never left us. */
    record NotSent(String why) implements CallOutcome {}
}
