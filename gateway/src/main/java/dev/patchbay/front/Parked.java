package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A call of a modern client to a server that may ask the client something. A question ends the
 * client's request with what is asked; the call itself goes on, and the request that brings the
 * answers waits for the next question or for the end.
 */
final class Parked implements CallListener {
    private final ParkedCalls calls;
    private final ParkedCalls.Origin origin;
    private final Map<String, Question> open = new LinkedHashMap<>();
    private ClientEar ear;
    private @Nullable Completion waiter;
    private @Nullable Json result;
    private @Nullable RpcError error;
    private Runnable stop = () -> {};
    private int asked;
    private long touchedNanos = System.nanoTime();

    /** A call on behalf of a request, which its completion waits for. */
    Parked(ParkedCalls calls, ParkedCalls.Origin origin, ClientEar ear, Completion waiter) {
        this.calls = calls;
        this.origin = origin;
        this.ear = ear;
        this.waiter = waiter;
    }

    ParkedCalls.Origin origin() {
        return origin;
    }

    synchronized boolean isOld(long now) {
        return now - touchedNanos > ParkedCalls.KEPT.toNanos();
    }

    /** What ends the call at the server. */
    synchronized void stopWith(Runnable action) {
        stop = action;
    }

    void stop() {
        Runnable action;
        synchronized (this) {
            action = stop;
        }
        action.run();
    }

    @Override
    public synchronized boolean wantsProgress() {
        return ear.wantsProgress();
    }

    @Override
    public void progress(Json params) {
        ear().progress(params);
    }

    @Override
    public void logged(Json params) {
        ear().logged(params);
    }

    private synchronized ClientEar ear() {
        return ear;
    }

    @Override
    public Json ask(String method, Json params) throws InterruptedException {
        ear().requireDeclared(method);
        var question = new Question(method, params);
        Completion ended;
        Json questions;
        synchronized (this) {
            asked++;
            open.put("q" + asked, question);
            ended = waiter;
            waiter = null;
            questions = ended == null ? null : questions();
        }
        if (ended != null && questions != null) {
            ended.complete(questions);
        }
        return question.await();
    }

    /** The server answered, or could not. */
    void end(@Nullable Json value, @Nullable RpcError failure) {
        Completion ended;
        synchronized (this) {
            result = value;
            error = failure;
            ended = waiter;
            waiter = null;
        }
        if (ended != null) {
            tell(ended);
        }
    }

    /** Goes on with the client's answers, on behalf of another request. */
    void goOn(@Nullable Json answers, ClientEar listening, Completion completion) {
        Json questions = null;
        boolean over;
        synchronized (this) {
            touchedNanos = System.nanoTime();
            ear = listening;
            if (answers != null && answers.isObject()) {
                answers.members().forEach(answer -> answer(answer.name(), answer.value()));
            }
            over = result != null || error != null;
            if (!over && !open.isEmpty()) {
                questions = questions();
            } else if (!over) {
                waiter = completion;
            }
        }
        if (over) {
            tell(completion);
        } else if (questions != null) {
            completion.complete(questions);
        }
    }

    private void answer(String key, Json value) {
        Question question = value.isObject() ? open.remove(key) : null;
        if (question != null) {
            question.answer(value);
        }
    }

    private void tell(Completion completion) {
        Json value;
        RpcError failure;
        synchronized (this) {
            value = result;
            failure = error;
        }
        if (value != null) {
            completion.complete(value);
        } else if (failure != null) {
            completion.fail(failure);
        }
    }

    /** What the client is told to bring, and the state to bring it with. */
    private Json questions() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("resultType", "input_required")
                        .name("inputRequests")
                        .beginObject();
        open.forEach(
                (key, question) ->
                        writer.name(key)
                                .beginObject()
                                .member("method", question.method)
                                .member("params", question.params)
                                .endObject());
        return writer.endObject().member("requestState", calls.park(this)).endObject().toJson();
    }

    /** Something the server waits for. */
    private static final class Question {
        private final String method;
        private final Json params;
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile @Nullable Json answer;

        Question(String method, Json params) {
            this.method = method;
            this.params = params;
        }

        void answer(Json value) {
            answer = value;
            answered.countDown();
        }

        Json await() throws InterruptedException {
            boolean came = answered.await(ParkedCalls.KEPT.toMillis(), TimeUnit.MILLISECONDS);
            Json value = answer;
            if (!came || value == null) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR, "The client did not come back with " + method);
            }
            return value;
        }
    }
}
