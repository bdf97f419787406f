package dev.patchbay.http.client;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.http.McpHeaders;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.SocketHttpSender;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.text.LoggedFailure;

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
 * A channel to a server over HTTP. Each message is a separate POST; messages arrive in its response
 * or on the server's event stream. A failed POST fails its call; the channel ends when the session
 * is lost.
 */
public final class HttpChannel implements Channel {
    static final int BODY_BYTES_MAX = 16 * 1024 * 1024;

    private static final System.Logger log = System.getLogger(HttpChannel.class.getName());
    private static final int FRAME_BYTES_MAX = 64 * 1024 * 1024;

    /** A last resort: calls have their own deadlines. */
    private static final Duration EXCHANGE_TIMEOUT = Duration.ofMinutes(15);

    /**
     * An exchange ends this much later than its caller's deadline, so that the caller times out
     * first.
     */
    private static final Duration CALLER_GRACE = Duration.ofSeconds(2);

    private static final Duration NOTIFICATION_TIMEOUT = Duration.ofSeconds(10);
    private static final String INITIALIZED = "notifications/initialized";
    private static final String CANCELLED = "notifications/cancelled";

    /** The URL of a server, and the headers of every request. */
    public record Target(
            URI url, Map<String, String> headers, boolean usesSseTransport, Credential credential) {
        public Target {
            headers = Map.copyOf(headers);
        }

        public Target(URI url, Map<String, String> headers, boolean isOldSse) {
            this(url, headers, isOldSse, Credential.NONE);
        }
    }

    private final Target target;
    private final HttpSender sender;
    private final AuthorizedSender authorizedSender;
    private final ServerRequestHeaders requestHeaders;
    private final ConcurrentMap<Long, MessagePost> posts = new ConcurrentHashMap<>();
    private final CountDownLatch receiverSet = new CountDownLatch(1);
    private final CountDownLatch closedLatch = new CountDownLatch(1);
    private final AtomicReference<@Nullable String> closeReasonText = new AtomicReference<>();
    private volatile Receiver receiver = _ -> {};
    private volatile @Nullable String sessionId;
    private volatile @Nullable ProtocolVersion version;
    private volatile @Nullable SseTransport sseTransport;
    private volatile @Nullable ServerEventStream serverStream;
    private volatile Duration retryAfter = Duration.ZERO;

    /** Counted down when the server has accepted {@code notifications/initialized}. */
    private volatile CountDownLatch handshakeFinished = new CountDownLatch(0);

    /**
     * Creates a channel; nothing is sent yet.
     *
     * @param headerParams which arguments of a tool are also sent in headers
     */
    public HttpChannel(Target target, Function<String, List<HeaderParam>> headerParams)
            throws IOException {
        this(target, headerParams, new SocketHttpSender());
    }

    HttpChannel(Target target, Function<String, List<HeaderParam>> headerParams, HttpSender wire)
            throws IOException {
        String scheme = target.url.getScheme();
        boolean known = "http".equals(scheme) || "https".equals(scheme);
        if (!known || target.url.getHost() == null) {
            throw new IOException("the URL must begin with http:// or https://");
        }
        this.target = target;
        this.sender = wire;
        this.authorizedSender = new AuthorizedSender(wire, target.credential);
        this.requestHeaders = new ServerRequestHeaders(target, headerParams);
        if (target.usesSseTransport) {
            sseTransport = new SseTransport(this);
        }
    }

    @Override
    public void receive(Receiver taker) throws IOException {
        receiver = taker;
        receiverSet.countDown();
        SseTransport old = sseTransport;
        if (old != null) {
            old.start();
        }
        try {
            closedLatch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            close();
        }
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        trySend(frame, Duration.ZERO);
    }

    /**
     * Whether the server may ask for user input before it answers; the caller has its own timeout.
     */
    private static boolean mayRequestInput(Message message) {
        return message instanceof Message.Request request
                && switch (request.method()) {
                    case "tools/call", "prompts/get", "resources/read" -> true;
                    default -> false;
                };
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
        if (closeReasonText.get() != null) {
            throw new IOException("The channel is closed");
        }
        DecodedFrame inbound = Decoder.decode(frame.toJson());
        if (!(inbound instanceof Message message)) {
            throw new IOException("Only a message can be posted");
        }
        if (message instanceof Notification notice && notice.method().equals(CANCELLED)) {
            cancel(notice, frame);
            return true;
        }
        var post = new MessagePost(this, message, frame, timeout(message, patience));
        if (message instanceof Notification notice && notice.method().equals(INITIALIZED)) {
            handshakeFinished = post.accepted();
        }
        post.start();
        return true;
    }

    private static Duration timeout(Message message, Duration patience) {
        if (message instanceof Notification) {
            return NOTIFICATION_TIMEOUT;
        }
        boolean own = patience.isZero() || mayRequestInput(message);
        return own ? EXCHANGE_TIMEOUT : patience.plus(CALLER_GRACE);
    }

