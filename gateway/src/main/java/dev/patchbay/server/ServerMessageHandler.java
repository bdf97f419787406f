package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.text.DisplayText;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a server says on its own: its questions go to the client whose call they belong to, its
 * notices to whom they concern.
 */
final class ServerMessageHandler implements RpcHandler {
    private static final Set<String> INPUT_REQUEST_METHODS =
            Set.of("sampling/createMessage", "elicitation/create", "roots/list");

    private final ServerId server;
    private final QuestionPolicy questions;
    private final InFlightCalls inFlightCalls;
    private final InputRequestRouter inputRequests;
    private final ServerEventListener listener;
    private final Consumer<Json> onAcknowledged;
    private volatile Era era = Era.LEGACY;
    private boolean warned;

    ServerMessageHandler(
            QuestionPolicy questions,
            InFlightCalls inFlightCalls,
            InputRequestRouter inputRequests,
            ServerEventListener listener,
            Consumer<Json> acknowledged) {
        this.server = questions.server();
        this.questions = questions;
        this.inFlightCalls = inFlightCalls;
        this.inputRequests = inputRequests;
        this.listener = listener;
        this.onAcknowledged = acknowledged;
    }

    void setEra(Era spoken) {
        era = spoken;
    }

    @Override
    public void onNotificationsLost() {
        listener.onNotificationsLost(server);
    }

    @Override
    public void onStreamEnded(long call) {
        InFlightCall flight = inFlightCalls.find(call);
        if (flight != null) {
            flight.listener().onStreamEnded();
        }
    }

    @Override
    public boolean respondsToMalformed() {
        return false;
    }

    @Override
    public void handle(Request request, Responder responder) {
        if (era == Era.MODERN) {
            // In the modern era servers send no requests and clients send no responses.
            warnUnexpectedRequest(request);
            responder.context().cancelRequest(request.id());
        } else if (INPUT_REQUEST_METHODS.contains(request.method())) {
            // Taken in by the thread that reads: a call that is sent later did not ask.
            ServerInputRequest question = open(request, responder.context());
            responder.fork(() -> inputRequests.ask(question));
        } else {
            // Even a ping is answered on another thread. This one must go on reading, also while
            // the server does not read its answers.
            responder.fork(() -> answer(request));
        }
    }

    private static Json answer(Request request) {
        if (request.method().equals("ping")) {
            return Json.EMPTY_OBJECT;
        }
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Method not found: " + request.method());
    }

    /** Takes in a question about the call that the transport or a task names, or about any. */
    private ServerInputRequest open(Request request, RequestContext exchange) {
        String method = request.method();
        Json given = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        Json params = questions.label(method, given);
        String task = TaskMessages.relatedTaskId(params);
        if (exchange.relatedCallId().isPresent()) {
            InFlightCall call = inFlightCalls.find(exchange.relatedCallId().getAsLong());
            if (call == null) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR,
                        "The call that " + method + " belongs to has ended");
            }
            return inputRequests.open(method, params, call);
        }
        return task == null
                ? inputRequests.open(method, params)
                : inputRequests.open(method, params, callAwaitingTask(method, task));
    }

    private void warnUnexpectedRequest(Request request) {
        if (!warned) {
            warned = true;
            log().log(
                            WARNING,
                            "Server {0} sent a request ({1}), which its version of MCP does not"
                                    + " have",
                            server,
                            DisplayText.quote(request.method()));
        }
    }

    /** The call that waits for the task a question is marked with, and no other. */
    private InFlightCall callAwaitingTask(String method, String task) {
        InFlightCall flight = inFlightCalls.findByTask(task);
        if (flight == null) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "No client waits for the task that " + method + " belongs to");
        }
        return flight;
    }

    private static long clientCount(List<InFlightCall> calls) {
        return calls.stream().map(call -> call.listener().client()).distinct().count();
    }

    @Override
    public void onNotification(Notification notification, RequestContext exchange) {
        Json given = notification.params();
        Json params = given == null ? Json.EMPTY_OBJECT : given;
        switch (notification.method()) {
            case "notifications/progress" -> forwardProgress(params);
            case "notifications/message" -> forwardLogMessage(params, exchange.relatedCallId());
            case "notifications/cancelled" -> cancelRequest(params, exchange);
            case "notifications/tools/list_changed" -> listener.onListChanged(server, "tools");
            case "notifications/prompts/list_changed" -> listener.onListChanged(server, "prompts");
            case "notifications/resources/list_changed" ->
                    listener.onListChanged(server, "resources");
            case "notifications/subscriptions/acknowledged" -> onAcknowledged.accept(params);
            case "notifications/tasks" ->
                    listener.onNotification(
                            server, notification.method(), questions.labelTask(params));
            case "notifications/resources/updated" -> listener.onResourceUpdated(server, params);
            default -> listener.onNotification(server, notification.method(), params);
        }
    }

    private void forwardProgress(Json params) {
        Json token = params.member(MetaKeys.PROGRESS_TOKEN);
        InFlightCall flight =
                token == null ? null : inFlightCalls.findForProgress(token.asLong(-1));
        if (flight != null && flight.listener().wantsProgress()) {
            flight.listener().onProgress(params);
        }
    }

    /**
     * A log message goes to the client whose call it belongs to. Where the transport does not tell,
     * it belongs to the one client that has calls in flight, and goes with the first of them that
     * wants it; with several clients it could reach another.
     */
    private void forwardLogMessage(Json given, OptionalLong related) {
        Json params = questions.labelLogMessage(given);
        if (related.isPresent()) {
            InFlightCall flight = inFlightCalls.find(related.getAsLong());
            if (flight != null) {
                boolean _ = flight.listener().onLogMessage(params);
            }
            return;
        }
        List<InFlightCall> heard = inFlightCalls.withListener();
        long clients = clientCount(heard);
        if (clients == 0) {
            listener.onLogMessage(server, params);
        } else if (clients == 1) {
            boolean _ = heard.stream().anyMatch(flight -> flight.listener().onLogMessage(params));
        } else {
            log().log(DEBUG, "Server {0}: a log message of one of {1} clients", server, clients);
        }
    }

    private static void cancelRequest(Json params, RequestContext exchange) {
        Json id = params.member("requestId");
        RequestId request = id == null ? null : RequestId.of(id);
        if (request != null) {
            exchange.cancelRequest(request);
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ServerMessageHandler.class.getName());
    }
}
