package dev.patchbay.testkit;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A {@link ScriptedServer} behind Streamable HTTP, of the era its script has: legacy with one
 * session and a standing stream, or modern with its headers and without either. What the server
 * says of a call travels on the stream of that call's POST. Modern clients are told apart by their
 * connections alone, so each of their requests has an id and a token of its own towards the server.
 */
public final class ScriptedHttpServer implements AutoCloseable {
    private static final String SESSION_HEADER = "Mcp-Session-Id";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final String[] SUBSCRIPTION_ID_PATH = {
        "params", "_meta", ScriptedResponses.SUBSCRIPTION_KEY
    };
    private static final String[] CALL_ID_PATH = {"params", "_meta", ScriptedResponses.CALL_KEY};
    private static final String[] REQUESTED_TOKEN_PATH = {"params", "_meta", "progressToken"};
    private static final String[] PROGRESS_TOKEN_PATH = {"params", "progressToken"};

    private final boolean modern;
    private final RawStdioClient child;
    private final RawHttpServer http;
    private final Map<String, PendingPost> posts = new LinkedHashMap<>();
    private final BlockingDeque<String> standaloneStream = new LinkedBlockingDeque<>();
    private final AtomicReference<RawHttpServer.@Nullable Exchange> listener =
            new AtomicReference<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    private ScriptedHttpServer(ServerScript script, String era) throws IOException {
        modern = era.equals("modern");
        child = script.era(era).withOption("mark-calls").launch().withoutHistory().start();
        http = RawHttpServer.start(this::serve);
        Thread.ofVirtual().name("lines of " + script.name()).start(this::readServerOutput);
    }

    /** Starts the server of a script; the era is {@code legacy} or {@code modern}. */
    public static ScriptedHttpServer start(ServerScript script, String era) throws IOException {
        return new ScriptedHttpServer(script, era);
    }

    public URI url() {
        return http.url("/mcp");
    }

    /** The server as the value of an entry of {@code mcpServers}. */
    public String config() {
        return "{\"type\":\"http\",\"url\":" + StrictJson.quote(url().toString()) + "}";
    }

    /** The requests so far, in the order of their arrival. */
    public List<RawHttpServer.ReceivedRequest> received() {
        return http.receivedRequests();
    }

    /** Whether somebody listens to what the server says of changes. */
    public boolean hasListener() {
        synchronized (posts) {
            return listener.get() != null
                    || posts.values().stream()
                            .map(post -> post.exchange.request().rpcMethod())
                            .anyMatch("subscriptions/listen"::equals);
        }
    }

    /** Hangs up on every request and stream, as a proxy does that has seen nothing for a while. */
    public void dropConnections() throws IOException {
        List<PendingPost> waiting;
        synchronized (posts) {
            waiting = List.copyOf(posts.values());
        }
        for (PendingPost post : waiting) {
            post.exchange.close();
        }
        RawHttpServer.Exchange stream = listener.get();
        if (stream != null) {
            stream.close();
        }
    }

    @Override
    public void close() throws IOException {
        http.close();
        child.close();
    }

    private void serve(RawHttpServer.Exchange exchange) throws Exception {
        var request = exchange.request();
        boolean post = request.method().equals("POST");
        if (!post && modern) {
            exchange.respond(405, "", "Allow: POST");
        } else if (request.method().equals("GET")) {
            standaloneStream(exchange);
        } else if (!post) {
            exchange.respond(200, "");
        } else if (hasUnknownSession(request)) {
            exchange.respond(404, "");
        } else if (request.rpcMethod().isEmpty() || request.rpcId().isEmpty()) {
            child.sendLine(request.body());
            exchange.respond(202, "");
        } else if (modern && request.header("Mcp-Method").isEmpty()) {
            exchange.respond(400, errorBody(request.rpcId(), -32020, "No Mcp-Method"));
        } else {
            forwardCall(exchange);
        }
    }

    private boolean hasUnknownSession(RawHttpServer.ReceivedRequest request) {
        boolean first =
                request.rpcMethod().equals("initialize")
                        || request.rpcMethod().equals("server/discover");
        var named = request.header(SESSION_HEADER);
        return !modern && !first && !named.equals(Optional.of("s" + sessions.get()));
    }

