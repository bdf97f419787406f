package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.Results;
import dev.patchbay.server.Link;
import dev.patchbay.server.ServerUnavailable;
import dev.patchbay.server.StartGate.Turn;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way of one request to one server and back. It is sent at most once: over a second link only
 * if it is certain that nothing of it left over the first.
 */
final class Passage {
    private final Registered server;
    private final String method;
    private final String what;
    private final Duration timeout;
    private final CallSource source;

    /** A passage for something that is called so in messages. */
    Passage(Registered server, String method, String what, Duration timeout, CallSource source) {
        this.server = server;
        this.method = method;
        this.what = what;
        this.timeout = timeout;
        this.source = source;
    }

    Reply send(Json params) throws InterruptedException {
        return send(params, timeout);
    }

    /** Sends with what is left of the timeout; whoever reads of it knows the whole. */
    Reply send(Json params, Duration left) throws InterruptedException {
        Duration connecting = server.spec().options().limits().connectionTimeout();
        Duration patience = connecting.compareTo(left) > 0 ? connecting : left;
        server.supervisor().turn(Turn.FIRST);
        try {
            Link link = server.supervisor().link(patience);
            CallOutcome outcome = call(link, params, left);
            if (outcome instanceof CallOutcome.NotSent && !link.isOpen()) {
                outcome = call(server.supervisor().link(patience), params, left);
            }
            return reply(outcome);
        } catch (ServerUnavailable e) {
            return new Reply.Failed(server.id(), e.trouble());
        }
    }

    /**
     * Sends without waiting, if the server is there and takes it at once.
     *
     * @return the way to give it up; null if nothing was sent
     */
    @Nullable Runnable pass(Json params, Consumer<Reply> receiver) {
        Link link = server.supervisor().liveLink();
        return link == null
                ? null
                : link.pass(
                        method,
                        params,
                        source.options(timeout),
                        outcome -> receiver.accept(reply(outcome)));
    }

    private CallOutcome call(Link link, Json params, Duration left) throws InterruptedException {
        return link.call(method, params, source.options(left));
    }

    private Reply reply(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Result(Json value) -> answered(value);
            case CallOutcome.Refused(RpcError error) -> new Reply.Refused(server.id(), error);
            case CallOutcome.TimedOut() ->
                    failed(
                            "did not answer within the timeout of "
                                    + timeout.toMillis()
                                    + " ms; it may still be at work",
                            Execution.UNKNOWN);
            case CallOutcome.Lost(String why) ->
                    failed("was lost before it answered: " + why, Execution.UNKNOWN);
            case CallOutcome.Invalid(String why, _) ->
                    failed("gave an answer that cannot be used: " + why, Execution.UNKNOWN);
            case CallOutcome.Unauthorized(String why) ->
                    failed(Reason.SIGN_IN_NEEDED, "did not let us in: " + why, Execution.NOT_SENT);
            case CallOutcome.NotSent(String why) ->
                    failed(Reason.OVERLOADED, "was not asked: " + why, Execution.NOT_SENT);
        };
    }

    /** What a result of a type means that nobody knows, nobody can say; a client gets none. */
    private Reply answered(Json result) {
        if (!result.isObject()) {
            return failed("answered with a result that is no object", Execution.EXECUTED);
        }
        if (!Results.isOfKnownType(result)) {
            String type = Text.brief(String.valueOf(result.member(Results.TYPE)));
            return failed("answered with the resultType " + type, Execution.EXECUTED);
        }
        return new Reply.Answered(server.id(), result);
    }

    private Reply failed(String how, Execution execution) {
        return failed(Reason.INVOCATION_FAILED, how, execution);
    }

    private Reply failed(Reason reason, String how, Execution execution) {
        String message =
                "Server %s, asked for %s of %s, %s".formatted(server.id(), method, what, how);
        return new Reply.Failed(server.id(), new Trouble(reason, message, method, 1, execution));
    }
}
