package dev.patchbay.clients;

import dev.patchbay.gateway.ClientIdentity;
import dev.patchbay.gateway.RequestTracer;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.CancelledNotification;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Handles the messages of one client. A message that names a modern protocol version is handled on
 * its own. Any other message belongs to the client's legacy session. One connection may carry both.
 */
public final class ClientHandler implements RpcHandler, AutoCloseable {
    /** The principal of a client on the standard streams. */
    private static final String LOCAL_PRINCIPAL = "owner";

    private final McpService service;
    private final ClientIdentity client;
    private final boolean isHttp;
    private final @Nullable String sessionId;
    private final ModernHandler modern;
    private final LegacyHandler legacy;

    /**
     * A handler for a legacy session, or for a modern request over HTTP, of one principal. The
     * consumer takes notifications that belong to no request.
     */
    public ClientHandler(String principal, McpService service, Consumer<Notification> unsolicited) {
        this(principal, null, service, unsolicited);
    }

    /** The same for a legacy session whose id traces show. */
    public ClientHandler(
            String principal,
            @Nullable String sessionId,
            McpService service,
            Consumer<Notification> unsolicited) {
        this.service = service;
        this.sessionId = sessionId;
        isHttp = true;
        client = new ClientIdentity();
        modern = new ModernHandler(principal, service, null, null);
        legacy = new LegacyHandler(principal, service, unsolicited, client, null);
    }

    /** A handler for a connection, which may carry both eras. */
    private ClientHandler(
            McpService service, Consumer<Notification> unsolicited, @Nullable String directory) {
        this.service = service;
        isHttp = false;
        sessionId = null;
        client = new ClientIdentity();
        modern = new ModernHandler(LOCAL_PRINCIPAL, service, client, directory);
        legacy = new LegacyHandler(LOCAL_PRINCIPAL, service, unsolicited, client, directory);
    }

    /** A connection to a client over a channel, for as long as this process runs. */
    public static Connection connect(McpService service, Channel channel, int requestsMax) {
        return open(service, channel, requestsMax, null).connection();
    }

    /**
     * A connection to a client over a channel, which may end before this process.
     *
     * @param directory the client's working directory; null if it is that of this process
     */
    public static ClientSession open(
            McpService service, Channel channel, int requestsMax, @Nullable String directory) {
        var unsolicited = new LateBoundSink();
        var handler = new ClientHandler(service, unsolicited, directory);
        var connection =
                new Connection(
                        channel,
                        handler,
                        requestsMax,
                        (id, reason) -> unsolicited.accept(CancelledNotification.of(id, reason)));
        unsolicited.target = connection::sendNotification;
        return new ClientSession(connection, handler);
    }

    /** A connection and the session that is on it. */
    public record ClientSession(Connection connection, ClientHandler handler)
            implements AutoCloseable {
        /** Ends the session: its subscriptions, and what the gateway keeps for it. */
        @Override
        public void close() {
            handler.close();
        }
    }

    @Override
    public void handle(Request request, Responder responder) {
        Json params = request.params() == null ? Json.EMPTY_OBJECT : request.params();
        RequestTracer tracer = service.tracer();
        if (tracer == null || request.method().equals(McpMethod.LISTEN.wireName())) {
            handle(request, params, responder); // a listen request lasts as long as its client
        } else {
            handleTraced(tracer, request, params, responder);
        }
    }

    private void handle(Request request, Json params, Responder responder) {
        if (modernVersion(params) == null) {
            legacy.handle(request.method(), params, responder);
        } else {
            modern.handle(request, params, responder);
        }
    }

    private void handleTraced(
            RequestTracer tracer, Request request, Json params, Responder responder) {
        Json modernVersion = modernVersion(params);
        RequestTracer.TracedRequest span =
                tracer.beginReceived(
                        new RequestTracer.ReceivedRequest(
                                request.method(),
                                params,
                                request.id(),
                                modernVersion == null
                                        ? legacy.version()
                                        : versionText(modernVersion),
                                isHttp,
                                sessionId));
        try {
            handle(request, span.addTo(params), new TracedResponder(responder, span));
        } catch (RpcException e) {
            span.end(RequestTracer.Ending.of(e.error()));
            throw e;
        }
    }

    @Override
    public void onNotification(Notification notification, RequestContext context) {
        if (notification.method().equals(CancelledNotification.METHOD)) {
            RequestId id = CancelledNotification.requestId(notification);
            if (id != null) {
                context.cancelRequest(id);
            }
        } else if (notification.params() == null || notification.params().isObject()) {
            legacy.onNotification(notification, context);
        }
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
        service.onClientGone(client);
    }

    private static @Nullable Json modernVersion(Json params) {
        Json meta = params.member(MetaKeys.META);
        return meta == null ? null : meta.member(MetaKeys.PROTOCOL_VERSION);
    }

    private static @Nullable String versionText(Json version) {
        return version.isString() ? version.text() : null;
    }

    /** Takes notifications that belong to no request. Its target is the connection made later. */
    private static final class LateBoundSink implements Consumer<Notification> {
        private volatile Consumer<Notification> target = _ -> {};

        @Override
        public void accept(Notification notification) {
            target.accept(notification);
        }
    }
}
