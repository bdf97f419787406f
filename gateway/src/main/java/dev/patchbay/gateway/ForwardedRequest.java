package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way of one request to one server and back. It is sent at most once: over a second link only
 * if it is certain that nothing of it left over the first.
 */
final class ForwardedRequest {
    private final ServerEntry server;
    private final String method;
    private final String target;
    private final Duration timeout;
    private final CallContext context;

    /** A passage for something that is called so in messages. */
    ForwardedRequest(
            ServerEntry server, String method, String what, Duration timeout, CallContext source) {
        this.server = server;
        this.method = method;
        this.target = what;
        this.timeout = timeout;
        this.context = source;
    }

    CallResult send(Json params) throws InterruptedException {
        return send(params, timeout);
    }

    /** Sends with what is left of the timeout; whoever reads of it knows the whole. */
    CallResult send(Json params, Duration left) throws InterruptedException {
        Duration connecting = server.spec().options().limits().connectionTimeout();
        Duration patience = connecting.compareTo(left) > 0 ? connecting : left;
        server.supervisor().startPriority(Priority.HIGH);
        try {
            ServerSession link = server.supervisor().session(patience);
            CallOutcome outcome = call(link, params, left);
            if (outcome instanceof CallOutcome.NotSent && !link.isOpen()) {
                outcome = call(server.supervisor().session(patience), params, left);
            }
            return toCallResult(outcome);
        } catch (ServerUnavailableException e) {
            return new CallResult.Failed(server.id(), e.failure());
        }
    }

    /**
     * Sends without waiting, if the server is there and takes it at once.
     *
     * @return the way to give it up; null if nothing was sent
     */
    @Nullable Runnable trySend(Json params, Consumer<CallResult> receiver) {
        ServerSession link = server.supervisor().currentSession();
        return link == null
                ? null
                : link.tryCall(
                        method,
                        params,
                        context.options(timeout),
                        outcome -> receiver.accept(toCallResult(outcome)));
    }

    private CallOutcome call(ServerSession link, Json params, Duration left)
            throws InterruptedException {
        return link.call(method, params, context.options(left));
    }

    private CallResult toCallResult(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> checkResult(value);
            case CallOutcome.ErrorResponse(RpcError error) ->
                    new CallResult.ServerError(server.id(), error);
            case CallOutcome.TimedOut() ->
                    failed(
                            "did not answer within the timeout of "
                                    + timeout.toMillis()
                                    + " ms; it may still be at work",
                            ExecutionStatus.UNKNOWN);
            case CallOutcome.ConnectionLost(String why) ->
                    failed("was lost before it answered: " + why, ExecutionStatus.UNKNOWN);
            case CallOutcome.InvalidResponse(String why, _) ->
                    failed("gave an answer that cannot be used: " + why, ExecutionStatus.UNKNOWN);
            case CallOutcome.Unauthorized(String why) ->
                    failed(
                            ErrorReason.SIGN_IN_NEEDED,
                            "did not let us in: " + why,
                            ExecutionStatus.NOT_SENT);
            case CallOutcome.NotSent(String why) ->
                    failed(
                            ErrorReason.OVERLOADED,
                            "was not asked: " + why,
                            ExecutionStatus.NOT_SENT);
        };
    }

    /** What a result of a type means that nobody knows, nobody can say; a client gets none. */
    private CallResult checkResult(Json result) {
        if (!result.isObject()) {
            return failed("answered with a result that is no object", ExecutionStatus.EXECUTED);
        }
        if (!ResultConverter.hasKnownType(result)) {
            String type =
                    DisplayText.quoteName(
                            String.valueOf(result.member(ResultConverter.RESULT_TYPE)));
            return failed("answered with the resultType " + type, ExecutionStatus.EXECUTED);
        }
        return new CallResult.Answered(server.id(), result);
    }

    private CallResult failed(String how, ExecutionStatus execution) {
        return failed(ErrorReason.INVOCATION_FAILED, how, execution);
    }

    private CallResult failed(ErrorReason reason, String how, ExecutionStatus execution) {
        String message =
                "Server %s, asked for %s of %s, %s".formatted(server.id(), method, target, how);
        return new CallResult.Failed(
                server.id(), new ServerFailure(reason, message, method, 1, execution));
    }
}
