package dev.patchbay.app.wiring;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.clients.GatewayService;
import dev.patchbay.http.server.HandlerFactory;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import java.util.List;
import java.util.function.Consumer;

/** Creates the handlers of HTTP clients for a gateway. */
final class HttpGatewayHandlerFactory implements HandlerFactory {
    private final GatewayService service;

    HttpGatewayHandlerFactory(GatewayService service) {
        this.service = service;
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
    public boolean servesMethod(String method) {
        return service.supports(McpMethod.of(method), ProtocolVersion.NEWEST_MODERN);
    }

    @Override
    public List<HeaderParam> headerParams(String tool) {
        return service.headerParams(tool);
    }
}
