package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * One client's door. Each message is taken for itself: one that carries the modern claim is served
 * as that, any other belongs to the client's legacy session. Both may come over one connection.
 */
public final class Front implements Handler, AutoCloseable {
    /** Who is at the other end of the standard streams. */
    private static final String OWNER = "owner";

    private final ModernEra modern;
    private final LegacyEra legacy;

    /** A front for one principal, whose unsolicited notifications go to the sink. */
    public Front(String principal, Service service, Consumer<Notification> unsolicited) {
        modern = new ModernEra(principal, service);
        legacy = new LegacyEra(principal, service, unsolicited);
    }

    /** A connection that serves a client on a channel. */
    public static Connection connect(Service service, Channel channel, int requestsMax) {
        var unsolicited = new Unsolicited();
        var front = new Front(OWNER, service, unsolicited);
        var connection =
                new Connection(
                        channel,
                        front,
                        requestsMax,
                        (id, why) -> unsolicited.accept(Cancellation.of(id, why)));
        unsolicited.target = connection::notify;
        return connection;
    }

    @Override
    public Json handle(Request request, Exchange exchange) throws InterruptedException {
        Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        Json claim = claim(params);
        return claim == null
                ? legacy.handle(request.method(), params, exchange)
                : modern.handle(request, params, exchange);
    }

    /** Calls of tools are passed on where they can: they are what a gateway mostly does. */
    @Override
    public boolean pass(Request request, Exchange exchange, Completion completion) {
        Json params = request.params();
        if (params == null || !request.method().equals(Method.TOOLS_CALL.wireName())) {
            return false;
        }
        return claim(params) == null
                ? legacy.pass(params, exchange, completion)
                : modern.pass(params, exchange, completion);
    }

    @Override
    public void notified(Notification notification, Exchange exchange) {
        if (notification.method().equals(Cancellation.METHOD)) {
            RequestId id = Cancellation.cancelled(notification);
            if (id != null) {
                exchange.cancel(id);
            }
        } else if (notification.params() == null || notification.params().isObject()) {
            legacy.notified(notification, exchange);
        }
    }

    /** The handshake changes what the next message means, and a ping costs nothing. */
    @Override
    public boolean isImmediate(Request request) {
        Method method = Method.of(request.method());
        return method == Method.INITIALIZE || method == Method.PING;
    }

    @Override
    public boolean acceptsBatches() {
        return legacy.acceptsBatches();
    }

    @Override
    public void ending() {
        modern.ending();
    }

    @Override
    public void close() {
        legacy.close();
    }

    private static @Nullable Json claim(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }

    /** Where unsolicited notifications go, known only when the connection exists. */
    private static final class Unsolicited implements Consumer<Notification> {
        private volatile Consumer<Notification> target = _ -> {};

        @Override
        public void accept(Notification notification) {
            target.accept(notification);
        }
    }
}
