package dev.patchbay.jsonrpc;

/** Whether a request was sent. */
public sealed interface SendResult {
    /** The request was sent. Its receiver gets the outcome, unless the call is cancelled. */
    non-sealed interface Sent extends SendResult {
        /** Cancels the call. The peer is told; the receiver gets no outcome. */
        void cancel();
    }

    /** Nothing was sent, and the receiver gets no outcome. */
    record NotSent(String reason) implements SendResult {}
}
