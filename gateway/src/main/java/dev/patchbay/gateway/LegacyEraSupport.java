package dev.patchbay.gateway;

import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Whether a server that uses the modern era also uses the legacy era. Its answer to {@code
 * server/discover} does not tell: only an attempt does. An attempt that failed is not repeated at
 * every call.
 */
final class LegacyEraSupport {
    private static final Duration RETRY_DELAY = Duration.ofMinutes(10);

    private final Ticker ticker;
    private @Nullable Implementation modernServer;
    private @Nullable Implementation refusedBy;
    private boolean hasFailed;
    private long failedNanos;

    LegacyEraSupport(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Notes what the server has said in its handshake.
     *
     * @return whether legacy clients may need a connection of their own
     */
    synchronized boolean onConnected(ServerSpec spec, HandshakeResult handshake) {
        boolean isModern =
                spec.options().era() == EraChoice.AUTO && handshake.version().era() == Era.MODERN;
        modernServer = isModern ? handshake.serverInfo() : null;
        return isModern;
    }

    /** Whether a legacy connection can be expected to succeed. */
    synchronized boolean isPossible() {
        if (modernServer == null || modernServer.equals(refusedBy)) {
            return false;
        }
        return !hasFailed || ticker.nanoTime() - failedNanos > RETRY_DELAY.toNanos();
    }

    /** Notes that a legacy connection could not be opened. */
    synchronized void onFailed(ServerFailure failure) {
        switch (failure.kind()) {
            case ERROR_RESPONSE, NO_COMMON_VERSION, PROTOCOL_ERROR -> refusedBy = modernServer;
            case START_FAILED,
                    ENDED_DURING_CONNECT,
                    TIMEOUT,
                    UNAUTHORIZED,
                    NOT_TRUSTED,
                    INVALID_CONFIG,
                    SECRET_MISSING,
                    SANDBOX_UNAVAILABLE,
                    ENDED_AFTER_CONNECT,
                    OTHER -> {
                hasFailed = true;
                failedNanos = ticker.nanoTime();
            }
        }
    }

    synchronized void onSucceeded() {
        hasFailed = false;
    }
}
