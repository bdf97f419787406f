package dev.patchbay.app;

import dev.patchbay.front.Caller;
import dev.patchbay.front.Service;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

/** Nothing to serve but the protocol itself. */
final class NoServers implements Service {
    @Override
    public Implementation identity() {
        return Product.identity();
    }

    @Override
    public Json capabilities() {
        return Json.of("{\"tools\":{\"listChanged\":true}}");
    }

    @Override
    public @Nullable String instructions() {
        return null;
    }

    @Override
    public Json serve(Method method, Json params, Caller caller) {
        if (method == Method.TOOLS_LIST) {
            return Json.of("{\"tools\":[]}");
        }
        throw new RpcException(-32602, "Unknown tool: " + params.memberText("name"));
    }

    @Override
    public Subscription listen(ServiceListener listener) {
        return () -> {};
    }
}
