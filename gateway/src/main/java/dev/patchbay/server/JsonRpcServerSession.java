package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.OutboundCalls;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.CancelledNotification;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.TransportFactory.TransportConnection;
import dev.patchbay.text.LoggedFailure;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A session over one connection. Until the handshake is complete, only the handshake uses it. */
final class JsonRpcServerSession implements ServerSession {
    private static final int INPUT_REQUESTS_MAX = 256;

    /** What was negotiated in the handshake. */
    private record NegotiatedProtocol(HandshakeResult handshake, RequestMetaWriter metaWriter) {
        boolean isModern() {
            return handshake.version().era() == Era.MODERN;
        }
    }

    private final TransportConnection transport;
    private final Connection connection;
    private final ChangeSubscriptions subscriptions;
    private final InFlightCalls inFlightCalls = new InFlightCalls();
    private final InputRequestRouter inputRequests;
    private final ServerMessageHandler messageHandler;
    private final InternalCalls internalCalls = new InternalCalls(this);
    private final ServerLogLevel logLevel = new ServerLogLevel(internalCalls::call);
    private final CallAdmission admission;
    private final Ticker ticker;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile @Nullable NegotiatedProtocol protocol;
    private volatile @Nullable String closeCause;

    private JsonRpcServerSession(
            ServerId server, TransportConnection opened, SessionOptions options) {
        this.ticker = options.ticker();
        this.transport = opened;
        this.subscriptions =
                new ChangeSubscriptions(server, internalCalls, options.listener(), ticker);
        this.inputRequests = new InputRequestRouter(inFlightCalls, ticker);
        this.admission = new CallAdmission(inputRequests, options.callsMax(), ticker);
        this.messageHandler =
                new ServerMessageHandler(
                        options.questions(),
                        inFlightCalls,
                        inputRequests,
                        options.listener(),
                        subscriptions::onAcknowledged);
        this.connection =
                new Connection(
                        opened.channel(),
                        messageHandler,
                        INPUT_REQUESTS_MAX,
                        this::sendCancelled,
                        ticker);
    }

    /** Starts to read from the connection. The end is reported exactly once. */
    static JsonRpcServerSession start(
            ServerId server,
            TransportConnection opened,
            SessionOptions options,
            Consumer<JsonRpcServerSession> onEnd) {
        var session = new JsonRpcServerSession(server, opened, options);
        Thread.ofVirtual().name("session " + server).start(() -> session.run(onEnd));
        return session;
    }

    private void run(Consumer<JsonRpcServerSession> onEnd) {
        try {
            connection.run(() -> end(onEnd));
        } catch (IOException e) {
            log().log(DEBUG, "A session ended", new LoggedFailure(e));
        } catch (RuntimeException e) {
            log().log(ERROR, "A session failed", new LoggedFailure(e));
            transport.abort("the gateway failed to read its output");
        }
    }

    /** Reports the end before the calls in flight learn of it: none finds the server connected. */
    private String end(Consumer<JsonRpcServerSession> onEnd) {
        open.set(false);
        String reason = closeReason();
        closeCause = reason; // determined once, as that may take a moment
        onEnd.accept(this);
        return reason.isEmpty() ? "the connection ended" : reason;
    }

    /** From now on, requests are sent in the form of the negotiated version. */
    void completeHandshake(HandshakeResult facts, Implementation client) {
        messageHandler.setEra(facts.version().era());
        transport.onVersionNegotiated(facts.version());
        logLevel.onHandshake(facts);
        var now = new NegotiatedProtocol(facts, new RequestMetaWriter(facts.version(), client));
        protocol = now;
        if (now.isModern()) {
            subscriptions.subscribeToLists(facts.capabilities());
        }
    }

    @Override
    public HandshakeResult handshakeResult() {
        return protocol().handshake;
    }

    private NegotiatedProtocol protocol() {
        NegotiatedProtocol known = protocol;
        if (known == null) {
            throw new IllegalStateException("The handshake is not over");
        }
        return known;
    }