    /**
     * Cancels a call: in the modern era by disconnecting, else by a notification and disconnecting.
     */
    private void cancel(Notification notice, EncodedJson frame) {
        var params = notice.params();
        var id = params == null ? null : params.member("requestId");
        MessagePost post = id == null ? null : posts.get(id.asLong(-1));
        if (post == null || !post.isModern()) {
            new MessagePost(this, notice, frame, NOTIFICATION_TIMEOUT).start();
        }
        if (post != null) {
            post.abort();
        }
    }

    @Override
    public int frameBytesMax() {
        return FRAME_BYTES_MAX;
    }

    /** Sets the negotiated version. */
    public void setVersion(ProtocolVersion agreed) {
        version = agreed;
    }

    /** Why the channel ended; empty while it is open. */
    public String closeReason() {
        String reason = closeReasonText.get();
        return reason == null ? "" : reason;
    }

    /** The delay that the server requested last. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** Records the delay that a refusal requests. */
    void noteRetryAfter(HttpSender.Response answer) {
        retryAfter = RetryAfter.parse(answer);
    }

    @Override
    public void close() {
        closeBecause("The connection was closed");
    }

    /** Closes the channel with a reason; the first one counts. */
    void closeBecause(String reason) {
        if (!closeReasonText.compareAndSet(null, reason)) {
            return;
        }
        String session = sessionId;
        if (session != null && version != null) {
            new SessionDeleteRequest(this).start();
        }
        posts.values().forEach(MessagePost::abort);
        SseTransport old = sseTransport;
        if (old != null) {
            old.stop();
        }
        closedLatch.countDown();
        ServerEventStream opened = serverStream;
        if (opened != null) {
            opened.stop();
        }
    }

    boolean isClosed() {
        return closedLatch.getCount() == 0;
    }

    /** Waits until the time passes or the channel ends; returns whether it has ended. */
    boolean awaitClose(long millis) throws InterruptedException {
        return closedLatch.await(millis, TimeUnit.MILLISECONDS);
    }

    HttpSender sender() {
        return sender;
    }

    /** The sender for requests that may need a credential. */
    AuthorizedSender authorizedSender() {
        return authorizedSender;
    }

    Target target() {
        return target;
    }

    ServerRequestHeaders requestHeaders() {
        return requestHeaders;
    }

    /** The headers of a legacy session, as far as they are known. */
    Map<String, String> sessionHeaders() {
        var session = new TreeMap<String, String>();
        String id = sessionId;
        ProtocolVersion spoken = version;
        if (id != null) {
            session.put(McpHeaders.SESSION_ID, id);
        }
        if (spoken != null && spoken.era() == Era.LEGACY) {
            session.put(McpHeaders.PROTOCOL_VERSION, spoken.text());
        }
        return session;
    }

    /** Closes the channel if a response says that the session is unknown. */
    boolean closeIfSessionLost(int status, byte[] body) {
        boolean lost = sessionId != null && ResponseInspector.isUnknownSession(status, body);
        if (lost) {
            closeBecause("the session ended (HTTP %d)".formatted(status));
        }
        return lost;
    }

    /** Sets the session id from the response to the handshake. */
    void setSessionId(@Nullable String session) {
        sessionId = session;
    }

    /** The SSE transport, if it is used. */
    @Nullable SseTransport sseTransport() {
        return sseTransport;
    }

    /** Switches to the SSE transport of 2024-11-05, which the server may support instead. */
    SseTransport switchToSse() {
        var old = new SseTransport(this);
        sseTransport = old;
        old.start();
        return old;
    }

    void register(long call, MessagePost post) {
        posts.put(call, post);
    }

    void unregister(long call, MessagePost post) {
        posts.remove(call, post);
    }

    /** Waits until the message may be sent: the handshake comes before everything else. */
    void awaitHandshake(Message message) throws InterruptedException {
        receiverSet.await();
        boolean handshake =
                message instanceof Request request
                        && McpMethod.of(request.method()) == McpMethod.INITIALIZE;
        boolean first =
                message instanceof Notification notice && notice.method().equals(INITIALIZED);
        if (!handshake && !first) {
            handshakeFinished.await();
        }
    }

    void deliver(DecodedFrame inbound) {
        receiver.accept(inbound);
    }

    void deliver(DecodedFrame inbound, long call) {
        receiver.accept(inbound, call);
    }

    void failCall(long call, CallOutcome outcome) {
        receiver.onCallFailed(call, outcome);
    }

    void reportStreamEnd(long call) {
        receiver.onStreamEnded(call);
    }

    void reportMissedMessages() {
        receiver.onNotificationsLost();
    }

    /** Opens the stream for unsolicited messages, once a legacy session has begun. */
    void openServerStream() {
        ProtocolVersion spoken = version;
        if (spoken != null && spoken.era() == Era.LEGACY && sseTransport == null) {
            var opened = new ServerEventStream(this);
            serverStream = opened;
            opened.start();
            if (isClosed()) {
                opened.stop();
            }
        }
    }

    void logDebug(String what, Throwable cause) {
        log.log(DEBUG, what, new LoggedFailure(cause));
    }
}
