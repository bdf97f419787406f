package dev.patchbay.http;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.Method;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The way to a server over HTTP. Each message is a POST of its own; what comes back on it, or on
 * the stream that the server may offer beside, is received. A failed POST is the failure of its
 * call; the channel ends when the session is lost.
 */
public final class HttpChannel implements Channel {
    static final int BODY_BYTES_MAX = 16 * 1024 * 1024;

    private static final System.Logger log = System.getLogger(HttpChannel.class.getName());
    private static final int FRAME_BYTES_MAX = 64 * 1024 * 1024;

    /** For calls whose own deadline ends them; this only ends what nobody ends. */
    private static final Duration EXCHANGE_MAX = Duration.ofMinutes(15);

    /** So much later than its caller an exchange ends by itself: who waits is to be the first. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration NOTICE_MAX = Duration.ofSeconds(10);
    private static final String INITIALIZED = "notifications/initialized";
    private static final String CANCELLED = "notifications/cancelled";

    /** Where a server is, and what every request to it carries. */
    public record Target(
            URI url, Map<String, String> headers, boolean isOldSse, Credential credential) {
        public Target {
            headers = Map.copyOf(headers);
        }

        public Target(URI url, Map<String, String> headers, boolean isOldSse) {
            this(url, headers, isOldSse, Credential.NONE);
        }
    }

    private final Target target;
    private final Wire wire;
    private final Admission admission;
    private final ServerHeaders headers;
    private final ConcurrentMap<Long, Post> posts = new ConcurrentHashMap<>();
    private final CountDownLatch listening = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<@Nullable String> why = new AtomicReference<>();
    private volatile Receiver receiver = _ -> {};
    private volatile @Nullable String sessionId;
    private volatile @Nullable ProtocolVersion version;
    private volatile @Nullable OldSse oldSse;
    private volatile @Nullable ServerStream stream;
    private volatile Duration retryAfter = Duration.ZERO;

    /** Down while the server has not yet taken that the handshake is over. */
    private volatile CountDownLatch ready = new CountDownLatch(0);

    /**
     * A channel to a server; nothing is sent yet.
     *
     * @param headerParams which arguments of a tool of this server go into headers
     */
    public HttpChannel(Target target, Function<String, List<HeaderParam>> headerParams)
            throws IOException {
        this(target, headerParams, new SocketWire());
    }

    HttpChannel(Target target, Function<String, List<HeaderParam>> headerParams, Wire wire)
            throws IOException {
        String scheme = target.url.getScheme();
        boolean known = "http".equals(scheme) || "https".equals(scheme);
        if (!known || target.url.getHost() == null) {
            throw new IOException("Its URL is not one of http or https");
        }
        this.target = target;
        this.wire = wire;
        this.admission = new Admission(wire, target.credential);
        this.headers = new ServerHeaders(target, headerParams);
        if (target.isOldSse) {
            oldSse = new OldSse(this);
        }
    }

    @Override
    public void receive(Receiver taker) throws IOException {
        receiver = taker;
        listening.countDown();
        OldSse old = oldSse;
        if (old != null) {
            old.start();
        }
        try {
            over.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            close();
        }
    }

    @Override
    public void send(JsonText frame) throws IOException {
        trySend(frame, Duration.ZERO);
    }

    /** Whether the server may ask a person something first; who called it gives it up in time. */
    private static boolean mayAsk(Message message) {
        return message instanceof Message.Request request
                && switch (request.method()) {
                    case "tools/call", "prompts/get", "resources/read" -> true;
                    default -> false;
                };
    }

    @Override
    public boolean trySend(JsonText frame, Duration patience) throws IOException {
        if (why.get() != null) {
            throw new IOException("The channel is closed");
        }
        Inbound inbound = Decoder.decode(frame.toJson());
        if (!(inbound instanceof Message message)) {
            throw new IOException("Only a message can be posted");
        }
        if (message instanceof Notification notice && notice.method().equals(CANCELLED)) {
            cancel(notice, frame);
            return true;
        }
        var post = new Post(this, message, frame, time(message, patience));
        if (message instanceof Notification notice && notice.method().equals(INITIALIZED)) {
            ready = post.done();
        }
        post.start();
        return true;
    }

    private static Duration time(Message message, Duration patience) {
        if (message instanceof Notification) {
            return NOTICE_MAX;
        }
        boolean own = patience.isZero() || mayAsk(message);
        return own ? EXCHANGE_MAX : patience.plus(GRACE);
    }

