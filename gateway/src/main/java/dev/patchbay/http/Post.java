package dev.patchbay.http;

import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** One message on its way to a server, and what comes back on it. */
final class Post implements Runnable {
    private static final Decoder DECODER = new Decoder(JsonLimits.DEFAULTS);
    private static final long NO_CALL = -1;
    private static final int REPEATS_MAX = 2;
    private static final long PAUSE_MILLIS_FIRST = 250;

    private final HttpChannel channel;
    private final Message message;
    private final JsonText frame;
    private final Duration time;
    private final long call;
    private final boolean modern;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean aborted;
    private volatile boolean late;

    Post(HttpChannel channel, Message message, JsonText frame, Duration time) {
        this.channel = channel;
        this.message = message;
        this.frame = frame;
        this.time = time;
        this.call = message instanceof Request request ? number(request.id()) : NO_CALL;
        this.modern = message instanceof Request request && Posting.claim(request.params()) != null;
        this.thread = Thread.ofVirtual().name("post").unstarted(this);
    }

    private static long number(RequestId id) {
        return id.written().asLong(NO_CALL);
    }

    void start() {
        if (call != NO_CALL) {
            channel.register(call, this);
        }
        thread.start();
    }

    /** Done when the server has taken the message, or will not. */
    CountDownLatch done() {
        return done;
    }

    boolean isModern() {
        return modern;
    }

    /** Hangs up. Nobody waits for the answer any more. */
    void abort() {
        aborted = true;
        thread.interrupt();
    }

    private void expire() {
        late = true;
        thread.interrupt();
    }

    @Override
    public void run() {
        try (var _ = Deadlines.after(time, this::expire)) {
            channel.awaitTurn(message);
            exchange();
        } catch (Wire.NotReached e) {
            String why = late ? "It does not take the connection" : reason(e);
            fail(new CallOutcome.NotSent(why), e);
        } catch (IOException | RuntimeException e) {
            fail(new CallOutcome.Lost(late ? "No answer in time" : reason(e)), e);
        } catch (InterruptedException e) {
            fail(new CallOutcome.Lost("No answer in time"), e);
        } finally {
            channel.unregister(call, this);
            done.countDown();
        }
    }

    private static String reason(Exception e) {
        String text = e.getMessage();
        return text == null ? e.getClass().getSimpleName() : text;
    }

    private void fail(CallOutcome outcome, Exception cause) {
        channel.note("A post failed", cause);
        if (call != NO_CALL && !aborted) {
            channel.failed(call, outcome);
        }
    }

    private void exchange() throws IOException, InterruptedException {
        OldSse old = channel.oldSse();
        if (old != null) {
            postOld(old);
            return;
        }
        int repeats = isRepeatable() ? REPEATS_MAX : 0;
        long pause = PAUSE_MILLIS_FIRST;
        while (!send(repeats > 0) && !channel.awaitEnd(pause)) {
            repeats--;
            pause *= 2;
        }
    }

    /** Whether hearing it twice is no more to a server than once, and missing it a loss. */
    private boolean isRepeatable() {
        return message instanceof Response || isInitialized();
    }

