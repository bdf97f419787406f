package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.McpHeaders;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.http.client.wire.ScheduledTimeout;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** The POST of one message, and its response. */
final class MessagePost implements Runnable {
    private static final Decoder DECODER = new Decoder(JsonLimits.DEFAULTS);
    private static final long NO_CALL = -1;
    private static final int RETRIES_MAX = 2;
    private static final long RETRY_MILLIS_FIRST = 250;

    private final HttpChannel channel;
    private final Message message;
    private final EncodedJson frame;
    private final Duration timeout;
    private final long callId;
    private final boolean isModernRequest;
    private final CountDownLatch accepted = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isAborted;
    private volatile boolean isTimedOut;

    MessagePost(HttpChannel channel, Message message, EncodedJson frame, Duration time) {
        this.channel = channel;
        this.message = message;
        this.frame = frame;
        this.timeout = time;
        this.callId = message instanceof Request request ? callNumber(request.id()) : NO_CALL;
        this.isModernRequest =
                message instanceof Request request
                        && McpHeaders.claimedVersion(request.params()) != null;
        this.thread = Thread.ofVirtual().name("post").unstarted(this);
    }

    private static long callNumber(RequestId id) {
        return id.json().asLong(NO_CALL);
    }

    void start() {
        if (callId != NO_CALL) {
            channel.register(callId, this);
        }
        thread.start();
    }

    /** Counted down when the server has accepted or refused the message. */
    CountDownLatch accepted() {
        return accepted;
    }

    boolean isModern() {
        return isModernRequest;
    }

    /** Disconnects, because the response is no longer wanted. */
    void abort() {
        isAborted = true;
        thread.interrupt();
    }

    private void timeOut() {
        isTimedOut = true;
        thread.interrupt();
    }

    @Override
    public void run() {
        try (var _ = ScheduledTimeout.after(timeout, this::timeOut)) {
            channel.awaitHandshake(message);
            exchange();
        } catch (HttpSender.NotSentException e) {
            String why = isTimedOut ? "the connection was not accepted in time" : reason(e);
            fail(new CallOutcome.Unreachable(why), e);
        } catch (IOException | RuntimeException | Error e) {
            fail(new CallOutcome.ConnectionLost(isTimedOut ? "no response in time" : reason(e)), e);
        } catch (InterruptedException e) {
            fail(new CallOutcome.ConnectionLost("no response in time"), e);
        } finally {
            channel.unregister(callId, this);
            accepted.countDown();
        }
    }

    private static String reason(Throwable e) {
        String text = e.getMessage();
        return text == null ? e.getClass().getSimpleName() : text;
    }

    private void fail(CallOutcome outcome, Throwable cause) {
        channel.logDebug("A post failed", cause);
        if (callId != NO_CALL && !isAborted) {
            channel.failCall(callId, outcome);
        }
    }

    private void exchange() throws IOException, InterruptedException {
        SseTransport old = channel.sseTransport();
        if (old != null) {
            postToSseEndpoint(old);
            return;
        }
        int repeats = isRetryable() ? RETRIES_MAX : 0;
        long pause = RETRY_MILLIS_FIRST;
        while (!send(repeats > 0) && !channel.awaitClose(pause)) {
            repeats--;
            pause *= 2;
        }
    }

    /** Whether the message is idempotent and must arrive. */
    private boolean isRetryable() {
        return message instanceof Response || isInitialized();
    }

