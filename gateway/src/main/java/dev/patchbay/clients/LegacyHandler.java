package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.INVALID_REQUEST;
import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.ContentDowngrade;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.mcp.TaskMessages;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * The legacy session of one client: nothing but a ping before the handshake, one handshake, then
 * everything that its revision has.
 */
final class LegacyHandler implements AutoCloseable {
    private final String principal;
    private final McpService service;
    private final Consumer<Notification> unsolicited;

    /** The session; null before the handshake. Written on the reading thread only. */
    private volatile @Nullable LegacySession session;

    LegacyHandler(String principal, McpService service, Consumer<Notification> unsolicited) {
        this.principal = principal;
        this.service = service;
        this.unsolicited = unsolicited;
    }

    Json handle(String name, Json params, RequestContext exchange) throws InterruptedException {
        McpMethod method = McpMethod.of(name);
        if (method == McpMethod.PING) {
            return Json.EMPTY_OBJECT;
        }
        if (method == McpMethod.INITIALIZE) {
            return initialize(params);
        }
        LegacySession current = session;
        if (current == null) {
            throw new RpcException(
                    INVALID_REQUEST, "Invalid request: the session is not initialized");
        }
        if (method == null || !service.supports(method, current.version())) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + name);
        }
        ParamsValidator.validate(method, params);
        switch (method) {
            case SUBSCRIBE -> current.subscribe(params, exchange);
            case UNSUBSCRIBE -> current.unsubscribe(params);
            case SET_LEVEL -> current.setLevel(ParamsValidator.requireLevel(params));
            default -> {
                return toClientFormat(
                        service.serve(method, params, current.context(exchange)), current);
            }
        }
        return Json.EMPTY_OBJECT;
    }

    /** Passes a call of a tool on, if nothing about it needs a longer look. */
    boolean pass(Json params, RequestContext exchange, Responder completion) {
        LegacySession current = session;
        if (current == null || !service.supports(McpMethod.TOOLS_CALL, current.version())) {
            return false;
        }
        ParamsValidator.validate(McpMethod.TOOLS_CALL, params);
        return service.pass(
                params,
                current.context(exchange),
                result -> toClientFormat(result, current),
                completion);
    }

    private static Json toClientFormat(Json result, LegacySession session) {
        return ContentDowngrade.forVersion(ResultConverter.toLegacy(result), session.version());
    }

    void onNotification(Notification notification, RequestContext exchange) {
        LegacySession current = session;
        if (current == null) {
            return;
        }
        if (notification.method().equals("notifications/initialized")) {
            current.startNotifications();
            return;
        }
        Json params = notification.params();
        service.onNotification(
                notification.method(),
                params == null ? Json.EMPTY_OBJECT : params,
                current.context(exchange));
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
            throw missingParam("protocolVersion, a string");
        }
        if (capabilities == null || !capabilities.isObject()) {
            throw missingParam("capabilities, an object");
        }
        if (client == null
                || client.memberText("name") == null
                || client.memberText("version") == null) {
            throw missingParam("clientInfo, an object with name and version");
        }
        var terms =
                new LegacySession.Negotiated(
                        principal,
                        ProtocolVersion.negotiate(asked),
                        Implementation.of(client),
                        TaskMessages.withoutTasks(capabilities).detached());
        session = new LegacySession(terms, service, unsolicited);
        return initializeResult(terms.version());
    }

    private Json initializeResult(ProtocolVersion version) {
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

    private static RpcException missingParam(String what) {
        return new RpcException(INVALID_PARAMS, "Invalid params: initialize needs " + what);
    }
}
