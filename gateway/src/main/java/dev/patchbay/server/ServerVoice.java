package dev.patchbay.server;

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
import dev.patchbay.server.Flights.Flight;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a server says on its own: its questions go to the client whose call they belong to, its
 * notices to whom they concern.
 */
final class ServerVoice implements Handler {
    private static final System.Logger log = System.getLogger(ServerVoice.class.getName());
    private static final Set<String> QUESTIONS =
            Set.of("sampling/createMessage", "elicitation/create", "roots/list");

    private final ServerId server;
    private final Flights flights;
    private final LinkListener listener;
    private volatile Era era = Era.LEGACY;
    private volatile boolean asks;
    private boolean warned;

    ServerVoice(ServerId server, Flights flights, LinkListener listener) {
        this.server = server;
        this.flights = flights;
        this.listener = listener;
    }

    void speaks(Era spoken) {
        era = spoken;
    }

    /** Whether the server has asked a client something. */
    boolean asks() {
        return asks;
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
            asks = true;
            Json params = request.params();
            return asked(request.method(), exchange.relatedCall())
                    .ask(request.method(), params == null ? Json.EMPTY_OBJECT : params);
        }
        throw new RpcException(RpcError.METHOD_NOT_FOUND, "Method not found: " + request.method());
    }

    private void passOver(Request request) {
        if (!warned) {
            warned = true;
            log.log(
                    WARNING,
                    "Server {0} sent a request ({1}), which its version of MCP does not have",
                    server,
                    request.method());
        }
    }

    /** The call a question belongs to. A guess could show it to the wrong client. */
    private Flight asked(String method, OptionalLong related) {
        if (related.isPresent()) {
            Flight flight = flights.of(related.getAsLong());
            if (flight == null) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR, "The call that " + method + " is for is over");
            }
            return flight;
        }
        List<Flight> heard = flights.heard(_ -> true);
        if (heard.isEmpty()) {
            throw new RpcException(
                    RpcError.METHOD_NOT_FOUND, "No call is in flight that " + method + " is for");
        }
        if (heard.size() > 1) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "%d calls are in flight, and it cannot be told which of them %s is for"
                            .formatted(heard.size(), method));
        }
        return heard.getFirst();
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
            case "notifications/subscriptions/acknowledged" -> {
                // What is not announced will not come; there is nobody to tell.
            }
            case "notifications/resources/updated" -> listener.resourceUpdated(server, params);
            default -> listener.notified(server, notification.method(), params);
        }
    }

    private void progress(Json params) {
        Json token = params.member(MetaKeys.PROGRESS_TOKEN);
        Flight flight = token == null ? null : flights.of(token.asLong(-1));
        if (flight != null && flight.caller().wantsProgress()) {
            flight.caller().progress(params);
        }
    }

    private void logged(Json params, OptionalLong related) {
        Flight flight = related.isPresent() ? flights.of(related.getAsLong()) : null;
        List<Flight> wanting =
                flight != null
                        ? List.of(flight)
                        : flights.heard(options -> options.logLevel() != null);
        if (wanting.size() == 1) {
            wanting.getFirst().caller().logged(params);
        } else {
            listener.logged(server, params);
        }
    }

    private static void cancelled(Json params, Exchange exchange) {
        Json id = params.member("requestId");
        RequestId request = id == null ? null : RequestId.of(id);
        if (request != null) {
            exchange.cancel(request);
        }
    }
}
