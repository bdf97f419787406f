package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.LogLevel;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The least level of log messages that a legacy server was told to send. It has one for the whole
 * conversation, where the modern era has one for each request.
 */
final class ServerLogLevel {
    static final String METHOD = "logging/setLevel";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final CallOutcome SUCCESS = new CallOutcome.Result(Json.EMPTY_OBJECT);

    /** Sends the request. */
    interface LevelSender {
        CallOutcome call(String method, Json params, Duration timeout) throws InterruptedException;
    }

    private final LevelSender sender;

    /** One request at a time, so that the level recorded last is the one sent last. */
    private final Semaphore sendPermit = new Semaphore(1);

    private volatile boolean isSupported;
    private volatile @Nullable String sentLevel;

    ServerLogLevel(LevelSender sender) {
        this.sender = sender;
    }

    void onHandshake(HandshakeResult facts) {
        isSupported = facts.version().era() == Era.LEGACY && facts.hasCapability("logging");
    }

    /** Whether a call with this log level can be sent at once. */
    boolean isSufficientFor(@Nullable String wanted) {
        return !isSupported || wanted == null || LogLevel.includes(sentLevel, wanted);
    }

    /** Lowers the server's level, if a call needs that. */
    void ensureSufficientFor(@Nullable String wanted) throws InterruptedException {
        if (wanted != null && !isSufficientFor(wanted)) {
            CallOutcome _ = setLevel(wanted);
        }
    }

    /** Sets the level, if the server supports that. */
    CallOutcome setLevel(String level) throws InterruptedException {
        if (!isSupported || level.equals(sentLevel)) {
            return SUCCESS;
        }
        if (!sendPermit.tryAcquire(REQUEST_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            return new CallOutcome.TimedOut();
        }
        try {
            return sendLevel(level);
        } finally {
            sendPermit.release();
        }
    }

    private CallOutcome sendLevel(String level) throws InterruptedException {
        if (level.equals(sentLevel)) {
            return SUCCESS;
        }
        // Recorded first, so that a server that refuses is not asked again for every call.
        sentLevel = level;
        Json params = new JsonWriter().beginObject().member("level", level).endObject().toJson();
        return sender.call(METHOD, params, REQUEST_TIMEOUT);
    }
}