    /** Gives a call up: of the modern era by hanging up, else by telling so and then hanging up. */
    private void cancel(Notification notice, JsonText frame) {
        var params = notice.params();
        var id = params == null ? null : params.member("requestId");
        Post post = id == null ? null : posts.get(id.asLong(-1));
        if (post == null || !post.isModern()) {
            new Post(this, notice, frame, NOTICE_MAX).start();
        }
        if (post != null) {
            post.abort();
        }
    }

    @Override
    public int frameBytesMax() {
        return FRAME_BYTES_MAX;
    }

    /** Told which version is spoken from now on. */
    public void agreed(ProtocolVersion agreed) {
        version = agreed;
    }

    /** Why the channel ended; empty as long as it has not. */
    public String lastWords() {
        String reason = why.get();
        return reason == null ? "" : reason;
    }

    /** For how long the server last asked to be left alone. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** Takes note of what a refusal asks for. */
    void refused(Wire.Answer answer) {
        retryAfter = RetryAfter.of(answer);
    }

    @Override
    public void close() {
        end("The connection was closed");
    }

    /** Ends the channel for a reason; the first one counts. */
    void end(String reason) {
        if (!why.compareAndSet(null, reason)) {
            return;
        }
        String session = sessionId;
        if (session != null && version != null) {
            new Farewell(this).start();
        }
        posts.values().forEach(Post::abort);
        OldSse old = oldSse;
        if (old != null) {
            old.stop();
        }
        over.countDown();
        ServerStream opened = stream;
        if (opened != null) {
            opened.stop();
        }
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits, unless the channel ends; whether it has ended. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }

    Wire wire() {
        return wire;
    }

    /** The way in, for what the server may refuse for want of a credential. */
    Admission admission() {
        return admission;
    }

    Target target() {
        return target;
    }

    ServerHeaders headers() {
        return headers;
    }

    /** The headers of a legacy session, as far as it is known. */
    Map<String, String> session() {
        var session = new TreeMap<String, String>();
        String id = sessionId;
        ProtocolVersion spoken = version;
        if (id != null) {
            session.put(Posting.SESSION, id);
        }
        if (spoken != null && spoken.era() == Era.LEGACY) {
            session.put(ModernHeaders.VERSION, spoken.text());
        }
        return session;
    }

    /** Whether an answer to a request of the session says that there is none; then it is over. */
    boolean isLost(int status, byte[] body) {
        boolean lost = sessionId != null && Answers.isOfNoSession(status, body);
        if (lost) {
            end("Its session has ended (HTTP %d)".formatted(status));
        }
        return lost;
    }

    /** Notes the session that the answer to a handshake gives. */
    void opened(@Nullable String session) {
        sessionId = session;
    }

    /** The old transport, if it is spoken. */
    @Nullable OldSse oldSse() {
        return oldSse;
    }

    /** Tries the transport of 2024-11-05, which the server may speak instead. */
    OldSse fallBack() {
        var old = new OldSse(this);
        oldSse = old;
        old.start();
        return old;
    }

    void register(long call, Post post) {
        posts.put(call, post);
    }

    void unregister(long call, Post post) {
        posts.remove(call, post);
    }

    /** Waits until the message may be sent: the handshake comes before all others. */
    void awaitTurn(Message message) throws InterruptedException {
        listening.await();
        boolean handshake =
                message instanceof Request request
                        && Method.of(request.method()) == Method.INITIALIZE;
        boolean first =
                message instanceof Notification notice && notice.method().equals(INITIALIZED);
        if (!handshake && !first) {
            ready.await();
        }
    }

    void deliver(Inbound inbound) {
        receiver.accept(inbound);
    }

    void deliver(Inbound inbound, long call) {
        receiver.accept(inbound, call);
    }

    void failed(long call, CallOutcome outcome) {
        receiver.failed(call, outcome);
    }

    void missed() {
        receiver.missed();
    }

    /** Opens the stream for what the server says unasked, once a legacy session has begun. */
    void listen() {
        ProtocolVersion spoken = version;
        if (spoken != null && spoken.era() == Era.LEGACY && oldSse == null) {
            var opened = new ServerStream(this);
            stream = opened;
            opened.start();
            if (isOver()) {
                opened.stop();
            }
        }
    }

    void note(String what, Throwable cause) {
        log.log(DEBUG, what, cause);
    }
}
