package dev.patchbay.http;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.Serving;

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

/**
 * One HTTP request and the way its one response takes. The first who answers wins; what comes later
 * finds the door closed.
 */
final class Visit {
    private static final System.Logger log = System.getLogger(Visit.class.getName());

    /** Up to here a body goes out in one write. */
    private static final int ONE_WRITE_BYTES_MAX = 64 * 1024;

    private static final HttpField JSON =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, Accepts.JSON);
    private static final HttpField EVENTS =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, Accepts.EVENTS);
    private static final HttpField NO_STORE =
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField UNBUFFERED = new PreEncodedHttpField("X-Accel-Buffering", "no");

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final ClientSocket socket;
    private final long begun = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable EventStream stream;
    private volatile @Nullable Runnable whenGone;
    private volatile @Nullable Serving serving;
    private @Nullable Success farewell;

    Visit(Request request, Response response, Callback callback, ClientSocket socket) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.socket = socket;
        socket.enter(this);
        // A client that waits for its answer is not idle.
        request.addIdleTimeoutListener(_ -> false);
    }

    Request request() {
        return request;
    }

    /** The value of a header; null if it is absent. One that is there twice counts as both. */
    @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    /** How often a header is there. */
    int count(String name) {
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

    /** Answers with one JSON text. */
    void json(int status, JsonText text) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        response.setStatus(status);
        response.getHeaders().add(JSON);
        if (text.length() <= ONE_WRITE_BYTES_MAX) {
            response.write(true, ByteBuffer.wrap(text.toBytes()), end());
        } else {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, text.length());
            new Pieces(response, text, end()).iterate();
        }
    }

    /** Answers without a body. */
    void empty(int status) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(status);
            response.write(true, null, end());
        }
    }

    /** Answers with an error to the request of that id. */
    void refuse(int status, RequestId id, RpcError error) {
        json(status, Encoder.encode(new Failure(id, error)));
    }

    void refuse(int status, String why) {
        refuse(status, RequestId.UNKNOWN, RpcError.of(RpcError.INVALID_REQUEST, why));
    }

    /** Answers with bytes of any kind. */
    void bytes(int status, String type, byte[] body) {
        if (answered.compareAndSet(false, true)) {
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
            response.write(true, ByteBuffer.wrap(body), end());
        }
    }

    /** Begins to answer with a stream of events; null if there is an answer already. */
    @Nullable EventStream stream(EventStream.Owner owner) {
        if (!answered.compareAndSet(false, true)) {
            return null;
        }
        response.setStatus(200);
        response.getHeaders().add(EVENTS).add(NO_STORE).add(UNBUFFERED);
        var opened = new EventStream(response, end(), owner);
        stream = opened;
        return opened;
    }

    /** Ends without an answer: the client is gone, or must go. */
    void abort() {
        if (answered.compareAndSet(false, true)) {
            socket.close();
            end().failed(new ClientGone());
        }
    }

    /** Goes on with work that may wait, on a thread of its own. */
    void later(Runnable work) {
        Thread.ofVirtual()
                .name("visit")
                .start(
                        () -> {
                            try {
                                work.run();
                            } catch (RuntimeException e) {
                                failed(e);
                            }
                        });
    }

    /** Answers for work that failed, unless it is answered. */
    void failed(RuntimeException cause) {
        log.log(ERROR, "A request failed", cause);
        refuse(500, "Internal error");
    }

    /** Has something done when the client hangs up before its answer. */
    void whenGone(Runnable action) {
        whenGone = action;
    }

    /**
     * Notes who serves a request that belongs to no session, and what ends it if nothing else does.
     */
    void serving(Serving by, @Nullable Success farewell) {
        this.farewell = farewell;
        serving = by;
    }

    /** Waits for the answer of such a request; without one in time it is refused. */
    void drain(Duration grace) throws InterruptedException {
        Serving by = serving;
        if (by != null) {
            if (farewell != null) {
                by.answer(farewell);
            }
            by.drain(grace);
        }
    }

    /** Looks after a request that takes its time: is anybody still there? */
    void look(long graceNanos, long keepAliveNanos) {
        if (over.get() || System.nanoTime() - begun < graceNanos) {
            return;
        }
        EventStream opened = stream;
        Runnable action = whenGone;
        if (opened == null && action == null) {
            return;
        }
        if (socket.isGone()) {
            if (opened != null) {
                opened.lose();
                socket.close(); // frees a write that waits for room
            }
            if (action != null) {
                whenGone = null;
                action.run();
            }
        } else if (opened != null) {
            opened.keepAlive(keepAliveNanos);
        }
    }

    /** The end of the exchange, told to Jetty once. */
    private Callback end() {
        return Callback.from(this::succeed, this::fail);
    }

    private void succeed() {
        if (over.compareAndSet(false, true)) {
            socket.leave();
            callback.succeeded();
        }
    }

    private void fail(Throwable cause) {
        if (over.compareAndSet(false, true)) {
            log.log(DEBUG, "The client is gone", cause);
            socket.leave();
            callback.failed(cause);
        }
    }

    /** Nobody is there to be answered. */
    private static final class ClientGone extends IOException implements QuietException {
        ClientGone() {
            super("The client is gone");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
