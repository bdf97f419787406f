package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Tells the client behind a request what the server says while it works, and asks it for input. */
final class ClientEar implements CallListener {
    /** People answer these questions. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(10);

    private final Caller caller;
    private final @Nullable Json progressToken;

    ClientEar(Caller caller, Json params) {
        this.caller = caller;
        this.progressToken = Caller.progressToken(params);
    }

    @Override
    public boolean wantsProgress() {
        return progressToken != null;
    }

    @Override
    public void progress(Json params) {
        if (progressToken != null) {
            Json own = replaced(params, MetaKeys.PROGRESS_TOKEN, progressToken);
            caller.exchange().notify(new Notification("notifications/progress", own));
        }
    }

    @Override
    public void logged(Json params) {
        if (LogLevel.admits(caller.logLevel(), params.memberText("level"))) {
            caller.exchange().notify(new Notification("notifications/message", params));
        }
    }

    @Override
    public Json ask(String method, Json params) throws InterruptedException {
        requireDeclared(method);
        CallOutcome outcome = caller.exchange().call(method, _ -> params, ANSWER_TIME_MAX);
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> value;
            case CallOutcome.Refused(RpcError error) -> throw new RpcException(error);
            case CallOutcome.TimedOut() -> throw unanswered(method, "no answer in time");
            case CallOutcome.Lost(String why) -> throw unanswered(method, why);
            case CallOutcome.Invalid(String why) -> throw unanswered(method, why);
            case CallOutcome.NotSent(String why) -> throw unanswered(method, why);
        };
    }

    /** Refuses what the client did not say it can do. */
    void requireDeclared(String method) {
        if (!declares(method)) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "The client did not declare " + method);
        }
    }

    private boolean declares(String method) {
        String capability =
                switch (method) {
                    case "sampling/createMessage" -> "sampling";
                    case "elicitation/create" -> "elicitation";
                    case "roots/list" -> "roots";
                    default -> "";
                };
        return caller.capabilities().member(capability) != null;
    }

    private static RpcException unanswered(String method, String why) {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The client did not answer " + method + ": " + why);
    }

    private static Json replaced(Json object, String name, Json value) {
        var writer = new JsonWriter().beginObject();
        Members members = object.walk();
        while (members.next()) {
            writer.name(members.name()).value(members.nameIs(name) ? value : members.value());
        }
        return writer.endObject().toJson();
    }
}
