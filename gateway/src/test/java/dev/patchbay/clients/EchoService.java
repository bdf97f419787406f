package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A service with tools that behave, and some that do not. */
final class EchoService implements McpService {
    /** Counted down to let the calls of {@code wait} go on. */
    final CountDownLatch released = new CountDownLatch(1);

    /** Counted down when a call of {@code wait} was interrupted. */
    final CountDownLatch interrupted = new CountDownLatch(1);

    final List<ServiceListener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public Implementation identity() {
        return new Implementation("echo", "1");
    }

    @Override
    public Json capabilities() {
        return Json.of("{\"tools\":{\"listChanged\":true},\"logging\":{}}");
    }

    @Override
    public @Nullable String instructions() {
        return null;
    }

    @Override
    public void handle(McpMethod method, Json params, ClientContext client, Responder responder) {
        responder.fork(() -> serve(method, params, client));
    }

    private Json serve(McpMethod method, Json params, ClientContext caller)
            throws InterruptedException {
        return switch (method) {
            case TOOLS_LIST -> Json.of("{\"tools\":[]}");
            case TOOLS_CALL -> call(params, caller);
            default -> Json.EMPTY_OBJECT;
        };
    }

    private Json call(Json params, ClientContext caller) throws InterruptedException {
        String name = params.memberText("name");
        switch (name == null ? "" : name) {
            case "wait" -> await();
            case "progress" ->
                    caller.requestContext()
                            .sendNotification(
                                    new Notification(
                                            "notifications/progress",
                                            Json.of("{\"progressToken\":1,\"progress\":1}")));
            case "overflow" -> overflow(0);
            case "memory" -> throw new OutOfMemoryError("as asked");
            case "runtime" -> throw new IllegalStateException("secret");
            case "assert" -> throw new AssertionError("secret");
            case "none" -> throw new RpcException(-32602, "Unknown tool: none");
            case "leaveInterrupted" -> Thread.currentThread().interrupt();
            default -> {}
        }
        Json arguments = params.member("arguments");
        return new JsonWriter()
                .beginObject()
                .name("content")
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", arguments == null ? "" : arguments.toString())
                .endObject()
                .endArray()
                .endObject()
                .toJson();
    }

    private void await() throws InterruptedException {
        try {
            released.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    @Override
    public Subscription subscribeToChanges(ServiceListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
