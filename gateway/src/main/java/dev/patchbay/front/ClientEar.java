package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Tells the client behind a request what the server says while it works, and asks it for input. */
final class ClientEar implements CallListener {
    /** People answer these questions. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(10);

    /** What a legacy client gets that set no level: then it is ours to choose. */
    private static final String UNSET_LEVEL = "info";

    private final Caller caller;
    private final @Nullable Json progressToken;
    private final boolean lasting;
    private double progressed = Double.NEGATIVE_INFINITY;

    ClientEar(Caller caller, Json params) {
        this.caller = caller;
        this.progressToken = Caller.progressToken(params);
        this.lasting = params.member(Tasks.TASK) != null;
    }

    @Override
    public Object client() {
        return caller.session();
    }

    @Override
    public String principal() {
        return caller.principal();
    }

    @Override
    public boolean wantsProgress() {
        return progressToken != null;
    }

    /** A modern client says itself whether it knows tasks. */
    @Override
    public boolean takesTasks() {
        return caller.version().era() == Era.MODERN;
    }

    /** Progress only grows, also where one request of the client takes several of ours. */
    @Override
    public void progress(Json params) {
        if (progressToken != null && grows(params.member("progress"))) {
            Json own = Splice.with(params, MetaKeys.PROGRESS_TOKEN, progressToken);
            var told = new Notification("notifications/progress", own);
            if (lasting && caller.session() instanceof LegacySession session) {
                session.tell(told); // the request is answered long before its task ends
            } else {
                caller.exchange().notify(told);
            }
        }
    }

    private synchronized boolean grows(@Nullable Json progress) {
        if (progress == null || !progress.isNumber()) {
            return true; // not ours to judge
        }
        double now = Double.parseDouble(progress.toString());
        boolean grows = now > progressed;
        progressed = Math.max(progressed, now);
        return grows;
    }

    @Override
    public boolean logged(Json params) {
        String wanted = caller.logLevel();
        if (wanted == null && caller.version().era() == Era.LEGACY) {
            wanted = UNSET_LEVEL;
        }
        boolean admitted = LogLevel.admits(wanted, params.memberText("level"));
        if (admitted) {
            caller.exchange().notify(new Notification("notifications/message", params));
        }
        return admitted;
    }

    /** A modern client is asked by the end of a request, which takes more than an ear. */
    @Override
    public boolean takes(String method, Json params) {
        return caller.version().era() == Era.LEGACY && isDeclared(method, params);
    }

    boolean isDeclared(String method, Json params) {
        return Questions.isDeclared(method, params, caller.capabilities());
    }

    @Override
    public Json ask(String method, Json params) throws InterruptedException {
        requireDeclared(method, params);
        if (caller.version().era() == Era.MODERN) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "Nobody can answer " + method + " in this request");
        }
        Json asked = Questions.legacy(method, OlderQuestions.of(method, params, caller.version()));
        if (caller.session() instanceof LegacySession session) {
            session.asked(asked);
        }
        CallOutcome outcome = caller.exchange().call(method, _ -> asked, ANSWER_TIME_MAX);
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> value;
            case CallOutcome.Refused(RpcError error) -> throw new RpcException(error);
            case CallOutcome.TimedOut() -> throw unanswered(method, "no answer in time");
            case CallOutcome.Lost(String why) -> throw unanswered(method, why);
            case CallOutcome.Invalid(String why, _) -> throw unanswered(method, why);
            case CallOutcome.Unauthorized(String why) -> throw unanswered(method, why);
            case CallOutcome.NotSent(String why) -> throw unanswered(method, why);
        };
    }

    /** Refuses what the client did not say it can do. */
    void requireDeclared(String method, Json params) {
        if (!isDeclared(method, params)) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "The client did not declare " + method);
        }
    }

    private static RpcException unanswered(String method, String why) {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The client did not answer " + method + ": " + why);
    }
}
