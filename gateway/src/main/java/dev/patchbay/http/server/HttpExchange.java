package dev.patchbay.http.server;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.InboundRequests;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** One HTTP request and its one response. Only the first response counts. */
final class HttpExchange {
    private static final System.Logger log = System.getLogger(HttpExchange.class.getName());

    /** A body up to this size is sent in one write. */
    private static final int ONE_WRITE_BYTES_MAX = 64 * 1024;

    private static final HttpField JSON =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, AcceptHeader.JSON);
    private static final HttpField EVENTS =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, AcceptHeader.EVENTS);
    private static final HttpField NO_STORE =
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField UNBUFFERED = new PreEncodedHttpField("X-Accel-Buffering", "no");

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final ClientEndPoint endPoint;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();
    private final AtomicBoolean isComplete = new AtomicBoolean();
    private volatile @Nullable Principal principal;
    private volatile @Nullable SseWriter stream;
    private volatile @Nullable Runnable onDisconnect;
    private volatile @Nullable InboundRequests serving;
    private @Nullable Success shutdownResult;
    private volatile RequestBodyBudget.@Nullable Reservation bodyReservation;

    HttpExchange(Request request, Response response, Callback callback, ClientEndPoint socket) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.endPoint = socket;
        socket.beginExchange(this);
        // A client that waits for its response is not idle.
        request.addIdleTimeoutListener(_ -> false);
    }

    Request request() {
        return request;
    }

    /** The connection that the request came on. */
    ClientEndPoint endPoint() {
        return endPoint;
    }

    /** The value of a header; null if it is absent. Duplicates are joined. */
    @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    /** The number of occurrences of a header. */
    int headerCount(String name) {
        int count = 0;
        HttpFields headers = request.getHeaders();
        for (HttpField field : headers) {
            if (field.getName().equalsIgnoreCase(name)) {
                count++;
            }
        }
        return count;
    }

    void setHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    /** Responds with JSON. */
    void respondJson(int status, EncodedJson text) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        response.setStatus(status);
        response.getHeaders().add(JSON);
        if (text.length() <= ONE_WRITE_BYTES_MAX) {
            response.write(true, ByteBuffer.wrap(text.toBytes()), completion());
        } else {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length());
            new LargeBodyWriter(response, text, completion()).iterate();
        }
    }

    /** Responds without a body. */
    void respondEmpty(int status) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(status);
            response.write(true, null, completion());
        }
    }

    /** Responds with an error to the request with this id. */
    void refuse(int status, RequestId id, RpcError error) {
        respondJson(status, Encoder.encode(new Failure(id, error)));
    }

    void refuse(int status, String why) {
        refuse(status, RequestId.UNKNOWN, RpcError.of(RpcError.INVALID_REQUEST, why));
    }

    /** Responds with any bytes. */
    void respondBytes(int status, String type, byte[] body) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
            response.write(true, ByteBuffer.wrap(body), completion());
        }
    }

    /** Starts to respond with an event stream; null if there is a response already. */
    @Nullable SseWriter stream(SseWriter.Listener owner) {
        if (!answered.compareAndSet(false, true)) {
            return null;
        }
        response.setStatus(200);
        response.getHeaders().add(EVENTS).add(NO_STORE).add(UNBUFFERED);
        var opened = new SseWriter(response, completion(), owner);
        stream = opened;
        return opened;
    }

    /** Ends without a response: the client is gone or must be disconnected. */
    void abort() {
        if (answered.compareAndSet(false, true)) {
            endPoint.close();
            completion().failed(new ClientDisconnected());
        }
    }

    /** Continues on a virtual thread with work that may block. */
    void runOnVirtualThread(Runnable work) {
        Thread.ofVirtual()
                .name("http-request")
                .start(
                        () -> {
                            try {
                                work.run();
                            } catch (Throwable e) {
                                respondInternalError(e);
                            }
                        });
    }

    /**
     * Responds to a request whose processing failed, unless there is a response already. If even
     * that fails, the connection is closed: a client never waits for a response that cannot come.
     */
    void respondInternalError(Throwable cause) {
        try {
            log.log(ERROR, "A request failed", cause);
            refuse(500, "Internal error");
        } catch (Throwable _) {
            endPoint.close();
        }
    }

    /** Registers an action for when the client disconnects before the response. */
    void onDisconnect(Runnable action) {
        onDisconnect = action;
    }

    /** Records who serves a request without a session, and the response if nothing else ends it. */
    void serving(InboundRequests by, @Nullable Success farewell) {
        this.shutdownResult = farewell;
        serving = by;
    }

    /** Waits for the response of such a request; on a timeout it is refused. */
    void drain(Duration grace) throws InterruptedException {
        InboundRequests by = serving;
        if (by != null) {
            if (shutdownResult != null) {
                by.respond(shutdownResult);
            }
            by.drain(grace);
        }
    }

    /** Whether the client hung up, or was answered. */
    boolean isDisconnected() {
        return isComplete.get() || endPoint.isDisconnected();
    }

    /** Sets who sent the request; null if nobody is known. */
    void setPrincipal(@Nullable Principal authenticated) {
        principal = authenticated;
    }

    /** Ends the request and the connection if its sender is not among the current principals. */
    void endUnless(Predicate<Principal> current) {
        Principal sender = principal;
        if (sender == null || isComplete.get() || current.test(sender)) {
            return;
        }
        Runnable action = onDisconnect;
        onDisconnect = null;
        SseWriter opened = stream;
        if (opened != null) {
            opened.disconnect();
        }
        endPoint.close();
        if (action != null) {
            action.run();
        }
    }

    /** Looks after a request that takes its time: is anybody still there? */
    void sweep(long graceNanos, long keepAliveNanos) {
        if (isComplete.get() || System.nanoTime() - startNanos < graceNanos) {
            return;
        }
        SseWriter opened = stream;
        Runnable action = onDisconnect;
        if (opened == null && action == null) {
            return;
        }
        if (endPoint.isDisconnected()) {
            if (opened != null) {
                opened.disconnect();
                endPoint.close(); // unblocks a write that waits for room
            }
            if (action != null) {
                onDisconnect = null;
                action.run();
            }
        } else if (opened != null) {
            opened.sendKeepAliveIfQuiet(keepAliveNanos);
        }
    }

    /** The end of the exchange, reported to Jetty once. */
    private Callback completion() {
        return Callback.from(this::completeSuccess, this::completeFailure);
    }

    /** Gives back the memory of the body when the exchange is complete. */
    void closeWhenComplete(RequestBodyBudget.Reservation reservation) {
        bodyReservation = reservation;
    }

    private void closeReservation() {
        RequestBodyBudget.Reservation reservation = bodyReservation;
        if (reservation != null) {
            reservation.close();
        }
    }

    private void completeSuccess() {
        if (isComplete.compareAndSet(false, true)) {
            closeReservation();
            endPoint.endExchange();
            callback.succeeded();
        }
    }

    private void completeFailure(Throwable cause) {
        if (isComplete.compareAndSet(false, true)) {
            closeReservation();
            log.log(DEBUG, "The client is gone", cause);
            endPoint.endExchange();
            callback.failed(cause);
        }
    }

    /** The client has disconnected. */
    private static final class ClientDisconnected extends IOException implements QuietException {
        ClientDisconnected() {
            super("The client is gone");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
