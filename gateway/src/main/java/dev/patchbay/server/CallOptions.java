package dev.patchbay.server;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What goes with a call besides its params.
 *
 * @param timeout how long to wait, the sending included
 * @param listener who wants to hear of the call while it runs, and may be asked
 * @param clientCapabilities what the client that caused the call declared; a server of the modern
 *     era gets just these
 * @param logLevel the least level of log messages the caller wants, if any
 */
public record CallOptions(
        Duration timeout,
        CallListener listener,
        Json clientCapabilities,
        @Nullable String logLevel) {

    /** Options of a call of the gateway itself, without a listener. */
    public static CallOptions internal(Duration timeout) {
        return internal(timeout, Json.EMPTY_OBJECT);
    }

    /** The same with capabilities of the gateway. */
    static CallOptions internal(Duration timeout, Json capabilities) {
        return new CallOptions(timeout, CallListener.NONE, capabilities, null);
    }
}
