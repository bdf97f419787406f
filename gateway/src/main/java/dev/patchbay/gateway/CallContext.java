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
 * @param clientName how the client calls itself; empty if it does not say
 * @param principal who the transport knows the client to be; empty if it does not know
 * @param caller decides which connection of the server gets the call
 */
public record CallContext(
        CallListener listener,
        Json capabilities,
        @Nullable String logLevel,
        String clientName,
        String principal,
        Caller caller) {
    /** A call without a client. */
    public static final CallContext NONE =
            new CallContext(CallListener.NONE, Json.EMPTY_OBJECT, null, "", "", Caller.GATEWAY);

    /** A call of the gateway itself over the connection that a client's calls use. */
    static CallContext internal(Caller caller) {
        return new CallContext(CallListener.NONE, Json.EMPTY_OBJECT, null, "", "", caller);
    }

    CallOptions options(Duration timeout) {
        return new CallOptions(timeout, listener, capabilities, logLevel);
    }
}
