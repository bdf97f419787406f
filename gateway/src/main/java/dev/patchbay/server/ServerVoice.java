package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Tasks;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a server says on its own: its questions go to the client whose call they belong to, its
 * notices to whom they concern.
 */
final class ServerVoice implements Handler {
    private static final Set<String> QUESTIONS =
            Set.of("sampling/createMessage", "elicitation/create", "roots/list");

    private final ServerId server;
    private final Flights flights;
    private final LinkListener listener;
    private final Consumer<Json> acknowledged;
    private volatile Era era = Era.LEGACY;
    private boolean warned;

    ServerVoice(
            ServerId server, Flights flights, LinkListener listener, Consumer<Json> acknowledged) {
        this.server = server;
        this.flights = flights;
        this.listener = listener;
        this.acknowledged = acknowledged;
    }

    void speaks(Era spoken) {
        era = spoken;
    }

    @Override
    public void missed() {
        listener.missed(server);
    }

    @Override
    public boolean answersMalformed() {
        return false;
    }

    @Override
    public boolean isImmediate(Request request) {
        return era == Era.MODERN; // such a request is only passed over
    }

    @Override
    public Json handle(Request request, Exchange exchange) throws InterruptedException {
        if (era == Era.MODERN) {
            // The modern era has no requests of servers, and no answers of clients.
            passOver(request);
            exchange.cancel(request.id());
            return Json.EMPTY_OBJECT;
        }
        if (request.method().equals("ping")) {
            return Json.EMPTY_OBJECT;
        }
        if (QUESTIONS.contains(request.method())) {
            Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
            String task = Tasks.related(params);
            List<Flight> calls =
                    task == null || exchange.relatedCall().isPresent()
                            ? asked(request.method(), exchange.relatedCall())
                            : List.of(awaited(request.method(), task));
            return new Asking(flights, calls, request.method(), params).ask();
        }
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Method not found: " + request.method());
    }

    private void passOver(Request request) {
        if (!warned) {
            warned = true;
            log().log(
                            WARNING,
                            "Server {0} sent a request ({1}), which its version of MCP does not"
                                    + " have",
                            server,
                            request.method());
        }
    }

    /** The call that waits for the task a question is marked with, and no other. */
    private Flight awaited(String method, String task) {
        Flight flight = flights.ofTask(task);
        if (flight == null) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "Nobody waits for the result of the task that " + method + " is for");
        }
        return flight;
    }

    /**
     * The calls a question may be about, all of one client. Where the transport does not tell, that
     * is the client whose calls are in flight. With several clients of one user it is the one that
     * does not wait for a person's answer already: a call that does rarely asks for more.
     */
    private List<Flight> asked(String method, OptionalLong related) {
        if (related.isPresent()) {
            Flight flight = flights.of(related.getAsLong());
            if (flight == null) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR, "The call that " + method + " is for is over");
            }
            return List.of(flight);
        }
        List<Flight> heard = flights.heard();
        if (heard.isEmpty()) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "No call is in flight that " + method + " is for");
        }
        flights.takeTurns();
        if (clients(heard) == 1) {
            return heard;
        }
        List<Flight> free = heard.stream().filter(flight -> !flight.isAsking()).toList();
        boolean ofOneUser =
                heard.stream().map(flight -> flight.caller().principal()).distinct().count() == 1;
        if (ofOneUser && clients(free) == 1) {
            return free;
        }
        throw new RpcException(
                RpcError.INTERNAL_ERROR,
                "Calls of %d clients are in flight, and it cannot be told which of them %s is for"
                        .formatted(clients(heard), method));
    }

    private static long clients(List<Flight> calls) {
        return calls.stream().map(Flight::client).distinct().count();
    }

    @Override
    public void notified(Notification notification, Exchange exchange) {
        Json given = notification.params();
        Json params = given == null ? Json.EMPTY_OBJECT : given;
        switch (notification.method()) {
            case "notifications/progress" -> progress(params);
            case "notifications/message" -> logged(params, exchange.relatedCall());
            case "notifications/cancelled" -> cancelled(params, exchange);
            case "notifications/tools/list_changed" -> listener.listChanged(server, "tools");
            case "notifications/prompts/list_changed" -> listener.listChanged(server, "prompts");
            case "notifications/resources/list_changed" ->
                    listener.listChanged(server, "resources");
            case "notifications/subscriptions/acknowledged" -> acknowledged.accept(params);
            case "notifications/resources/updated" -> listener.resourceUpdated(server, params);
            default -> listener.notified(server, notification.method(), params);
        }
    }

    private void progress(Json params) {
        Json token = params.member(MetaKeys.PROGRESS_TOKEN);
        Flight flight = token == null ? null : flights.progressing(token.asLong(-1));
        if (flight != null && flight.caller().wantsProgress()) {
            flight.caller().progress(params);
        }
    }

    /**
     * A log message goes to the client whose call it belongs to. Where the transport does not tell,
     * it belongs to the one client that has calls in flight, and goes with the first of them that
     * wants it; with several clients it could reach another.
     */
    private void logged(Json params, OptionalLong related) {
        if (related.isPresent()) {
            Flight flight = flights.of(related.getAsLong());
            if (flight != null) {
                boolean _ = flight.caller().logged(params);
            }
            return;
        }
        List<Flight> heard = flights.heard();
        long clients = clients(heard);
        if (clients == 0) {
            listener.logged(server, params);
        } else if (clients == 1) {
            boolean _ = heard.stream().anyMatch(flight -> flight.caller().logged(params));
        } else {
            log().log(DEBUG, "Server {0}: a log message of one of {1} clients", server, clients);
        }
    }

    private static void cancelled(Json params, Exchange exchange) {
        Json id = params.member("requestId");
        RequestId request = id == null ? null : RequestId.of(id);
        if (request != null) {
            exchange.cancel(request);
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ServerVoice.class.getName());
    }
}
