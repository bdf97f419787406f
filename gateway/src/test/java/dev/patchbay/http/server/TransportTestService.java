package dev.patchbay.http.server;

import dev.patchbay.clients.ClientContext;
import dev.patchbay.clients.McpService;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A service whose tools do what the tests of a transport need done. */
final class TransportTestService implements McpService {
    /** Counted down to let the calls of {@code wait} go on. */
    final CountDownLatch released = new CountDownLatch(1);

    /** Counted down by each call of {@code wait} that is interrupted. */
    final CountDownLatch interrupted = new CountDownLatch(1);

    /** Counted down by each call of {@code untilGone} whose client is gone. */
    final CountDownLatch gone = new CountDownLatch(1);

    /** Counts the calls of tools. */
    final AtomicInteger calls = new AtomicInteger();

    /** Counts the calls of {@code wait} that are at work. */
    final AtomicInteger waiting = new AtomicInteger();

    final List<ServiceListener> listeners = new CopyOnWriteArrayList<>();

    /** Counts the listeners that were ever added. */
    final AtomicInteger listenersAdded = new AtomicInteger();

    @Override
    public Implementation identity() {
        return new Implementation("bench", "1");
    }

    @Override
    public Json capabilities() {
        return Json.of(
                """
                {"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}}
                """);
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
        calls.incrementAndGet();
        Json arguments = params.member("arguments");
        Json given = arguments == null ? Json.EMPTY_OBJECT : arguments;
        return switch (String.valueOf(params.memberText("name"))) {
            case "wait" -> await(caller, given);
            case "progress" -> progress(caller, given);
            case "ask" -> ask(caller);
            case "askLater" -> {
                waiting.incrementAndGet();
                released.await();
                yield ask(caller);
            }
            case "endStream" -> {
                waiting.incrementAndGet();
                caller.requestContext().endStream();
                released.await();
                yield text("resumed");
            }
            case "untilGone" -> awaitDisconnect(caller);
            case "who" ->
                    text(
                            String.join(
                                    " ",
                                    caller.principal(),
                                    caller.version().text(),
                                    caller.clientInfo().name(),
                                    caller.capabilities().toString(),
                                    String.valueOf(caller.logLevel())));
            case "big" -> text("x".repeat((int) number(given, "bytes")));
            case "boom" -> throw new IllegalStateException("secret");
            case "none" -> throw new RpcException(-32602, "Unknown tool: none");
            case "needs" -> throw new RpcException(-32021, "Missing capability");
            default -> text(given.toString());
        };
    }

    private Json await(ClientContext caller, Json given) throws InterruptedException {
        waiting.incrementAndGet();
        try {
            if (given.member("loud") != null) {
                progress(caller, given);
            }
            released.await();
            return text("released");
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        } finally {
            waiting.decrementAndGet();
        }
    }

    private static Json progress(ClientContext caller, Json given) {
        long steps = number(given, "steps");
        Json filler = given.member("filler");
        for (int step = 1; step <= steps; step++) {
            var writer =
                    new JsonWriter()
                            .beginObject()
                            .member("progressToken", 1)
                            .member("progress", step);
            if (filler != null) {
                writer.member("message", filler);
            }
            caller.requestContext()
                    .sendNotification(
                            new Notification(
                                    "notifications/progress", writer.endObject().toJson()));
        }
        return text("done");
    }

    private static Json ask(ClientContext caller) throws InterruptedException {
        CallOutcome outcome =
                caller.requestContext().call("roots/list", _ -> null, Duration.ofSeconds(60));
        return text(
                switch (outcome) {
                    case CallOutcome.Result(Json value) -> value.toString();
                    default -> outcome.getClass().getSimpleName();
                });
    }

    /** Ends when the client can be asked nothing any more. */
    private Json awaitDisconnect(ClientContext caller) throws InterruptedException {
        waiting.incrementAndGet();
        HttpServerFixture.awaitTrue(
                "the client is gone", () -> !caller.requestContext().isConnected());
        gone.countDown();
        return text("gone");
    }

    private static long number(Json given, String name) {
        Json value = given.member(name);
        return value == null ? 1 : value.asLong(1);
    }

    private static Json text(String text) {
        return new JsonWriter()
                .beginObject()
                .name("content")
                .beginArray()
                .beginObject()
                .member("type", "text")
                .member("text", text)
                .endObject()
                .endArray()
                .endObject()
                .toJson();
    }

    @Override
    public Subscription subscribeToChanges(ServiceListener listener) {
        listenersAdded.incrementAndGet();
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
