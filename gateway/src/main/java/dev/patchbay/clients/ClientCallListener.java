package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Forwards progress, log messages and questions of a server to the client of a call. */
final class ClientCallListener implements CallListener {
    /** How long a client may take to answer; people answer these questions. */
    private static final Duration ANSWER_TIME_MAX = Duration.ofMinutes(10);

    /** The log level of a legacy client that set none. */
    private static final String DEFAULT_LEVEL = "info";

    private final ClientContext context;
    private final @Nullable Json progressToken;
    private final boolean isTask;
    private double lastProgress = Double.NEGATIVE_INFINITY;

    ClientCallListener(ClientContext caller, Json params) {
        this.context = caller;
        this.progressToken = ClientContext.progressToken(params);
        this.isTask = params.member(TaskMessages.TASK) != null;
    }

    RequestContext requestContext() {
        return context.requestContext();
    }

    @Override
    public Object client() {
        return context.session();
    }

    @Override
    public Object origin() {
        return context.origin();
    }

    @Override
    public String principal() {
        return context.principal();
    }

    @Override
    public boolean wantsProgress() {
        return progressToken != null;
    }

    /** A modern client declares tasks itself. */
    @Override
    public boolean acceptsTasks() {
        return context.version().era() == Era.MODERN;
    }

    /** Progress only grows, also where one request of the client takes several of ours. */
    @Override
    public void onProgress(Json params) {
        if (progressToken != null && isIncrease(params.member("progress"))) {
            Json own = MemberPatch.with(params, MetaKeys.PROGRESS_TOKEN, progressToken);
            var told = new Notification("notifications/progress", own);
            if (isTask && context.session() instanceof LegacySession session) {
                session.sendNotification(told); // the request is answered long before its task ends
            } else {
                context.requestContext().sendNotification(told);
            }
        }
    }

    private synchronized boolean isIncrease(@Nullable Json progress) {
        if (progress == null || !progress.isNumber()) {
            return true; // not ours to judge
        }
        double now = Double.parseDouble(progress.toString());
        boolean grows = now > lastProgress;
        lastProgress = Math.max(lastProgress, now);
        return grows;
    }

    @Override
    public void onStreamEnded() {
        context.requestContext().endStream();
    }

    @Override
    public boolean onLogMessage(Json params) {
        String wanted = context.logLevel();
        if (wanted == null && context.version().era() == Era.LEGACY) {
            wanted = DEFAULT_LEVEL;
        }
        boolean admitted = LogLevel.includes(wanted, params.memberText("level"));
        if (admitted) {
            context.requestContext()
                    .sendNotification(new Notification("notifications/message", params));
        }
        return admitted;
    }

    /** A modern client is asked by the result of its request: see {@link SuspendedCall}. */
    @Override
    public boolean acceptsInputRequest(String method, Json params) {
        return context.version().era() == Era.LEGACY
                && isDeclared(method, params)
                && context.requestContext().isConnected();
    }

    boolean isDeclared(String method, Json params) {
        return InputRequests.isSupported(method, params, context.capabilities());
    }

    @Override
    public Json requestInput(String method, Json params) throws InterruptedException {
        requireDeclared(method, params);
        if (context.version().era() == Era.MODERN) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND,
                    "No client can answer " + method + " in this request");
        }
        if (!context.requestContext().isConnected()) {
            throw notAnswered(method, "it is not connected");
        }
        Json asked =
                InputRequests.toLegacy(
                        method,
                        InputRequestDowngrade.forVersion(method, params, context.version()));
        if (context.session() instanceof LegacySession session) {
            session.rememberElicitation(asked);
        }
        CallOutcome outcome = context.requestContext().call(method, _ -> asked, ANSWER_TIME_MAX);
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> value;
            case CallOutcome.ErrorResponse(RpcError error) -> throw new RpcException(error);
            case CallOutcome.TimedOut() -> throw notAnswered(method, "no response in time");
            case CallOutcome.ConnectionLost(String why) -> throw notAnswered(method, why);
            case CallOutcome.InvalidResponse(String why, _) -> throw notAnswered(method, why);
            case CallOutcome.Unauthorized(String why) -> throw notAnswered(method, why);
            case CallOutcome.Unreachable(String why) -> throw notAnswered(method, why);
            case CallOutcome.NotSent(String why) -> throw notAnswered(method, why);
        };
    }

    /** Rejects a question that the client did not declare. */
    void requireDeclared(String method, Json params) {
        if (!isDeclared(method, params)) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "The client did not declare " + method);
        }
    }

    private static RpcException notAnswered(String method, String why) {
        return new RpcException(
                RpcError.INTERNAL_ERROR, "The client did not answer " + method + ": " + why);
    }
}
