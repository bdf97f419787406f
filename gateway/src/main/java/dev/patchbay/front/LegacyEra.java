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
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.mcp.Results;

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
    private volatile @Nullable Session session;

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
        Session current = session;
        if (current == null) {
            throw new RpcException(
                    INVALID_REQUEST, "Invalid request: the session is not initialized");
        }
        if (method == null || !method.isIn(current.version) || !isServed(method)) {
            throw new RpcException(METHOD_NOT_FOUND, "Method not found: " + name);
        }
        Params.check(method, params);
        if (method == Method.SET_LEVEL) {
            current.logLevel = Params.level(params);
        }
        return Results.legacy(service.serve(method, params, current.caller(exchange)));
    }

    /** Passes a call of a tool on, if nothing about it needs a longer look. */
    boolean pass(Json params, Exchange exchange, Completion completion) {
        Session current = session;
        if (current == null || !isServed(Method.TOOLS_CALL)) {
            return false;
        }
        Params.check(Method.TOOLS_CALL, params);
        return service.pass(params, current.caller(exchange), Results::legacy, completion);
    }

    void notified(Notification notification, Exchange exchange) {
        Session current = session;
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
        Session current = session;
        return current != null && current.version == ProtocolVersion.V2025_03_26;
    }

    @Override
    public void close() {
        Session current = session;
        if (current != null) {
            current.end();
        }
    }

    private boolean isServed(Method method) {
        String capability = method.capability();
        return capability == null || service.capabilities().member(capability) != null;
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
        var opened =
                new Session(
                        ProtocolVersion.negotiated(asked),
                        Implementation.of(client),
                        capabilities.detached());
        session = opened;
        return welcome(opened.version);
    }

    private Json welcome(ProtocolVersion version) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("protocolVersion", version.text())
                        .member("capabilities", service.capabilities())
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

    /** What the handshake settled, and what the client set since. */
    private final class Session implements Service.ServiceListener {
        private final ProtocolVersion version;
        private final Implementation client;
        private final Json capabilities;
        private volatile @Nullable String logLevel;
        private Service.@Nullable Subscription subscription;

        Session(ProtocolVersion version, Implementation client, Json capabilities) {
            this.version = version;
            this.client = client;
            this.capabilities = capabilities;
        }

        Caller caller(Exchange exchange) {
            return new Caller(principal, this, version, client, capabilities, logLevel, exchange);
        }

        synchronized void begin() {
            if (subscription == null) {
                subscription = service.listen(this);
            }
        }

        synchronized void end() {
            if (subscription != null) {
                subscription.stop();
            }
        }

        @Override
        public void listChanged(String list) {
            unsolicited.accept(new Notification("notifications/" + list + "/list_changed", null));
        }

        @Override
        public void resourceUpdated(Json params) {
            unsolicited.accept(new Notification("notifications/resources/updated", params));
        }

        @Override
        public void logged(Json params) {
            if (LogLevel.admits(logLevel, params.memberText("level"))) {
                unsolicited.accept(new Notification("notifications/message", params));
            }
        }
    }
}
