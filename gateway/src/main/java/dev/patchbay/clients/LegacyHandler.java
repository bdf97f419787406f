package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;
import static dev.patchbay.jsonrpc.RpcError.INVALID_REQUEST;
import static dev.patchbay.jsonrpc.RpcError.METHOD_NOT_FOUND;

import dev.patchbay.gateway.Caller;
import dev.patchbay.gateway.ClientIdentity;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.ContentDowngrade;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.ResultConverter;
import dev.patchbay.mcp.TaskMessages;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Handles the messages of a legacy session: before the handshake only pings, then one handshake,
 * then every method of the negotiated version.
 */
final class LegacyHandler implements AutoCloseable {
    private final String principal;
    private final McpService service;
    private final Consumer<Notification> unsolicited;
    private final ClientIdentity client;
    private final @Nullable String directory;

    /** The session; null before the handshake. Written by the reading thread only. */
    private volatile @Nullable LegacySession session;

    /**
     * Creates a handler.
     *
     * @param directory the client's working directory; null if it is not known
     */
    LegacyHandler(
            String principal,
            McpService service,
            Consumer<Notification> unsolicited,
            ClientIdentity client,
            @Nullable String directory) {
        this.principal = principal;
        this.service = service;
        this.unsolicited = unsolicited;
        this.client = client;
        this.directory = directory;
    }

    void handle(String name, Json params, Responder responder) {
        McpMethod method = McpMethod.of(name);
        if (method == McpMethod.PING) {
            responder.succeed(Json.EMPTY_OBJECT);
        } else if (method == McpMethod.INITIALIZE) {
            responder.succeed(initialize(params));
        } else {
            handleInSession(method, name, params, responder);
        }
    }

    private void handleInSession(
            @Nullable McpMethod method, String name, Json params, Responder responder) {
        LegacySession current = session;
        if (current == null) {
            throw new RpcException(
                    INVALID_REQUEST, "Invalid request: the session is not initialized");
        }
        if (method == null || !service.supports(method, current.version())) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + name);
        }
        ParamsValidator.validate(method, params);
        RequestContext context = responder.context();
        switch (method) {
            case SUBSCRIBE ->
                    responder.fork(
                            () -> {
                                current.subscribe(params, context);
                                return Json.EMPTY_OBJECT;
                            });
            case UNSUBSCRIBE -> {
                current.unsubscribe(params);
                responder.succeed(Json.EMPTY_OBJECT);
            }
            case SET_LEVEL ->
                    responder.fork(
                            () -> {
                                current.setLevel(ParamsValidator.requireLevel(params));
                                return Json.EMPTY_OBJECT;
                            });
            default ->
                    service.handle(
                            method,
                            params,
                            current.context(context),
                            new MappedResponder(
                                    responder, result -> toClientFormat(result, current)));
        }
    }

    private static Json toClientFormat(Json result, LegacySession session) {
        return ContentDowngrade.forVersion(ResultConverter.toLegacy(result), session.version());
    }

    void onNotification(Notification notification, RequestContext context) {
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
                current.context(context));
    }

    /** The version of the session; null before the handshake. */
    @Nullable String version() {
        LegacySession current = session;
        return current == null ? null : current.version().text();
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
        Json info = params.member("clientInfo");
        if (asked == null) {
            throw missingParam("protocolVersion, a string");
        }
        if (capabilities == null || !capabilities.isObject()) {
            throw missingParam("capabilities, an object");
        }
        if (info == null || info.memberText("name") == null || info.memberText("version") == null) {
            throw missingParam("clientInfo, an object with name and version");
        }
        Json declared = TaskMessages.withoutTasks(capabilities).detached();
        var terms =
                new LegacySession.Negotiated(
                        principal,
                        ProtocolVersion.negotiate(asked),
                        Implementation.of(info),
                        declared,
                        new Caller(
                                client,
                                Era.LEGACY,
                                InputRequests.isAnySupported(declared),
                                directory));
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
