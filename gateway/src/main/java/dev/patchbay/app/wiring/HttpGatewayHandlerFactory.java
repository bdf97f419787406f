package dev.patchbay.app.wiring;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.clients.GatewayService;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.http.server.HandlerFactory;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Creates the handlers of HTTP clients for a gateway, or for a view of it. */
final class HttpGatewayHandlerFactory implements HandlerFactory {
    private final GatewayService service;
    private final Function<String, Optional<GatewayView>> views;
    private final boolean tokensHaveViews;
    private final ConcurrentMap<GatewayView, HttpGatewayHandlerFactory> factoriesByView =
            new ConcurrentHashMap<>();

    /**
     * Creates a factory for all tools, which has factories for the views.
     *
     * @param tokensHaveViews whether tokens may use the views: not those of a project's file, which
     *     could widen what the user has granted
     */
    HttpGatewayHandlerFactory(Gateway gateway, boolean tokensHaveViews) {
        this.service = new GatewayService(gateway);
        this.views = gateway::view;
        this.tokensHaveViews = tokensHaveViews;
    }

    private HttpGatewayHandlerFactory(GatewayView view) {
        this.service = new GatewayService(view);
        this.views = _ -> Optional.empty();
        this.tokensHaveViews = false;
    }

    @Override
    public @Nullable HandlerFactory forView(String view) {
        return views.apply(view)
                .map(it -> factoriesByView.computeIfAbsent(it, HttpGatewayHandlerFactory::new))
                .orElse(null);
    }

    @Override
    public @Nullable HandlerFactory forTokenView(String view) {
        return tokensHaveViews ? forView(view) : null;
    }

    @Override
    public RpcHandler modernHandler(String principal) {
        return new ClientHandler(principal, service, _ -> {});
    }

    @Override
    public SessionHandler newLegacyHandler(String principal, Consumer<Notification> unsolicited) {
        var front = new ClientHandler(principal, service, unsolicited);
        return new SessionHandler(front, front::close);
    }

    @Override
    public SessionHandler newLegacyHandler(
            String principal, String sessionId, Consumer<Notification> unsolicited) {
        var front = new ClientHandler(principal, sessionId, service, unsolicited);
        return new SessionHandler(front, front::close);
    }

    @Override
    public boolean servesMethod(String method) {
        return service.supports(McpMethod.of(method), ProtocolVersion.NEWEST_MODERN);
    }

    @Override
    public List<HeaderParam> headerParams(String tool) {
        return service.headerParams(tool);
    }
}
