package dev.patchbay.http;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Inbound.BadResponse;
import dev.patchbay.jsonrpc.Inbound.Batch;
import dev.patchbay.jsonrpc.Inbound.Malformed;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * The one endpoint of both eras. What is posted is told apart by itself: a message with the modern
 * claim stands for itself, any other belongs to a session.
 */
final class McpEndpoint {
    private static final String CALL = Method.TOOLS_CALL.wireName();

    private final HttpLimits limits;
    private final ModernDoor modern;
    private final LegacyDoor legacy;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    McpEndpoint(HttpLimits limits, ModernDoor modern, LegacyDoor legacy) {
        this.limits = limits;
        this.modern = modern;
        this.legacy = legacy;
    }

    void serve(Visit visit, String principal) {
        switch (visit.request().getMethod()) {
            case "POST" -> post(visit, principal);
            case "GET" -> get(visit, principal);
            case "DELETE" -> {
                if (isModern(visit)) {
                    notAllowed(visit, "POST");
                } else {
                    var posting = new Posting(visit, principal, Accepts.of(null));
                    visit.later(() -> legacy.delete(posting));
                }
            }
            default -> notAllowed(visit, "GET, POST, DELETE");
        }
    }

    private void get(Visit visit, String principal) {
        Accepts accepts = Accepts.of(visit.header("Accept"));
        if (isModern(visit)) {
            notAllowed(visit, "POST");
        } else if (!accepts.events()) {
            visit.refuse(406, Accepts.EVENTS + " is not accepted");
        } else {
            visit.later(() -> legacy.listen(new Posting(visit, principal, accepts)));
        }
    }

    private static boolean isModern(Visit visit) {
        return ModernDoor.isModern(visit.header(ModernHeaders.VERSION));
    }

    private static void notAllowed(Visit visit, String allowed) {
        visit.setHeader("Allow", allowed);
        visit.refuse(405, "Method not allowed");
    }

    private void post(Visit visit, String principal) {
        if (!isJson(visit.header("Content-Type")) || isEncoded(visit.header("Content-Encoding"))) {
            visit.refuse(415, "Content-Type must be " + Accepts.JSON);
            return;
        }
        Accepts accepts = Accepts.of(visit.header("Accept"));
        if (accepts.nothing()) {
            visit.refuse(406, "Accept must name " + Accepts.JSON + " and " + Accepts.EVENTS);
            return;
        }
        var posting = new Posting(visit, principal, accepts);
        var body = new Body(visit.request(), limits.sizes().bodyBytesMax(), limits.times().body());
        try {
            if (!body.isSmall() || !body.readNow()) {
                visit.later(() -> rest(posting, body));
                return;
            }
        } catch (Body.Broken e) {
            visit.refuse(e.status(), String.valueOf(e.getMessage()));
            return;
        }
        Inbound inbound = decoder.decode(body.bytes(), 0, body.length());
        if (!passed(posting, inbound)) {
            visit.later(() -> take(posting, inbound));
        }
    }

    /** Waits for what is still to come of a body, and takes it. */
    private void rest(Posting posting, Body body) {
        try {
            body.readAll();
        } catch (Body.Broken e) {
            posting.refuse(e.status(), String.valueOf(e.getMessage()));
            return;
        }
        MemberFinder tooLong = body.tooLong();
        if (tooLong != null) {
            tooLong(posting.visit(), tooLong);
        } else {
            take(posting, decoder.decode(body.bytes(), 0, body.length()));
        }
    }

    /** Passes the usual call on at once; false for all that may have to wait. */
    private boolean passed(Posting posting, Inbound inbound) {
        if (!(inbound instanceof Request request) || !request.method().equals(CALL)) {
            return false;
        }
        Json claim = Posting.claim(request.params());
        if (claim != null) {
            return modern.pass(posting, request, claim);
        }
        return !ModernDoor.isModern(posting.version()) && legacy.pass(posting, request);
    }

    private void take(Posting posting, Inbound inbound) {
        switch (inbound) {
            case Request request -> request(posting, request);
            case Notification notification -> notification(posting, notification);
            case Response response -> legacy.response(posting, response);
            case BadResponse response -> legacy.badResponse(posting, response);
            case Batch batch -> legacy.batch(posting, batch);
            case Malformed(RequestId id, RpcError error) -> posting.visit().refuse(400, id, error);
        }
    }

    private void request(Posting posting, Request request) {
        Json claim = Posting.claim(request.params());
        if (claim != null) {
            modern.request(posting, request, claim);
        } else if (ModernDoor.isModern(posting.version())) {
            modern.withoutClaim(posting, request);
        } else {
            legacy.request(posting, request);
        }
    }

    private void notification(Posting posting, Notification notification) {
        if (Posting.claim(notification.params()) != null
                || ModernDoor.isModern(posting.version())) {
            modern.notification(posting, notification);
        } else {
            legacy.notification(posting, notification);
        }
    }

    private void tooLong(Visit visit, MemberFinder finder) {
        String why = "a body of more than %,d bytes".formatted(limits.sizes().bodyBytesMax());
        visit.setHeader("Connection", "close");
        switch (Decoder.refused(finder, why)) {
            case Malformed(RequestId id, RpcError error) -> visit.refuse(413, id, error);
            default -> visit.refuse(413, "Invalid request: " + why);
        }
    }

    /** JSON is written in UTF-8; whoever announces something else is not understood. */
    private static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        if (type.equals(Accepts.JSON)) {
            return true;
        }
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals(Accepts.JSON)) {
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
