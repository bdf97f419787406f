package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.ErrorResponses;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A call of a modern client to a server that may ask the client for input. A question ends the
 * client's request with an {@code input_required} result, while the call goes on. The request that
 * brings the answers then waits for the next question or for the result.
 */
final class SuspendedCall implements CallListener, Responder {
    private final SuspendedCallRegistry registry;
    private final SuspendedCallRegistry.RequestKey requestKey;
    private final Object origin;
    private final Map<String, OpenQuestion> openQuestions = new LinkedHashMap<>();
    private ClientCallListener listener;

    /** Answers the request that waits for this call; null while no request waits. */
    private @Nullable Responder responder;

    private @Nullable Json result;
    private @Nullable RpcError error;
    private @Nullable Runnable stopAction;
    private boolean isStopped;
    private int questionCount;

    SuspendedCall(
            SuspendedCallRegistry registry,
            SuspendedCallRegistry.RequestKey requestKey,
            ClientCallListener listener,
            Responder responder) {
        this.registry = registry;
        this.requestKey = requestKey;
        this.origin = listener.origin();
        this.listener = listener;
        this.responder = responder;
    }

    SuspendedCallRegistry.RequestKey requestKey() {
        return requestKey;
    }

    /** Sets the action that cancels the call at the server. */
    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            stopAction = action;
            if (!isStopped) {
                return;
            }
        }
        action.run();
    }

    /** Cancels the call. Another call of the client may ask its open questions. */
    void stop() {
        stop(OpenQuestion::release);
    }

    /** Cancels the call because its client did not return. Its open questions fail. */
    void expire() {
        stop(OpenQuestion::expire);
    }

    private void stop(Consumer<OpenQuestion> endQuestion) {
        Runnable action;
        List<OpenQuestion> left;
        synchronized (this) {
            isStopped = true;
            action = stopAction;
            left = List.copyOf(openQuestions.values());
            openQuestions.clear();
        }
        left.forEach(endQuestion);
        if (action != null) {
            action.run();
        }
    }

    @Override
    public Object client() {
        return listener().client();
    }

    /** The origin of the first request, also when another request has brought an answer. */
    @Override
    public Object origin() {
        return origin;
    }

    @Override
    public String principal() {
        return requestKey.principal();
    }

    @Override
    public boolean wantsProgress() {
        return listener().wantsProgress();
    }

    /** Only calls of modern clients are suspended. */
    @Override
    public boolean acceptsTasks() {
        return true;
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
        ClientCallListener current;
        synchronized (this) {
            if (isEnded()) {
                return false;
            }
            current = listener;
        }
        return current.isDeclared(method, params);
    }

    @Override
    public RequestContext context() {
        return listener().requestContext();
    }

    private synchronized ClientCallListener listener() {
        return listener;
    }

    @Override
    public @Nullable Json requestInput(String method, Json params) throws InterruptedException {
        listener().requireDeclared(method, params);
        var question = new OpenQuestion(method, InputRequests.toModern(method, params));
        String key;
        Map<String, OpenQuestion> questions;
        Responder waiting;
        synchronized (this) {
            if (isEnded()) {
                return null; // no request will bring an answer
            }
            questionCount++;
            key = "q" + questionCount;
            openQuestions.put(key, question);
            questions = new LinkedHashMap<>(openQuestions);
            waiting = responder;
            responder = null;
        }
        if (waiting != null) {
            try {
                waiting.succeed(inputRequired(questions, registry.suspend(this)));
            } catch (RpcException e) {
                goOnWithoutQuestions(waiting);
                throw e;
            }
        }
        return question.await();
    }

    /** Lets the request wait for the result, because the client cannot be asked through it. */
    private void goOnWithoutQuestions(Responder waiting) {
        List<OpenQuestion> left;
        boolean ended;
        synchronized (this) {
            left = List.copyOf(openQuestions.values());
            openQuestions.clear();
            ended = isEnded();
            if (!ended) {
                responder = waiting;
            }
        }
        left.forEach(OpenQuestion::release);
        if (ended) {
            respond(waiting);
        }
    }

    private boolean isEnded() {
        return isStopped || result != null || error != null;
    }

    @Override
    public void succeed(Json value) {
        complete(value, null);
    }

    @Override
    public void fail(RpcError failure) {
        complete(null, failure);
    }

    private void complete(@Nullable Json value, @Nullable RpcError failure) {
        Responder waiting;
        synchronized (this) {
            result = value;
            error = failure;
            waiting = responder;
            responder = null;
        }
        if (waiting != null) {
            respond(waiting);
        }
    }

    /** The thread outlives the client's request if the server asks for input. */
    @Override
    public void fork(BlockingWork work) {
        Thread worker = Thread.ofVirtual().start(() -> run(work));
        onCancel(worker::interrupt);
    }

    private void run(BlockingWork work) {
        Json value;
        try {
            value = work.run();
        } catch (Throwable e) { // also an Error: every request gets a response
            fail(ErrorResponses.toError(requestKey.method().wireName(), e));
            return;
        }
        succeed(value);
    }

    /**
     * Continues with the client's answers, on behalf of another request. The request waits for the
     * call before the server gets the answers: its next question may follow at once.
     */
    void resume(@Nullable Json answers, ClientCallListener newListener, Responder newResponder) {
        var answered = new HashMap<OpenQuestion, Json>();
        Map<String, OpenQuestion> questions;
        boolean ended;
        synchronized (this) {
            listener = newListener;
            if (answers != null && answers.isObject()) {
                answers.members().forEach(it -> take(it.name(), it.value(), answered));
            }
            questions = new LinkedHashMap<>(openQuestions);
            ended = isEnded();
            if (ended) {
                openQuestions.clear();
            } else if (questions.isEmpty()) {
                responder = newResponder;
            }
        }
        answered.forEach(OpenQuestion::answer);
        if (ended) {
            questions.values().forEach(OpenQuestion::release);
            respond(newResponder);
            return;
        }
        if (questions.isEmpty()) {
            return;
        }
        try {
            newResponder.succeed(inputRequired(questions, registry.suspend(this)));
        } catch (RpcException e) {
            stop(); // no request can continue it
            throw e;
        }
    }

    private void take(String key, Json answer, Map<OpenQuestion, Json> answered) {
        OpenQuestion question = answer.isObject() ? openQuestions.remove(key) : null;
        if (question != null) {
            answered.put(question, answer);
        }
    }

    private void respond(Responder waiting) {
        Json value;
        RpcError failure;
        synchronized (this) {
            value = result;
            failure = error;
        }
        if (value != null) {
            waiting.succeed(value);
        } else {
            waiting.fail(
                    failure != null
                            ? failure
                            : RpcError.of(RpcError.INTERNAL_ERROR, "The call was cancelled"));
        }
    }

    /** The result that asks the client for answers. The client sends the state with them. */
    private static Json inputRequired(Map<String, OpenQuestion> questions, String state) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("resultType", "input_required")
                        .name("inputRequests")
                        .beginObject();
        questions.forEach(
                (key, question) ->
                        writer.name(key)
                                .beginObject()
                                .member("method", question.method)
                                .member("params", question.params)
                                .endObject());
        return writer.endObject().member("requestState", state).endObject().toJson();
    }

    /** A question of the server without an answer. */
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

        /** Fails the question: the client did not return with an answer. */
        void expire() {
            isExpired = true;
            done.countDown();
        }

        /** Ends the question for this call. Another call may still ask it. */
        void release() {
            done.countDown();
        }

        /** The answer; null if only another call can bring it. The registry bounds the wait. */
        @Nullable Json await() throws InterruptedException {
            done.await();
            if (isExpired) {
                throw new RpcException(
                        RpcError.INTERNAL_ERROR,
                        "The client did not return an answer to " + method);
            }
            return answer;
        }
    }
}