    /** Sends the message; returns false if it was lost and may be sent again. */
    private boolean send(boolean mayRepeat) throws IOException, InterruptedException {
        URI url = channel.target().url();
        try (HttpSender.Response answer = channel.authorizedSender().send(() -> newRequest(url))) {
            if (answer.status() >= 200 && answer.status() < 300) {
                handleSuccess(answer);
            } else if (mayRepeat && ResponseInspector.isTransient(answer.status())) {
                return false;
            } else {
                handleErrorStatus(answer);
            }
        } catch (IOException e) {
            if (!mayRepeat || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            channel.logDebug("A post was lost", e);
            return false;
        }
        return true;
    }

    private HttpSender.Request newRequest(URI url) {
        var headers = channel.requestHeaders().forMessage(channel.sessionHeaders(), message);
        return new HttpSender.Request(
                "POST", url, headers, new HttpSender.RequestBody(frame.toBytes()));
    }

    private void handleSuccess(HttpSender.Response answer)
            throws IOException, InterruptedException {
        if (!(message instanceof Request request)) {
            accepted.countDown();
            if (isInitialized()) {
                channel.openServerStream();
            }
            answer.drain();
            return;
        }
        if (request.method().equals("initialize") && !isModernRequest) {
            channel.setSessionId(answer.header(McpHeaders.SESSION_ID));
        }
        ResponseInspector.checkEncoding(answer);
        switch (ResponseInspector.mediaType(answer)) {
            case AcceptHeader.JSON -> handleJson(ResponseInspector.readBody(answer));
            case AcceptHeader.EVENTS -> new PostResponseStream(channel, this).read(answer);
            default -> throw ResponseInspector.unexpectedType(answer);
        }
    }

    private boolean isInitialized() {
        return message instanceof Message.Notification notice
                && notice.method().toLowerCase(Locale.ROOT).equals("notifications/initialized");
    }

    private void handleJson(byte[] body) throws IOException {
        DecodedFrame inbound = DECODER.decode(body, 0, body.length);
        boolean answered = false;
        if (inbound instanceof DecodedFrame.Batch(var items)) {
            for (DecodedFrame item : items) {
                answered |= deliver(item);
            }
        } else {
            answered = deliver(inbound);
        }
        if (!answered) {
            throw new IOException(
                    "the response is not a JSON-RPC message: " + DisplayText.excerpt(body));
        }
    }

    /** Delivers an incoming message; returns whether it is the response. */
    boolean deliver(DecodedFrame inbound) {
        boolean answers = isResponse(inbound);
        if (answers && inbound instanceof DecodedFrame.BadResponse bad) {
            channel.failCall(
                    callId, new CallOutcome.InvalidResponse(bad.reason(), bad.tooDeepResult()));
        } else {
            channel.deliver(inbound, callId);
        }
        return answers;
    }

    DecodedFrame decode(SseReader.Data data) {
        return DECODER.decode(data.bytes(), 0, data.length());
    }

    long callId() {
        return callId;
    }

    private boolean isResponse(DecodedFrame inbound) {
        return switch (inbound) {
            case Response response -> callNumber(response.id()) == callId;
            case DecodedFrame.BadResponse bad ->
                    !bad.id().isKnown() || callNumber(bad.id()) == callId;
            case DecodedFrame.Malformed _,
                    DecodedFrame.Batch _,
                    Request _,
                    Message.Notification _ ->
                    false;
        };
    }

    private void handleErrorStatus(HttpSender.Response answer)
            throws IOException, InterruptedException {
        int status = answer.status();
        channel.noteRetryAfter(answer);
        byte[] body = ResponseInspector.readErrorBody(answer);
        if (!isModernRequest && channel.closeIfSessionLost(status, body)) {
            return;
        }
        if (!(message instanceof Request request)) {
            return;
        }
        String advice = channel.authorizedSender().advice(answer);
        if (!advice.isEmpty()) {
            failUnauthorized(advice, status);
            return;
        }
        RpcError error = ResponseInspector.parseRpcError(body);
        if (error != null) {
            channel.deliver(new Failure(request.id(), error), callId);
        } else if (status == 500 && request.method().equals("server/discover")) {
            // Some legacy servers answer unknown methods with 500.
            deliverError(request, ResponseInspector.describe(answer, body));
        } else if (ResponseInspector.isInconclusive(status)) {
            String text = ResponseInspector.describe(answer, body);
            throw new IOException(
                    status == 401 ? channel.authorizedSender().withRenewalError(text) : text);
        } else if (mayBeSseServer(request, status)) {
            answer.close();
            fallBackToSse(request, ResponseInspector.describe(answer, body));
        } else {
            deliverError(request, ResponseInspector.describe(answer, body));
        }
    }

    /** The server requires sign-in. The previous credential is no longer valid. */
    private void failUnauthorized(String advice, int status) {
        if (!isAborted) {
            channel.failCall(callId, new CallOutcome.Unauthorized(advice));
        }
        if (status == 401 && channel.authorizedSender().hasBeenAuthorized()) {
            channel.closeBecause(advice);
        }
    }

    private void deliverError(Request request, String text) {
        channel.deliver(
                new Failure(request.id(), RpcError.of(RpcError.INVALID_REQUEST, text)), callId);
    }

    private boolean mayBeSseServer(Request request, int status) {
        return request.method().equals("initialize")
                && !isModernRequest
                && (status == 400 || status == 404 || status == 405);
    }

    /** The server may support the transport of 2024-11-05 at the same URL. */
    private void fallBackToSse(Request request, String text)
            throws IOException, InterruptedException {
        SseTransport old = channel.switchToSse();
        if (old.awaitEndpoint() == null) {
            deliverError(request, text);
        } else {
            postToSseEndpoint(old);
        }
    }

    private void postToSseEndpoint(SseTransport old) throws IOException, InterruptedException {
        URI endpoint = old.awaitEndpoint();
        if (endpoint == null && !old.advice().isEmpty() && callId != NO_CALL) {
            failUnauthorized(old.advice(), 401);
            return;
        }
        if (endpoint == null) {
            throw new IOException(old.failureReason());
        }
        try (HttpSender.Response answer =
                channel.authorizedSender().send(() -> newRequest(endpoint))) {
            String advice = channel.authorizedSender().advice(answer);
            if (!advice.isEmpty() && callId != NO_CALL) {
                failUnauthorized(advice, answer.status());
            } else if (answer.status() >= 300) {
                throw new IOException(
                        ResponseInspector.describe(
                                answer, ResponseInspector.readErrorBody(answer)));
            }
            answer.drain();
        }
    }
}
