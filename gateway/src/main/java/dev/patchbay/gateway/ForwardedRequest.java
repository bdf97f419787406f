package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.server.PrincipalShares;
import dev.patchbay.server.QuestionPolicy;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSession;
import dev.patchbay.server.ServerUnavailableException;
import dev.patchbay.server.StartLimiter.Priority;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A request to a server on behalf of a client. It is sent at most once: over a second session only
 * if nothing of it was sent over the first.
 */
final class ForwardedRequest {
    private final ServerEntry server;
    private final String method;
    private final String target;
    private final Duration timeout;
    private final CallContext context;
    private @Nullable ConnectionId connection;

    /**
     * Creates a request.
     *
     * @param target what is requested, for messages
     */
    ForwardedRequest(
            ServerEntry server,
            String method,
            String target,
            Duration timeout,
            CallContext context) {
        this.server = server;
        this.method = method;
        this.target = target;
        this.timeout = timeout;
        this.context = context;
    }

    /** Sends the request over a certain connection; null for the one of the client. */
    ForwardedRequest over(@Nullable ConnectionId other) {
        connection = other;
        return this;
    }

    /**
     * Sends the request if the server is connected and takes it without waiting. The receiver gets
     * the result on the thread that reads from the server.
     */
    SendResult trySend(Json params, Consumer<CallResult> receiver) {
        ServerSession session = server.connections().currentSession(context.caller());
        if (session == null) {
            return new SendResult.NotSent("The server is not connected");
        }
        PrincipalShares.Share share = server.requestShares().tryAcquire(context.principal());
        if (share == null) {
            return new SendResult.NotSent(shareTaken());
        }
        SendResult result = new SendResult.NotSent("Interrupted");
        try {
            result =
                    session.send(
                            method,
                            params,
                            context.options(timeout),
                            Duration.ZERO,
                            outcome -> {
                                share.close();
                                receiver.accept(toCallResult(outcome));
                            });
            return result;
        } catch (InterruptedException _) { // zero patience does not wait
            Thread.currentThread().interrupt();
            return result;
        } finally {
            if (result instanceof SendResult.NotSent) {
                share.close();
            }
        }
    }

    private String shareTaken() {
        return "This client has %d requests there already"
                .formatted(server.requestShares().shareMax());
    }

    /** Connects the server if needed, sends the request and waits for the result. */
    CallResult send(Json params) throws InterruptedException {
        return send(params, timeout);
    }

    /** Sends with the rest of the timeout. Messages name the whole timeout. */
    CallResult send(Json params, Duration left) throws InterruptedException {
        try (PrincipalShares.Share share = server.requestShares().tryAcquire(context.principal())) {
            if (share == null) {
                return toCallResult(new CallOutcome.NotSent(shareTaken()));
            }
            ServerSession session = session(left);
            CallOutcome outcome = session.call(method, params, context.options(left));
            if (outcome instanceof CallOutcome.Unreachable && !session.isOpen()) {
                outcome = session(left).call(method, params, context.options(left));
            }
            return toCallResult(outcome);
        } catch (ServerUnavailableException e) {
            return new CallResult.Failed(server.id(), e.failure());
        }
    }

    /**
     * Connects the server if needed, for a call that began at the given time. Returns the failure,
     * or null if it is connected.
     */
    @Nullable CallResult connect(long startedNanos) throws InterruptedException {
        try {
            Duration patience = connectPatience(timeout);
            ServerSession _ =
                    server.connections().session(context.caller(), patience, startedNanos);
            return null;
        } catch (ServerUnavailableException e) {
            return new CallResult.Failed(server.id(), e.failure());
        }
    }

    private ServerSession session(Duration left)
            throws ServerUnavailableException, InterruptedException {
        Duration patience = connectPatience(left);
        return connection == null
                ? server.connections().session(context.caller(), patience)
                : server.connections().session(connection, patience);
    }

    private Duration connectPatience(Duration left) {
        server.supervisor().startPriority(Priority.HIGH);
        Duration connecting = server.spec().options().limits().connectionTimeout();
        return connecting.compareTo(left) > 0 ? connecting : left;
    }

    private CallResult toCallResult(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> checkResult(value);
            case CallOutcome.ErrorResponse(RpcError error) ->
                    new CallResult.ServerError(
                            server.id(), QuestionPolicy.of(server.spec()).labelError(error));
            case CallOutcome.TimedOut() ->
                    failed(
                            "did not answer %s of %s within the timeout of %d ms. It may still run."
                                    .formatted(method, target, timeout.toMillis()),
                            ExecutionStatus.UNKNOWN);
            case CallOutcome.ConnectionLost(String why) ->
                    failed(
                            "was lost before it answered %s of %s: %s. It may have run."
                                    .formatted(method, target, why),
                            ExecutionStatus.UNKNOWN);
            case CallOutcome.InvalidResponse(String why, _) ->
                    failed(
                            "sent an invalid response to %s of %s: %s"
                                    .formatted(method, target, why),
                            ExecutionStatus.UNKNOWN);
            case CallOutcome.Unauthorized(String why) ->
                    failed(
                            ErrorReason.SIGN_IN_NEEDED,
                            "requires sign-in: " + why,
                            ExecutionStatus.NOT_SENT);
            case CallOutcome.Unreachable(String why) ->
                    notSent(
                            ErrorReason.CONNECTION_FAILED,
                            "Could not reach server \"%s\": %s",
                            why);
            case CallOutcome.NotSent(String why) ->
                    notSent(ErrorReason.OVERLOADED, "Server %s took no request: %s", why);
        };
    }

    /** An unknown resultType is reported as a failure. */
    private CallResult checkResult(Json result) {
        if (!result.isObject()) {
            return failed("sent a result that is not an object", ExecutionStatus.EXECUTED);
        }
        if (!ResultConverter.hasKnownType(result)) {
            String type =
                    DisplayText.quoteName(
                            String.valueOf(result.member(ResultConverter.RESULT_TYPE)));
            return failed(
                    "sent a result with the unknown resultType " + type, ExecutionStatus.EXECUTED);
        }
        boolean mayAsk = !ResultConverter.isComplete(result) || method.startsWith("tasks/");
        return mayAsk ? labelled(result) : new CallResult.Answered(server.id(), result);
    }

    /** The questions in a result name the server; one that is withheld ends the call. */
    private CallResult labelled(Json result) {
        try {
            Json shown = QuestionPolicy.of(server.spec()).labelInputRequests(result);
            return new CallResult.Answered(server.id(), shown);
        } catch (RpcException e) {
            return failed("asked for input. " + e.error().message(), ExecutionStatus.UNKNOWN);
        }
    }

    private CallResult notSent(ErrorReason reason, String problem, String why) {
        String message = problem.formatted(server.id(), why) + ". The call was not sent.";
        return new CallResult.Failed(
                server.id(),
                new ServerFailure(reason, message, method, 1, ExecutionStatus.NOT_SENT));
    }

    private CallResult failed(String how, ExecutionStatus execution) {
        return failed(ErrorReason.INVOCATION_FAILED, how, execution);
    }

    private CallResult failed(ErrorReason reason, String how, ExecutionStatus execution) {
        String message = "Server %s %s".formatted(server.id(), how);
        return new CallResult.Failed(
                server.id(), new ServerFailure(reason, message, method, 1, execution));
    }
}
