package dev.patchbay.app;

import dev.patchbay.front.Front;
import dev.patchbay.front.GatewayService;
import dev.patchbay.http.Doors;
import dev.patchbay.jsonrpc.Handler;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;

import java.util.List;
import java.util.function.Consumer;

/** What lies behind the HTTP endpoint of a gateway. */
final class GatewayDoors implements Doors {
    private final GatewayService service;

    GatewayDoors(GatewayService service) {
        this.service = service;
    }

    @Override
    public Handler modern(String principal) {
        return new Front(principal, service, _ -> {});
    }

    @Override
    public Session legacy(String principal, Consumer<Notification> unsolicited) {
        var front = new Front(principal, service, unsolicited);
        return new Session(front, front::close);
    }

    @Override
    public boolean serves(String method) {
        return service.serves(Method.of(method), ProtocolVersion.NEWEST_MODERN);
    }

    @Override
    public List<HeaderParam> headerParams(String tool) {
        return service.headerParams(tool);
    }
}
