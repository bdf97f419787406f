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
final class ToldLevel {
    static final String METHOD = "logging/setLevel";

    private static final Duration TELL_TIME_MAX = Duration.ofSeconds(5);
    private static final CallOutcome DONE = new CallOutcome.Result(Json.EMPTY_OBJECT);

    /** Sends the request that tells. */
    interface Sender {
        CallOutcome call(String method, Json params, Duration timeout) throws InterruptedException;
    }

    private final Sender sender;

    /** One at a time: what is noted last is what the server hears last. */
    private final Semaphore turn = new Semaphore(1);

    private volatile boolean settable;
    private volatile @Nullable String told;

    ToldLevel(Sender sender) {
        this.sender = sender;
    }

    void agreed(LinkFacts facts) {
        settable = facts.version().era() == Era.LEGACY && facts.offers("logging");
    }

    /** Whether a call that wants messages from a level on can go out at once. */
    boolean isEnoughFor(@Nullable String wanted) {
        return !settable || wanted == null || LogLevel.admits(told, wanted);
    }

    /** Has messages from a level on sent, for a call that wants them. */
    void lowerTo(@Nullable String wanted) throws InterruptedException {
        if (wanted != null && !isEnoughFor(wanted)) {
            CallOutcome _ = tell(wanted);
        }
    }

    /** Tells the server the level, if it has one to be told. */
    CallOutcome tell(String level) throws InterruptedException {
        if (!settable || level.equals(told)) {
            return DONE;
        }
        if (!turn.tryAcquire(TELL_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            return new CallOutcome.TimedOut();
        }
        try {
            return tellNext(level);
        } finally {
            turn.release();
        }
    }

    private CallOutcome tellNext(String level) throws InterruptedException {
        if (level.equals(told)) {
            return DONE;
        }
        // Noted first: a server that refuses or keeps silent is not asked again for every call.
        told = level;
        Json params = new JsonWriter().beginObject().member("level", level).endObject().toJson();
        return sender.call(METHOD, params, TELL_TIME_MAX);
    }
}
