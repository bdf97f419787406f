package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.CallOptions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * On whose behalf a server is called.
 *
 * @param listener hears of the call while it runs, and may be asked by the server
 * @param capabilities what the client declared
 * @param logLevel the least level of log messages the client wants, if any
 * @param client how the client calls itself; empty if it does not say
 */
public record CallSource(
        CallListener listener, Json capabilities, @Nullable String logLevel, String client) {
    /** Nobody who could be told or asked anything. */
    public static final CallSource NONE =
            new CallSource(CallListener.SILENT, Json.EMPTY_OBJECT, null, "");

    CallOptions options(Duration timeout) {
        return new CallOptions(timeout, listener, capabilities, logLevel);
    }
}
