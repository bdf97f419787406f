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
public final class OverHttp implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final String[] TAG = {"params", "_meta", ServerAnswers.SUBSCRIPTION_KEY};
    private static final String[] MARK = {"params", "_meta", ServerAnswers.CALL_KEY};
    private static final String[] WANTED = {"params", "_meta", "progressToken"};
    private static final String[] TOLD = {"params", "progressToken"};

    private final boolean modern;
    private final RawClient child;
    private final RawHttpServer http;
    private final Map<String, Post> posts = new LinkedHashMap<>();
    private final BlockingDeque<String> standing = new LinkedBlockingDeque<>();
    private final AtomicReference<RawHttpServer.@Nullable Exchange> listening =
            new AtomicReference<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    private OverHttp(ServerScript script, String era) throws IOException {
        modern = era.equals("modern");
        child = script.era(era).with("mark-calls").launch().withoutHistory().start();
        http = RawHttpServer.start(this::serve);
        Thread.ofVirtual().name("lines of " + script.name()).start(this::read);
    }

    /** Starts the server of a script; the era is {@code legacy} or {@code modern}. */
    public static OverHttp start(ServerScript script, String era) throws IOException {
        return new OverHttp(script, era);
    }

    public URI url() {
        return http.url("/mcp");
    }

    /** The server as the value of an entry of {@code mcpServers}. */
    public String config() {
        return "{\"type\":\"http\",\"url\":" + StrictJson.quote(url().toString()) + "}";
    }

    /** The requests so far, in the order of their arrival. */
    public List<RawHttpServer.Received> received() {
        return http.received();
    }

    /** Whether somebody listens to what the server says of changes. */
    public boolean isListenedTo() {
        synchronized (posts) {
            return listening.get() != null
                    || posts.values().stream()
                            .map(post -> post.exchange.request().rpcMethod())
                            .anyMatch("subscriptions/listen"::equals);
        }
    }

    /** Hangs up on every request and stream, as a proxy does that has seen nothing for a while. */
    public void cut() throws IOException {
        List<Post> waiting;
        synchronized (posts) {
            waiting = List.copyOf(posts.values());
        }
        for (Post post : waiting) {
            post.exchange.close();
        }
        RawHttpServer.Exchange stream = listening.get();
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
            exchange.answer(405, "", "Allow: POST");
        } else if (request.method().equals("GET")) {
            standing(exchange);
        } else if (!post) {
            exchange.answer(200, "");
        } else if (isOfNoSession(request)) {
            exchange.answer(404, "");
        } else if (request.rpcMethod().isEmpty() || request.rpcId().isEmpty()) {
            child.sendLine(request.body());
            exchange.answer(202, "");
        } else if (modern && request.header("Mcp-Method").isEmpty()) {
            exchange.answer(400, error(request.rpcId(), -32020, "No Mcp-Method"));
        } else {
            call(exchange);
        }
    }

    private boolean isOfNoSession(RawHttpServer.Received request) {
        boolean first =
                request.rpcMethod().equals("initialize")
                        || request.rpcMethod().equals("server/discover");
        var named = request.header(SESSION);
        return !modern && !first && !named.equals(Optional.of("s" + sessions.get()));
    }

    /** Passes what belongs to no call on, until the client hangs up or another one listens. */
    private void standing(RawHttpServer.Exchange exchange) throws Exception {
        listening.set(exchange);
        exchange.stream();
        Thread.ofVirtual().start(() -> closeWhenLeft(exchange));
        while (hears(exchange)) {
            String line = standing.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            if (line != null && !hears(exchange)) {
                standing.addFirst(line); // for the one who listens next
            } else {
                exchange.send(line == null ? ":\n\n" : "event: message\ndata: " + line + "\n\n");
            }
        }
        exchange.close();
    }

    private boolean hears(RawHttpServer.Exchange exchange) {
        return listening.get() == exchange && !exchange.socket().isClosed();
    }

    private static void closeWhenLeft(RawHttpServer.Exchange exchange) {
        try {
            exchange.awaitHangUp(0);
            exchange.close();
        } catch (IOException _) {
            // It is closed.
        }
    }

    private void call(RawHttpServer.Exchange exchange) throws Exception {
        var post = new Post(exchange);
        synchronized (posts) {
            posts.put(post.id, post);
        }
        Thread.ofVirtual().start(() -> watch(post));
        child.sendLine(post.body());
        try {
            post.answer();
        } finally {
            synchronized (posts) {
                posts.remove(post.id, post);
            }
            exchange.close();
        }
    }

    /** In the modern era a client that hangs up gives its call up. */
    private void watch(Post post) {
        try {
            boolean gone = post.exchange.awaitHangUp(0);
            boolean open;
            synchronized (posts) {
                open = posts.remove(post.id, post);
            }
            if (gone && open && modern) {
                child.trySend(Text.bytes(Messages.cancelled(post.id) + "\n"));
            }
            post.lines.add("");
        } catch (IOException e) {
            post.lines.add("");
        }
    }

    private void read() {
        try {
            while (child.alive()) {
                child.poll(LOOK).ifPresent(line -> route(new String(line, StandardCharsets.UTF_8)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void route(String line) {
        JsonTree message = StrictJson.parse(line);
        Post post = message.has("method") ? concerned(message) : answered(message);
        if (post != null) {
            post.lines.add(modern ? post.ofItsClient(message).write() : line);
        } else if (message.has("method")) {
            standing.add(line);
        }
    }

    private @Nullable Post answered(JsonTree message) {
        synchronized (posts) {
            return posts.get(message.at("id").write());
        }
    }

    private @Nullable Post concerned(JsonTree message) {
        synchronized (posts) {
            for (String[] mark : List.of(TAG, MARK)) {
                Optional<JsonTree> id = message.find((Object[]) mark);
                if (id.isPresent()) {
                    return posts.get(id.get().write());
                }
            }
            Optional<JsonTree> token = message.find((Object[]) TOLD);
            return posts.values().stream()
                    .filter(post -> post.isTold(token))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static String error(String id, int code, String message) {
        return ServerAnswers.errorLine(id, code, message, "");
    }

    /** A request of the client that is not yet answered. */
    private final class Post {
        private final RawHttpServer.Exchange exchange;
        private final String id;
        private final Optional<JsonTree> token;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Post(RawHttpServer.Exchange exchange) {
            this.exchange = exchange;
            this.id = modern ? "" + requests.incrementAndGet() : exchange.request().rpcId();
            this.token = exchange.request().json().find((Object[]) WANTED);
        }

        /** The request as the server gets it. */
        String body() {
            var request = exchange.request();
            return modern
                    ? request.json().with(number(), "id").with(number(), WANTED).write()
                    : request.body();
        }

        private JsonTree number() {
            return new JsonTree.Num(id);
        }

        /** A message of the server with the id and the token that the client knows. */
        JsonTree ofItsClient(JsonTree message) {
            JsonTree known = exchange.request().json().at("id");
            return message.has("method")
                    ? message.with(known, TAG)
                            .with(known, MARK)
                            .with(token.orElse(JsonTree.Literal.NULL), TOLD)
                    : message.with(known, "id");
        }

        /** Whether this is the token that its progress has. */
        boolean isTold(Optional<JsonTree> given) {
            return given.isPresent() && given.equals(modern ? Optional.of(number()) : token);
        }

        /** Sends one body if nothing goes before the answer, else a stream. */
        void answer() throws IOException, InterruptedException {
            String line = lines.take();
            if (line.isEmpty()) {
                return;
            }
            if (!StrictJson.parse(line).has("method")) {
                whole(line);
                return;
            }
            exchange.stream();
            while (!line.isEmpty() && StrictJson.parse(line).has("method")) {
                exchange.event(line);
                line = lines.take();
            }
            if (!line.isEmpty()) {
                exchange.event(line);
            }
        }

        private void whole(String line) throws IOException {
            boolean first = exchange.request().rpcMethod().equals("initialize");
            String session = first && !modern ? "s" + sessions.incrementAndGet() : "";
            exchange.answer(
                    status(StrictJson.parse(line)),
                    line,
                    "Content-Type: application/json",
                    "Connection: close",
                    session.isEmpty() ? "X-Session: none" : SESSION + ": " + session);
        }

        private int status(JsonTree response) {
            String code = response.find("error", "code").map(JsonTree::write).orElse("");
            return switch (modern ? code : "") {
                case "-32601" -> 404;
                case "-32020", "-32021", "-32022" -> 400;
                default -> 200;
            };
        }
    }
}