    /** Sends it; false if it was lost on the way, and may be sent again. */
    private boolean send(boolean mayRepeat) throws IOException, InterruptedException {
        URI url = channel.target().url();
        try (Wire.Answer answer = channel.admission().send(() -> ask(url))) {
            if (answer.status() >= 200 && answer.status() < 300) {
                taken(answer);
            } else if (mayRepeat && Answers.isPassing(answer.status())) {
                return false;
            } else {
                refused(answer);
            }
        } catch (IOException e) {
            if (!mayRepeat || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            channel.note("A post was lost", e);
            return false;
        }
        return true;
    }

    private Wire.Ask ask(URI url) {
        var headers = channel.headers().forMessage(channel.session(), message);
        return new Wire.Ask("POST", url, headers, new Wire.JsonBody(frame.toBytes()));
    }

    private void taken(Wire.Answer answer) throws IOException, InterruptedException {
        if (!(message instanceof Request request)) {
            done.countDown();
            if (isInitialized()) {
                channel.listen();
            }
            answer.finish();
            return;
        }
        if (request.method().equals("initialize") && !modern) {
            channel.opened(answer.header(Posting.SESSION));
        }
        Answers.checkEncoding(answer);
        switch (Answers.type(answer)) {
            case Accepts.JSON -> json(Answers.body(answer));
            case Accepts.EVENTS -> new PostStream(channel, this).read(answer);
            default -> throw Answers.unexpected(answer);
        }
    }

    private boolean isInitialized() {
        return message instanceof Message.Notification notice
                && notice.method().toLowerCase(Locale.ROOT).equals("notifications/initialized");
    }

    private void json(byte[] body) throws IOException {
        Inbound inbound = DECODER.decode(body, 0, body.length);
        boolean answered = false;
        if (inbound instanceof Inbound.Batch(var items)) {
            for (Inbound item : items) {
                answered |= take(item);
            }
        } else {
            answered = take(inbound);
        }
        if (!answered) {
            throw new IOException("Its answer is none: " + Snippet.of(body));
        }
    }

    /** Hands over what came back; whether it is the answer. */
    boolean take(Inbound inbound) {
        boolean answers = answers(inbound);
        if (answers && inbound instanceof Inbound.BadResponse bad) {
            channel.failed(call, new CallOutcome.Invalid(bad.why(), bad.tooDeep()));
        } else {
            channel.deliver(inbound, call);
        }
        return answers;
    }

    Inbound decode(SseReader.Data data) {
        return DECODER.decode(data.bytes(), 0, data.length());
    }

    long call() {
        return call;
    }

    private boolean answers(Inbound inbound) {
        return switch (inbound) {
            case Response response -> number(response.id()) == call;
            case Inbound.BadResponse bad -> !bad.id().isKnown() || number(bad.id()) == call;
            case Inbound.Malformed _, Inbound.Batch _, Request _, Message.Notification _ -> false;
        };
    }

    private void refused(Wire.Answer answer) throws IOException, InterruptedException {
        int status = answer.status();
        channel.refused(answer);
        byte[] body = Answers.start(answer);
        if (!modern && channel.isLost(status, body)) {
            return;
        }
        if (!(message instanceof Request request)) {
            return;
        }
        String advice = channel.admission().advice(answer);
        if (!advice.isEmpty()) {
            unauthorized(advice, status);
            return;
        }
        RpcError error = Answers.error(body);
        if (error != null) {
            channel.deliver(new Failure(request.id(), error), call);
        } else if (Answers.isNoVerdict(status)) {
            String text = Answers.text(answer, body);
            throw new IOException(status == 401 ? channel.admission().explained(text) : text);
        } else if (mayBeOld(request, status)) {
            answer.close();
            fallBack(request, Answers.text(answer, body));
        } else {
            refuse(request, Answers.text(answer, body));
        }
    }

    /** The server wants a person to sign in. What it let us in with is of no use any more. */
    private void unauthorized(String advice, int status) {
        if (!aborted) {
            channel.failed(call, new CallOutcome.Unauthorized(advice));
        }
        if (status == 401 && channel.admission().wasLetIn()) {
            channel.end(advice);
        }
    }

    private void refuse(Request request, String text) {
        channel.deliver(
                new Failure(request.id(), RpcError.of(RpcError.INVALID_REQUEST, text)), call);
    }

    private boolean mayBeOld(Request request, int status) {
        return request.method().equals("initialize")
                && !modern
                && (status == 400 || status == 404 || status == 405);
    }

    /** The server may speak the transport of 2024-11-05 at the same URL. */
    private void fallBack(Request request, String text) throws IOException, InterruptedException {
        OldSse old = channel.fallBack();
        if (old.awaitEndpoint() == null) {
            refuse(request, text);
        } else {
            postOld(old);
        }
    }

    private void postOld(OldSse old) throws IOException, InterruptedException {
        URI endpoint = old.awaitEndpoint();
        if (endpoint == null && !old.advice().isEmpty() && call != NO_CALL) {
            unauthorized(old.advice(), 401);
            return;
        }
        if (endpoint == null) {
            throw new IOException(old.trouble());
        }
        try (Wire.Answer answer = channel.admission().send(() -> ask(endpoint))) {
            String advice = channel.admission().advice(answer);
            if (!advice.isEmpty() && call != NO_CALL) {
                unauthorized(advice, answer.status());
            } else if (answer.status() >= 300) {
                throw new IOException(Answers.text(answer, Answers.start(answer)));
            }
            answer.finish();
        }
    }
}
