package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Responder;
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
final class SuspendedCall implements CallListener {
    private final SuspendedCallRegistry registry;
    private final SuspendedCallRegistry.RequestKey requestKey;
    private final Map<String, OpenQuestion> openQuestions = new LinkedHashMap<>();
    private ClientCallListener listener;
    private @Nullable Responder responder;
    private @Nullable Json result;
    private @Nullable RpcError error;
    private Runnable stop = () -> {};
    private boolean isStopped;
    private int questionCount;

    /** A call on behalf of a request, which its completion waits for. */
    SuspendedCall(
            SuspendedCallRegistry calls,
            SuspendedCallRegistry.RequestKey origin,
            ClientCallListener ear,
            Responder waiter) {
        this.registry = calls;
        this.requestKey = origin;
        this.listener = ear;
        this.responder = waiter;
    }

    SuspendedCallRegistry.RequestKey requestKey() {
        return requestKey;
    }

    /** What ends the call at the server. */
    synchronized void setStopAction(Runnable action) {
        stop = action;
    }

    /** Gives the call up. What its client was asked may be asked by another of its calls. */
    void stop() {
        stop(OpenQuestion::release);
    }

    /** The client did not come back: the call is given up, and the server is told why. */
    void expire() {
        stop(OpenQuestion::expire);
    }

    private void stop(Consumer<OpenQuestion> parting) {
        Runnable action;
        List<OpenQuestion> left;
        synchronized (this) {
            isStopped = true;
            action = stop;
            left = List.copyOf(openQuestions.values());
            openQuestions.clear();
        }
        left.forEach(parting);
        action.run();
    }

    @Override
    public Object client() {
        return listener().client();
    }

    @Override
    public String principal() {
        return requestKey.principal();
    }

    @Override
    public synchronized boolean wantsProgress() {
        return listener.wantsProgress();
    }

    @Override
    public boolean acceptsTasks() {
        return true; // only modern clients are here
    }

    @Override
    public void onProgress(Json params) {
        listener().onProgress(params);
    }

    @Override
    public boolean onLogMessage(Json params) {
        return listener().onLogMessage(params);
    }

    @Override
    public boolean acceptsInputRequest(String method, Json params) {
        return listener().isDeclared(method, params);
    }

    private synchronized ClientCallListener listener() {
        return listener;
    }

    @Override
    public @Nullable Json requestInput(String method, Json params) throws InterruptedException {
        listener().requireDeclared(method, params);
        var question = new OpenQuestion(method, InputRequests.toModern(method, params));
        Responder ended;
        Json questions = null;
        synchronized (this) {
            if (isEnded()) {
                return null; // nobody will come for it any more
            }
            questionCount++;
            openQuestions.put("q" + questionCount, question);
            ended = responder;
            if (ended != null) {
                try {
                    questions = inputRequiredResult();
                    responder = null;
                } catch (RpcException e) {
                    openQuestions.remove("q" + questionCount);
                    throw e;
                }
            }
        }
        if (ended != null && questions != null) {
            ended.succeed(questions);
        }
        return question.await();
    }

    private boolean isEnded() {
        return isStopped || result != null || error != null;
    }

    /** The server answered, or could not. */
    void complete(@Nullable Json value, @Nullable RpcError failure) {
        Responder ended;
        synchronized (this) {
            result = value;
            error = failure;
            ended = responder;
            responder = null;
        }
        if (ended != null) {
            respond(ended);
        }
    }

    /** Goes on with the client's answers, on behalf of another request. */
    void resume(@Nullable Json answers, ClientCallListener listening, Responder completion) {
        Json questions = null;
        List<OpenQuestion> left = List.of();
        boolean over;
        synchronized (this) {
            listener = listening;
            if (answers != null && answers.isObject()) {
                answers.members().forEach(answer -> answer(answer.name(), answer.value()));
            }
            over = isEnded();
            if (over) {
                left = List.copyOf(openQuestions.values());
                openQuestions.clear();
            } else if (!openQuestions.isEmpty()) {
                questions = inputRequiredOrStop();
            } else {
                responder = completion;
            }
        }
        left.forEach(OpenQuestion::release);
        if (over) {
            respond(completion);
        } else if (questions != null) {
            completion.succeed(questions);
        }
    }

    /** Where there is no room to wait for the client again, nothing else could end the call. */
    private Json inputRequiredOrStop() {
        try {
            return inputRequiredResult();
        } catch (RpcException e) {
            stop();
            throw e;
        }
    }

    private void answer(String key, Json value) {
        OpenQuestion question = value.isObject() ? openQuestions.remove(key) : null;
        if (question != null) {
            question.answer(value);
        }
    }

    private void respond(Responder completion) {
        Json value;
        RpcError failure;
        synchronized (this) {
            value = result;
            failure = error;
        }
        if (value != null) {
            completion.succeed(value);
        } else {
            completion.fail(
                    failure != null
                            ? failure
                            : RpcError.of(RpcError.INTERNAL_ERROR, "The call was given up"));
        }
    }

    /** What the client is told to bring, and the state to bring it with. */
    private Json inputRequiredResult() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("resultType", "input_required")
                        .name("inputRequests")
                        .beginObject();
        openQuestions.forEach(
                (key, question) ->
                        writer.name(key)
                                .beginObject()
                                .member("method", question.method)
                                .member("params", question.params)
                                .endObject());
        return writer.endObject()
                .member("requestState", registry.suspend(this))
                .endObject()
                .toJson();
    }

    /** Something the server waits for. */
    private static final class OpenQuestion {
        private final String method;
        private final Json params;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Json answer;
        private volatile boolean isExpired;

        OpenQuestion(String method, Json params) {
            this.method = method;
            this.params = params;
        }

        void answer(Json value) {
            answer = value;
            done.countDown();
        }

        /** The client did not come back with an answer. */
        void expire() {
            isExpired = true;
            done.countDown();
        }

        /** No request of the client will be about this call any more. */
        void release() {
            done.countDown();
        }

        /** The answer; null if it can come by another call only. Whoever keeps the call ends it. */
        @Nullable Json await() throws InterruptedException {
            done.await();
            if (isExpired) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR, "The client did not come back with " + method);
            }
            return answer;
        }
    }
}
