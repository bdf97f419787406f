package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * The endpoint of both eras. A message that names a modern version is independent; any other
 * belongs to a session.
 */
final class McpEndpoint {
    private final HttpLimits limits;
    private final RequestBodyBudget bodyBudget;
    private final ModernEndpoint modern;
    private final LegacyEndpoint legacy;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    McpEndpoint(HttpLimits limits, ModernEndpoint modern, LegacyEndpoint legacy) {
        this.limits = limits;
        this.bodyBudget = new RequestBodyBudget(limits.sizes().bodiesBytesMax());
        this.modern = modern;
        this.legacy = legacy;
    }

    void handle(HttpExchange visit, EndpointClient client) {
        switch (visit.request().getMethod()) {
            case "POST" -> handlePost(visit, client);
            case "GET" -> handleGet(visit, client);
            case "DELETE" -> {
                if (isModern(visit)) {
                    refuseMethod(visit, "POST");
                } else {
                    var posting = new McpHttpRequest(visit, client, AcceptHeader.parse(null));
                    visit.runOnVirtualThread(() -> legacy.deleteSession(posting));
                }
            }
            default -> refuseMethod(visit, "GET, POST, DELETE");
        }
    }

    private void handleGet(HttpExchange visit, EndpointClient client) {
        AcceptHeader accepts = AcceptHeader.parse(visit.header("Accept"));
        if (isModern(visit)) {
            refuseMethod(visit, "POST");
        } else if (!accepts.acceptsEvents()) {
            visit.refuse(406, AcceptHeader.EVENTS + " is not accepted");
        } else {
            visit.runOnVirtualThread(
                    () -> legacy.openStream(new McpHttpRequest(visit, client, accepts)));
        }
    }

    private static boolean isModern(HttpExchange visit) {
        return ModernEndpoint.isModernVersion(visit.header(McpHeaders.PROTOCOL_VERSION));
    }

    private static void refuseMethod(HttpExchange visit, String allowed) {
        visit.setHeader("Allow", allowed);
        visit.refuse(405, "Method not allowed");
    }

    private void handlePost(HttpExchange visit, EndpointClient client) {
        if (!isJson(visit.header("Content-Type")) || isEncoded(visit.header("Content-Encoding"))) {
            visit.refuse(415, "Content-Type must be " + AcceptHeader.JSON);
            return;
        }
        AcceptHeader accepts = AcceptHeader.parse(visit.header("Accept"));
        if (accepts.acceptsNothing()) {
            visit.refuse(
                    406, "Accept must name " + AcceptHeader.JSON + " and " + AcceptHeader.EVENTS);
            return;
        }
        var posting = new McpHttpRequest(visit, client, accepts);
        RequestBodyBudget.Reservation reservation = bodyBudget.open(client.principal());
        visit.closeWhenComplete(reservation);
        var body = new RequestBodyReader(visit.request(), limits, reservation);
        try {
            if (!body.isSmall() || !body.readAvailable()) {
                visit.runOnVirtualThread(() -> readRestAndHandle(posting, body));
                return;
            }
        } catch (RequestBodyReader.BodyException e) {
            visit.setHeader("Connection", "close");
            visit.refuse(e.status(), String.valueOf(e.getMessage()));
            return;
        }
        handleMessage(posting, decoder.decode(body.bytes(), 0, body.length()));
    }

    /** Waits for the rest of a body and handles it. */
    private void readRestAndHandle(McpHttpRequest posting, RequestBodyReader body) {
        try {
            body.readAll();
        } catch (RequestBodyReader.BodyException e) {
            posting.exchange().setHeader("Connection", "close");
            posting.refuse(e.status(), String.valueOf(e.getMessage()));
            return;
        }
        MemberFinder tooLong = body.oversizedEnvelope();
        if (tooLong != null) {
            refuseTooLong(posting.exchange(), tooLong);
        } else {
            handleMessage(posting, decoder.decode(body.bytes(), 0, body.length()));
        }
    }

    /** Handles a posted message. Does not block: this may be a thread of the HTTP server. */
    private void handleMessage(McpHttpRequest posting, DecodedFrame message) {
        switch (message) {
            case Request request -> handleRequest(posting, request);
            case Notification notification -> handleNotification(posting, notification);
            case Response response -> legacy.handleResponse(posting, response);
            case BadResponse response -> legacy.handleBadResponse(posting, response);
            case Batch batch ->
                    posting.exchange().runOnVirtualThread(() -> legacy.handleBatch(posting, batch));
            case Malformed(RequestId id, RpcError error) ->
                    posting.exchange().refuse(400, id, error);
        }
    }

    private void handleRequest(McpHttpRequest posting, Request received) {
        Request request = McpHeaders.withTraceContext(received, posting.exchange()::header);
        Json claim = McpHeaders.claimedVersion(request.params());
        if (claim != null) {
            modern.handleRequest(posting, request, claim);
        } else if (ModernEndpoint.isModernVersion(posting.protocolVersion())) {
            modern.refuseWithoutClaim(posting, request);
        } else {
            legacy.handleRequest(posting, request);
        }
    }

    private void handleNotification(McpHttpRequest posting, Notification notification) {
        if (McpHeaders.claimedVersion(notification.params()) != null
                || ModernEndpoint.isModernVersion(posting.protocolVersion())) {
            modern.handleNotification(posting, notification);
        } else {
            legacy.handleNotification(posting, notification);
        }
    }

    private void refuseTooLong(HttpExchange visit, MemberFinder finder) {
        String why = "a body of more than %,d bytes".formatted(limits.sizes().bodyBytesMax());
        visit.setHeader("Connection", "close");
        switch (Decoder.rejectedFrame(finder, why)) {
            case Malformed(RequestId id, RpcError error) -> visit.refuse(413, id, error);
            default -> visit.refuse(413, "Invalid request: " + why);
        }
    }

    /** Whether the content type is JSON in UTF-8. */
    private static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        if (type.equals(AcceptHeader.JSON)) {
            return true;
        }
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals(AcceptHeader.JSON)) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEncoded(@Nullable String encoding) {
        return encoding != null && !encoding.equalsIgnoreCase("identity");
    }
}