    @Override
    public CallOutcome call(String method, Json params, CallOptions options)
            throws InterruptedException {
        CallOutcome local = handleLocally(method, params, options);
        if (local != null) {
            return local;
        }
        Duration timeout = options.timeout();
        var answer = new ArrayBlockingQueue<CallOutcome>(1);
        return switch (start(method, params, options, timeout, answer::add)) {
            case SendResult.NotSent(String reason) ->
                    checkOutcome(new CallOutcome.NotSent(reason), timeout);
            case SendResult.Sent sent -> checkOutcome(await(answer, sent), timeout);
        };
    }

    /** Waits for the outcome of a call. The call has a timeout, so there will be one. */
    private static CallOutcome await(BlockingQueue<CallOutcome> answer, SendResult.Sent sent)
            throws InterruptedException {
        try {
            return answer.take();
        } catch (InterruptedException e) {
            sent.cancel();
            throw e;
        }
    }

    /** Handles requests that are not forwarded unchanged; null for all others. */
    private @Nullable CallOutcome handleLocally(String method, Json params, CallOptions options)
            throws InterruptedException {
        if (protocol().isModern()) {
            CallOutcome outcome = subscriptions.handleLocally(method, params, options.timeout());
            if (outcome != null) {
                return outcome;
            }
        }
        String level = params.memberText("level");
        return level != null && method.equals(ServerLogLevel.METHOD)
                ? logLevel.setLevel(level)
                : null;
    }

    @Override
    public SendResult send(
            String method,
            Json params,
            CallOptions options,
            Duration patience,
            Consumer<CallOutcome> receiver)
            throws InterruptedException {
        return start(
                method,
                params,
                options,
                patience,
                outcome -> receiver.accept(checkOutcome(outcome, options.timeout())));
    }

    /** Sends a request once it has its turn and a permit. Zero patience never waits for them. */
    private SendResult start(
            String method,
            Json params,
            CallOptions options,
            Duration patience,
            Consumer<CallOutcome> receiver)
            throws InterruptedException {
        if (!logLevel.isSufficientFor(options.logLevel())) {
            if (patience.isZero()) {
                return new SendResult.NotSent("Its log level must be set first");
            }
            logLevel.ensureSufficientFor(options.logLevel());
        }
        long started = ticker.nanoTime();
        var call = new InFlightCall(options.listener(), admission.permits(), method, params);
        SendResult result = admission.busy();
        try {
            if (admission.admit(call, patience, started)) {
                Duration timeout = admission.remaining(options.timeout(), started);
                Duration left = admission.remaining(patience, started);
                var request = request(call, method, params, options, timeout);
                result = connection.calls().send(request, left, it -> complete(call, it, receiver));
            }
        } finally {
            if (!(result instanceof SendResult.Sent)) {
                end(call, false);
            }
        }
        return result;
    }

    private OutboundCalls.CallRequest request(
            InFlightCall call, String method, Json params, CallOptions options, Duration timeout) {
        return new OutboundCalls.CallRequest(
                method,
                id -> {
                    inFlightCalls.register(id, call);
                    return withMeta(params, options, id);
                },
                timeout,
                () -> call.pausedNanos(ticker.nanoTime()));
    }

    private void complete(InFlightCall call, CallOutcome outcome, Consumer<CallOutcome> receiver) {
        if (call.listener().wantsProgress()
                && outcome instanceof CallOutcome.Result(Json result)
                && TaskMessages.legacyTaskId(result) != null) {
            inFlightCalls.keepForProgress(call);
        }
        end(call, outcome.isResponse());
        receiver.accept(outcome);
    }

    private void end(InFlightCall call, boolean isAnswered) {
        inFlightCalls.remove(call, isAnswered);
        inputRequests.onEnded(call);
    }

    Json withMeta(Json params, CallOptions options, long id) {
        return protocol().metaWriter.withMeta(params, options, id);
    }

    CallOutcome handshakeCall(String method, Json params, Duration timeout)
            throws InterruptedException {
        return sendAndWait(method, _ -> params, timeout);
    }

    /** Sends a request whose params are complete. Does not wait. */
    void trySend(OutboundCalls.CallRequest request, Consumer<CallOutcome> receiver) {
        SendResult _ = connection.calls().send(request, Duration.ZERO, receiver);
    }

