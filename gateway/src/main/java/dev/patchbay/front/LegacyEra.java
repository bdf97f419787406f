package dev.patchbay.front;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.INVALID_REQUEST;
import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.OlderContent;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Results;
import dev.patchbay.mcp.Tasks;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * The legacy session of one client: nothing but a ping before the handshake, one handshake, then
 * everything that its revision has.
 */
final class LegacyEra implements AutoCloseable {
    private final String principal;
    private final Service service;
    private final Consumer<Notification> unsolicited;

    /** The session; null before the handshake. Written on the reading thread only. */
    private volatile @Nullable LegacySession session;

    LegacyEra(String principal, Service service, Consumer<Notification> unsolicited) {
        this.principal = principal;
        this.service = service;
        this.unsolicited = unsolicited;
    }

    Json handle(String name, Json params, Exchange exchange) throws InterruptedException {
        Method method = Method.of(name);
        if (method == Method.PING) {
            return Json.EMPTY_OBJECT;
        }
        if (method == Method.INITIALIZE) {
            return initialize(params);
        }
        LegacySession current = session;
        if (current == null) {
            throw new RpcException(
                    INVALID_REQUEST, "Invalid request: the session is not initialized");
        }
        if (method == null || !service.serves(method, current.version())) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + name);
        }
        Params.check(method, params);
        switch (method) {
            case SUBSCRIBE -> current.subscribe(params, exchange);
            case UNSUBSCRIBE -> current.unsubscribe(params);
            case SET_LEVEL -> current.setLevel(Params.level(params));
            default -> {
                return shaped(service.serve(method, params, current.caller(exchange)), current);
            }
        }
        return Json.EMPTY_OBJECT;
    }

    /** Passes a call of a tool on, if nothing about it needs a longer look. */
    boolean pass(Json params, Exchange exchange, Completion completion) {
        LegacySession current = session;
        if (current == null || !service.serves(Method.TOOLS_CALL, current.version())) {
            return false;
        }
        Params.check(Method.TOOLS_CALL, params);
        return service.pass(
                params, current.caller(exchange), result -> shaped(result, current), completion);
    }

    private static Json shaped(Json result, LegacySession session) {
        return OlderContent.of(Results.legacy(result), session.version());
    }

    void notified(Notification notification, Exchange exchange) {
        LegacySession current = session;
        if (current == null) {
            return;
        }
        if (notification.method().equals("notifications/initialized")) {
            current.begin();
            return;
        }
        Json params = notification.params();
        service.notified(
                notification.method(),
                params == null ? Json.EMPTY_OBJECT : params,
                current.caller(exchange));
    }

    boolean acceptsBatches() {
        LegacySession current = session;
        return current != null && current.version() == ProtocolVersion.V2025_03_26;
    }

    @Override
    public void close() {
        LegacySession current = session;
        if (current != null) {
            current.end();
        }
    }

    private Json initialize(Json params) {
        if (session != null) {
            throw new RpcException(
                    INVALID_REQUEST, "Invalid request: the session is initialized already");
        }
        String asked = params.memberText("protocolVersion");
        Json capabilities = params.member("capabilities");
        Json client = params.member("clientInfo");
        if (asked == null) {
            throw missing("protocolVersion, a string");
        }
        if (capabilities == null || !capabilities.isObject()) {
            throw missing("capabilities, an object");
        }
        if (client == null
                || client.memberText("name") == null
                || client.memberText("version") == null) {
            throw missing("clientInfo, an object with name and version");
        }
        var terms =
                new LegacySession.Terms(
                        principal,
                        ProtocolVersion.negotiated(asked),
                        Implementation.of(client),
                        Tasks.undeclared(capabilities).detached());
        session = new LegacySession(terms, service, unsolicited);
        return welcome(terms.version());
    }

    private Json welcome(ProtocolVersion version) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("protocolVersion", version.text())
                        .member("capabilities", service.capabilities(version))
                        .member("serverInfo", service.identity().toJson());
        String instructions = service.instructions();
        if (instructions != null) {
            writer.member("instructions", instructions);
        }
        return writer.endObject().toJson();
    }

    private static RpcException missing(String what) {
        return new RpcException(INVALID_PARAMS, "Invalid params: initialize needs " + what);
    }
}
