package dev.patchbay.repl;

import dev.patchbay.clients.ClientContext;
import dev.patchbay.gateway.Caller;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;

/** A caller of the service's tools that keeps the notifications it gets. */
final class ReplServiceClient implements RequestContext {
    final List<Notification> notifications = new CopyOnWriteArrayList<>();
    private final ReplService service;

    /** Equal for all requests of this client. */
    final Object session = new Object();

    ReplServiceClient(ReplService service) {
        this.service = service;
    }

    ReplService service() {
        return service;
    }

    Json request(McpMethod method, String params) throws InterruptedException {
        return service.serve(method, Json.of(params), clientContext(ProtocolVersion.V2025_11_25));
    }

    Json list() throws InterruptedException {
        return service.serve(
                McpMethod.TOOLS_LIST,
                Json.EMPTY_OBJECT,
                clientContext(ProtocolVersion.V2025_11_25));
    }

    Json call(String tool, String arguments) throws InterruptedException {
        return call(tool, arguments, ProtocolVersion.V2025_11_25);
    }

    Json call(String tool, String arguments, ProtocolVersion version) throws InterruptedException {
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("name", tool)
                        .member("arguments", Json.of(arguments))
                        .member("_meta", Json.of("{\"progressToken\":\"p\"}"))
                        .endObject()
                        .toJson();
        return service.serve(McpMethod.TOOLS_CALL, params, clientContext(version));
    }

    /** The text of what evaluating code answers. */
    String evaluate(String code) throws InterruptedException {
        return text(call("evaluate", "{\"code\":" + Json.string(code) + "}"));
    }

    static String text(Json result) {
        return JsonFields.text(JsonFields.elements(result, "content").getFirst(), "text");
    }

    private ClientContext clientContext(ProtocolVersion version) {
        var client = new Implementation("test", "1");
        return new ClientContext(
                "owner",
                session,
                this,
                version,
                client,
                Json.EMPTY_OBJECT,
                null,
                this,
                Caller.GATEWAY);
    }

    @Override
    public void sendNotification(Notification notification) {
        notifications.add(notification);
    }

    @Override
    public CallOutcome call(String method, LongFunction<@Nullable Json> params, Duration timeout) {
        throw new AssertionError("The service asks its client nothing");
    }

    @Override
    public void cancelRequest(RequestId id) {
        throw new AssertionError("The service cancels nothing");
    }
}
