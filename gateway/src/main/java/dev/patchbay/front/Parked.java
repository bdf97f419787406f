package dev.patchbay.front;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

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
    private boolean stopped;
    private int asked;

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

    /** What ends the call at the server. */
    synchronized void stopWith(Runnable action) {
        stop = action;
    }

    /** Gives the call up. What its client was asked may be asked by another of its calls. */
    void stop() {
        stop(Question::leave);
    }

    /** The client did not come back: the call is given up, and the server is told why. */
    void expire() {
        stop(Question::giveUp);
    }

    private void stop(Consumer<Question> parting) {
        Runnable action;
        List<Question> left;
        synchronized (this) {
            stopped = true;
            action = stop;
            left = List.copyOf(open.values());
            open.clear();
        }
        left.forEach(parting);
        action.run();
    }

    @Override
    public Object client() {
        return ear().client();
    }

    @Override
    public String principal() {
        return origin.principal();
    }

    @Override
    public synchronized boolean wantsProgress() {
        return ear.wantsProgress();
    }

    @Override
    public boolean takesTasks() {
        return true; // only modern clients are here
    }

    @Override
    public void progress(Json params) {
        ear().progress(params);
    }

    @Override
    public boolean logged(Json params) {
        return ear().logged(params);
    }

    @Override
    public boolean takes(String method, Json params) {
        return ear().isDeclared(method, params);
    }

    private synchronized ClientEar ear() {
        return ear;
    }

    @Override
    public @Nullable Json ask(String method, Json params) throws InterruptedException {
        ear().requireDeclared(method, params);
        var question = new Question(method, Questions.modern(method, params));
        Completion ended;
        Json questions = null;
        synchronized (this) {
            if (isOver()) {
                return null; // nobody will come for it any more
            }
            asked++;
            open.put("q" + asked, question);
            ended = waiter;
            if (ended != null) {
                try {
                    questions = questions();
                    waiter = null;
                } catch (RpcException e) {
                    open.remove("q" + asked);
                    throw e;
                }
            }
        }
        if (ended != null && questions != null) {
            ended.complete(questions);
        }
        return question.await();
    }

    private boolean isOver() {
        return stopped || result != null || error != null;
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
        List<Question> left = List.of();
        boolean over;
        synchronized (this) {
            ear = listening;
            if (answers != null && answers.isObject()) {
                answers.members().forEach(answer -> answer(answer.name(), answer.value()));
            }
            over = isOver();
            if (over) {
                left = List.copyOf(open.values());
                open.clear();
            } else if (!open.isEmpty()) {
                questions = questionsOrStop();
            } else {
                waiter = completion;
            }
        }
        left.forEach(Question::leave);
        if (over) {
            tell(completion);
        } else if (questions != null) {
            completion.complete(questions);
        }
    }

    /** Where there is no room to wait for the client again, nothing else could end the call. */
    private Json questionsOrStop() {
        try {
            return questions();
        } catch (RpcException e) {
            stop();
            throw e;
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
        } else {
            completion.fail(
                    failure != null
                            ? failure
                            : RpcError.of(RpcError.INTERNAL_ERROR, "The call was given up"));
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
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile @Nullable Json answer;
        private volatile boolean givenUp;

        Question(String method, Json params) {
            this.method = method;
            this.params = params;
        }

        void answer(Json value) {
            answer = value;
            over.countDown();
        }

        /** The client did not come back with an answer. */
        void giveUp() {
            givenUp = true;
            over.countDown();
        }

        /** No request of the client will be about this call any more. */
        void leave() {
            over.countDown();
        }

        /** The answer; null if it can come by another call only. Whoever keeps the call ends it. */
        @Nullable Json await() throws InterruptedException {
            over.await();
            if (givenUp) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR, "The client did not come back with " + method);
            }
            return answer;
        }
    }
}
