package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * One client's door. Each message is taken for itself: one that carries the modern claim is served
 * as that, any other belongs to the client's legacy session. Both may come over one connection.
 */
public final class ClientHandler implements RpcHandler, AutoCloseable {
    /** Who is at the other end of the standard streams. */
    private static final String LOCAL_PRINCIPAL = "owner";

    private final ModernHandler modern;
    private final LegacyHandler legacy;

    /** A front for one principal, whose unsolicited notifications go to the sink. */
    public ClientHandler(String principal, McpService service, Consumer<Notification> unsolicited) {
        modern = new ModernHandler(principal, service);
        legacy = new LegacyHandler(principal, service, unsolicited);
    }

    /** A connection that serves a client on a channel. */
    public static Connection connect(McpService service, Channel channel, int requestsMax) {
        var unsolicited = new LateBoundSink();
        var front = new ClientHandler(LOCAL_PRINCIPAL, service, unsolicited);
        var connection =
                new Connection(
                        channel,
                        front,
                        requestsMax,
                        (id, why) -> unsolicited.accept(CancelledNotification.of(id, why)));
        unsolicited.target = connection::sendNotification;
        return connection;
    }

    @Override
    public Json handle(Request request, RequestContext exchange) throws InterruptedException {
        Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        Json claim = modernVersion(params);
        return claim == null
                ? legacy.handle(request.method(), params, exchange)
                : modern.handle(request, params, exchange);
    }

    /** Calls of tools are passed on where they can: they are what a gateway mostly does. */
    @Override
    public boolean pass(Request request, RequestContext exchange, Responder completion) {
        Json params = request.params();
        if (params == null || !request.method().equals(McpMethod.TOOLS_CALL.wireName())) {
            return false;
        }
        return modernVersion(params) == null
                ? legacy.pass(params, exchange, completion)
                : modern.pass(params, exchange, completion);
    }

    @Override
    public void onNotification(Notification notification, RequestContext exchange) {
        if (notification.method().equals(CancelledNotification.METHOD)) {
            RequestId id = CancelledNotification.requestId(notification);
            if (id != null) {
                exchange.cancelRequest(id);
            }
        } else if (notification.params() == null || notification.params().isObject()) {
            legacy.onNotification(notification, exchange);
        }
    }

    /** The handshake changes what the next message means, and a ping costs nothing. */
    @Override
    public boolean isHandledInOrder(Request request) {
        McpMethod method = McpMethod.of(request.method());
        return method == McpMethod.INITIALIZE || method == McpMethod.PING;
    }

    @Override
    public boolean acceptsBatches() {
        return legacy.acceptsBatches();
    }

    @Override
    public void onShutdown() {
        modern.shutDown();
    }

    @Override
    public void close() {
        legacy.close();
    }

    private static @Nullable Json modernVersion(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }

    /** Where unsolicited notifications go, known only when the connection exists. */
    private static final class LateBoundSink implements Consumer<Notification> {
        private volatile Consumer<Notification> target = _ -> {};

        @Override
        public void accept(Notification notification) {
            target.accept(notification);
        }
    }
}