    /** Sends a request whose params are complete, and waits for the outcome. */
    CallOutcome sendAndWait(String method, LongFunction<@Nullable Json> params, Duration timeout)
            throws InterruptedException {
        return checkOutcome(connection.calls().call(method, params, timeout), timeout);
    }

    private CallOutcome checkOutcome(CallOutcome outcome, Duration timeout) {
        return switch (outcome) {
            case CallOutcome.Result(Json value) when !value.isObject() ->
                    new CallOutcome.InvalidResponse("the result is not an object");
            case CallOutcome.Result result -> result;
            case CallOutcome.ErrorResponse refused -> refused;
            case CallOutcome.InvalidResponse invalid -> invalid;
            case CallOutcome.Unauthorized unauthorized -> unauthorized;
            case CallOutcome.ConnectionLost(String why) -> {
                String ended = closeReason();
                yield new CallOutcome.ConnectionLost(ended.isEmpty() ? why : ended);
            }
            case CallOutcome.TimedOut timedOut -> {
                abortIfStalled(timeout);
                yield timedOut;
            }
            case CallOutcome.Unreachable(String why) ->
                    new CallOutcome.Unreachable(isOpen() ? why : closeReason());
            case CallOutcome.NotSent notSent -> {
                abortIfStalled(timeout);
                yield isOpen() ? notSent : new CallOutcome.Unreachable(closeReason());
            }
        };
    }

    /**
     * Ends a server that has read nothing for as long as a call has waited: the bytes in the pipe
     * cannot be taken back, and the writing thread cannot be unblocked otherwise.
     */
    private void abortIfStalled(Duration timeout) {
        if (transport.stalledFor().toMillis() > timeout.toMillis() * 9 / 10) {
            transport.abort("it does not read its input");
        }
    }

    /** Ends a call that was cancelled or timed out, and notifies the server. Does not block. */
    private void sendCancelled(long id, String reason) {
        InFlightCall call = inFlightCalls.find(id);
        boolean mayStillAsk = call != null && inputRequests.onCancelling(call);
        if (call != null) {
            end(call, false);
        }
        if (protocol != null) { // during the handshake no notification is allowed
            send(CancelledNotification.of(id, reason));
        }
        if (call != null && mayStillAsk) {
            // The answer shows that the server has read what was sent before.
            internalCalls.ping(() -> inputRequests.onCancellationRead(call));
        }
    }

    @Override
    public void sendNotification(String method, Json params) {
        send(new Notification(method, params));
    }

    void send(Notification notification) {
        try {
            if (!transport.channel().trySend(Encoder.encode(notification), Duration.ZERO)) {
                log().log(DEBUG, "Server does not read: {0} dropped", notification.method());
            }
        } catch (IOException e) {
            log().log(DEBUG, "Server is gone", new LoggedFailure(e));
        }
    }

    @Override
    public int inFlightCount() {
        return inFlightCalls.size();
    }

    @Override
    public boolean isOpen() {
        // A caller that lost a call over this session must not get it again for the next one.
        return open.get() && !connection.calls().isClosed();
    }

    @Override
    public void close(String why) {
        closeCause = why;
        open.set(false);
        connection.calls().close(why);
        transport.channel().close();
    }

    /** Ends the session and its transport without waiting for the server. */
    void abort(String why) {
        closeCause = why;
        open.set(false);
        connection.calls().close(why);
        transport.abort(why);
    }

    boolean awaitEnd(Duration patience) throws InterruptedException {
        return transport.awaitEnd(patience);
    }

    boolean hasEnded() {
        try {
            return transport.awaitEnd(Duration.ZERO);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    TransportConnection transport() {
        return transport;
    }

    /** Whether silence or an early end of the server means that it is a legacy server. */
    boolean treatsSilenceAsLegacy() {
        return transport.treatsSilenceAsLegacy();
    }

    /** Why the session ended; empty if it has not. */
    String closeReason() {
        String known = closeCause;
        return known != null ? known : transport.closeReason();
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(JsonRpcServerSession.class.getName());
    }
}