    /** Passes what belongs to no call on, until the client hangs up or another one listens. */
    private void standaloneStream(RawHttpServer.Exchange exchange) throws Exception {
        listener.set(exchange);
        exchange.startEventStream();
        Thread.ofVirtual().start(() -> closeOnDisconnect(exchange));
        while (isOpenListener(exchange)) {
            String line = standaloneStream.poll(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            if (line != null && !isOpenListener(exchange)) {
                standaloneStream.addFirst(line); // for the one who listens next
            } else {
                exchange.send(line == null ? ":\n\n" : "event: message\ndata: " + line + "\n\n");
            }
        }
        exchange.close();
    }

    private boolean isOpenListener(RawHttpServer.Exchange exchange) {
        return listener.get() == exchange && !exchange.socket().isClosed();
    }

    private static void closeOnDisconnect(RawHttpServer.Exchange exchange) {
        try {
            exchange.awaitDisconnect(0);
            exchange.close();
        } catch (IOException _) {
            // It is closed.
        }
    }

    private void forwardCall(RawHttpServer.Exchange exchange) throws Exception {
        var post = new PendingPost(exchange);
        synchronized (posts) {
            posts.put(post.id, post);
        }
        Thread.ofVirtual().start(() -> cancelOnDisconnect(post));
        child.sendLine(post.bodyForServer());
        try {
            post.sendResponse();
        } finally {
            synchronized (posts) {
                posts.remove(post.id, post);
            }
            exchange.close();
        }
    }

    /** In the modern era a client that hangs up gives its call up. */
    private void cancelOnDisconnect(PendingPost post) {
        try {
            boolean gone = post.exchange.awaitDisconnect(0);
            boolean open;
            synchronized (posts) {
                open = posts.remove(post.id, post);
            }
            if (gone && open && modern) {
                child.trySend(Utf8Text.encode(ClientMessages.cancelled(post.id) + "\n"));
            }
            post.lines.add("");
        } catch (IOException e) {
            post.lines.add("");
        }
    }

    private void readServerOutput() {
        try {
            while (child.isAlive()) {
                child.poll(POLL_INTERVAL)
                        .ifPresent(line -> route(new String(line, StandardCharsets.UTF_8)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void route(String line) {
        JsonTree message = StrictJson.parse(line);
        PendingPost post =
                message.has("method") ? findRelatedPost(message) : findAnsweredPost(message);
        if (post != null) {
            post.lines.add(modern ? post.withClientIds(message).write() : line);
        } else if (message.has("method")) {
            standaloneStream.add(line);
        }
    }

    private @Nullable PendingPost findAnsweredPost(JsonTree message) {
        synchronized (posts) {
            return posts.get(message.at("id").write());
        }
    }

    private @Nullable PendingPost findRelatedPost(JsonTree message) {
        synchronized (posts) {
            for (String[] mark : List.of(SUBSCRIPTION_ID_PATH, CALL_ID_PATH)) {
                Optional<JsonTree> id = message.findAt((Object[]) mark);
                if (id.isPresent()) {
                    return posts.get(id.get().write());
                }
            }
            Optional<JsonTree> token = message.findAt((Object[]) PROGRESS_TOKEN_PATH);
            return posts.values().stream()
                    .filter(post -> post.hasProgressToken(token))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static String errorBody(String id, int code, String message) {
        return ScriptedResponses.errorLine(id, code, message, "");
    }

    /** A request of the client that is not yet answered. */
    private final class PendingPost {
        private final RawHttpServer.Exchange exchange;
        private final String id;
        private final Optional<JsonTree> token;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        PendingPost(RawHttpServer.Exchange exchange) {
            this.exchange = exchange;
            this.id = modern ? "" + requests.incrementAndGet() : exchange.request().rpcId();
            this.token = exchange.request().json().findAt((Object[]) REQUESTED_TOKEN_PATH);
        }

        /** The request as the server gets it. */
        String bodyForServer() {
            var request = exchange.request();
            return modern
                    ? request.json()
                            .withValueAt(idNumber(), "id")
                            .withValueAt(idNumber(), REQUESTED_TOKEN_PATH)
                            .write()
                    : request.body();
        }

        private JsonTree idNumber() {
            return new JsonTree.Num(id);
        }

        /** A message of the server with the id and the token that the client knows. */
        JsonTree withClientIds(JsonTree message) {
            JsonTree known = exchange.request().json().at("id");
            return message.has("method")
                    ? message.withValueAt(known, SUBSCRIPTION_ID_PATH)
                            .withValueAt(known, CALL_ID_PATH)
                            .withValueAt(token.orElse(JsonTree.Literal.NULL), PROGRESS_TOKEN_PATH)
                    : message.withValueAt(known, "id");
        }

        /** Whether this is the token that its progress has. */
        boolean hasProgressToken(Optional<JsonTree> given) {
            return given.isPresent() && given.equals(modern ? Optional.of(idNumber()) : token);
        }

        /** Sends one body if nothing goes before the answer, else a stream. */
        void sendResponse() throws IOException, InterruptedException {
            String line = lines.take();
            if (line.isEmpty()) {
                return;
            }
            if (!StrictJson.parse(line).has("method")) {
                sendSingleBody(line);
                return;
            }
            exchange.startEventStream();
            while (!line.isEmpty() && StrictJson.parse(line).has("method")) {
                exchange.sendEvent(line);
                line = lines.take();
            }
            if (!line.isEmpty()) {
                exchange.sendEvent(line);
            }
        }

        private void sendSingleBody(String line) throws IOException {
            boolean first = exchange.request().rpcMethod().equals("initialize");
            String session = first && !modern ? "s" + sessions.incrementAndGet() : "";
            exchange.respond(
                    status(StrictJson.parse(line)),
                    line,
                    "Content-Type: application/json",
                    "Connection: close",
                    session.isEmpty() ? "X-Session: none" : SESSION_HEADER + ": " + session);
        }

        private int status(JsonTree response) {
            String code = response.findAt("error", "code").map(JsonTree::write).orElse("");
            return switch (modern ? code : "") {
                case "-32601" -> 404;
                case "-32020", "-32021", "-32022" -> 400;
                default -> 200;
            };
        }
    }
}
