package dev.patchbay.server;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What goes with a call besides its params.
 *
 * @param timeout how long to wait, the sending included
 * @param caller who wants to hear of the call while it runs, and may be asked
 * @param clientCapabilities what the client that caused the call declared; a server of the modern
 *     era gets just these
 * @param logLevel the least level of log messages the caller wants, if any
 */
public record CallOptions(
        Duration timeout, CallListener caller, Json clientCapabilities, @Nullable String logLevel) {

    /** A call of the gateway's own, which listens to nothing and can be asked nothing. */
    public static CallOptions own(Duration timeout) {
        return own(timeout, Json.EMPTY_OBJECT);
    }

    /** The same with capabilities of the gateway itself. */
    static CallOptions own(Duration timeout, Json capabilities) {
        return new CallOptions(timeout, CallListener.SILENT, capabilities, null);
    }
}
