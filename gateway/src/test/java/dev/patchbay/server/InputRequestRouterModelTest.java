package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Random interleavings of calls, questions, answers, hang-ups and cancellations of six clients of
 * both eras, at a server that does not say which call asks. Messages take their time in both
 * directions. The model knows which call asked; the router does not.
 */
class InputRequestRouterModelTest {
    private static final long SEED = 20261118;
    private static final int INTERLEAVINGS = 10_000;
    private static final int STEPS = 40;
    private static final int CLIENTS = 6;

    @Test
    void questionsReachOnlyTheClientThatAsked() throws Exception {
        int asked = 0;
        for (int i = 0; i < INTERLEAVINGS; i++) {
            var interleaving = new Interleaving(SEED + i);
            interleaving.run();
            asked += interleaving.askedCount;
        }
        assertThat(asked).as("questions that reached their client").isGreaterThan(INTERLEAVINGS);
    }

    /** A client: a legacy session, or a modern client that sends independent requests. */
    private static final class ModelClient {
        final String name;
        final boolean isModern;
        final String principal;
        boolean isConnected = true;

        ModelClient(int number) {
            this.name = "client " + number;
            this.isModern = number % 2 == 0;
            this.principal = number < 4 ? "ann" : "bob";
        }
    }

    /** A call, as the client, the gateway and the server see it. */
    private static final class ModelCall implements CallListener {
        final ModelClient client;
        final boolean asks;
        final Object origin;
        final InFlightCall call;
        long waitingSinceNanos;
        boolean isSent;

        boolean isAtServer;
        boolean isAsking;

        ModelCall(ModelClient client, boolean asks, Semaphore permits) {
            this.client = client;
            this.asks = asks;
            this.origin = client.isModern ? this : client;
            Json params = Json.of(asks ? "{\"name\":\"ask\"}" : "{\"name\":\"plain\"}");
            this.call = new InFlightCall(this, permits, "tools/call", params);
        }

        @Override
        public Object client() {
            return client;
        }

        @Override
        public Object origin() {
            return origin;
        }

        @Override
        public String principal() {
            return client.principal;
        }

        @Override
        public boolean acceptsInputRequest(String method, Json params) {
            return client.isConnected;
        }
    }

    /** A question on its way, and the call that it is really about. */
    private static final class Question {
        final ModelCall asker;
        final ServerInputRequest request;
        final long arrivedNanos;
        InFlightCall carrier;

        boolean isAmbiguous; // a call of another client is in flight or was cancelled

        Question(ModelCall asker, ServerInputRequest request, long now) {
            this.asker = asker;
            this.request = request;
            this.arrivedNanos = now;
        }
    }

    private static final class Interleaving {
        private final long seed;
        private final Random random;
        private final FakeTicker ticker = new FakeTicker();
        private final InFlightCalls inFlight = new InFlightCalls();
        private final InputRequestRouter router = new InputRequestRouter(inFlight, ticker);
        private final Semaphore permits = new Semaphore(1_000);
        private final List<ModelClient> clients = new ArrayList<>();
        private final List<ModelCall> waiting = new ArrayList<>();
        private final List<ModelCall> sent = new ArrayList<>();
        private final List<Question> questions = new ArrayList<>();
        private final Deque<Runnable> toServer = new ArrayDeque<>();
        private final Deque<Runnable> toGateway = new ArrayDeque<>();
        private long nextId;
        private int askedCount;

        Interleaving(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new ModelClient(i));
            }
        }

        void run() throws InterruptedException {
            for (int i = 0; i < STEPS; i++) {
                step();
                settle();
            }
            drain();
        }

        private void step() {
            ModelClient client = clients.get(random.nextInt(CLIENTS));
            switch (random.nextInt(12)) {
                case 0, 1 -> call(client, true);
                case 2 -> call(client, false);
                case 3, 4, 5 -> deliver(toServer);
                case 6, 7 -> deliver(toGateway);
                case 8 -> work();
                case 9 -> answer();
                case 10 -> disturb(client);
                default -> {
                    boolean isQuiet = toServer.isEmpty() && toGateway.isEmpty();
                    int longest = isQuiet ? 2_000 : 50; // messages are read within two seconds
                    ticker.advance(Duration.ofMillis(random.nextInt(longest)));
                }
            }
        }

        private void call(ModelClient client, boolean asks) {
            if (client.isConnected) {
                var call = new ModelCall(client, asks, permits);
                call.waitingSinceNanos = ticker.nanoTime();
                waiting.add(call);
            }
        }

        private static void deliver(Deque<Runnable> messages) {
            if (!messages.isEmpty()) {
                messages.remove().run();
            }
        }

        /** The server asks or answers. */
        private void work() {
            List<ModelCall> working =
                    sent.stream().filter(call -> call.isAtServer && !call.isAsking).toList();
            if (!working.isEmpty()) {
                ModelCall call = working.get(random.nextInt(working.size()));
                if (call.asks && random.nextInt(3) > 0) {
                    call.isAsking = true;
                    toGateway.add(() -> open(call));
                } else {
                    finish(call);
                }
            }
        }

        private void finish(ModelCall call) {
            call.isAtServer = false;
            toGateway.add(() -> end(call, true));
        }

        private void open(ModelCall asker) {
            try {
                ServerInputRequest request = router.open("roots/list", Json.EMPTY_OBJECT);
                var question = new Question(asker, request, ticker.nanoTime());
                question.isAmbiguous =
                        sent.stream()
                                .filter(call -> !call.client.equals(asker.client))
                                .anyMatch(call -> isInFlight(call) || call.call.isAbandoned());
                questions.add(question);
            } catch (RpcException _) { // all calls were cancelled
                refuse(asker);
            }
        }

        /** The server learns that its question has no answer, and ends the call. */
        private void refuse(ModelCall asker) {
            toServer.add(
                    () -> {
                        asker.isAsking = false;
                        if (asker.isAtServer) {
                            finish(asker);
                        }
                    });
        }

        private void answer() {
            List<Question> open =
                    questions.stream()
                            .filter(it -> it.carrier != null && it.asker.client.isConnected)
                            .toList();
            if (!open.isEmpty()) {
                close(open.get(random.nextInt(open.size())));
            }
        }

        private void close(Question question) {
            router.endAsking(question.request, question.carrier, Duration.ZERO);
            router.close(question.request);
            questions.remove(question);
            toServer.add(() -> question.asker.isAsking = false);
        }

        private void disturb(ModelClient client) {
            switch (random.nextInt(3)) {
                case 0 ->
                        sent.stream()
                                .filter(call -> call.client.equals(client) && isInFlight(call))
                                .findAny()
                                .ifPresent(this::cancel);
                case 1 -> hangUp(client);
                default -> clients.forEach(it -> it.isConnected = true);
            }
        }

        /** A modern client cancels by hanging up; the session of a legacy client goes on. */
        private void hangUp(ModelClient client) {
            client.isConnected = false;
            waiting.removeIf(call -> call.client.equals(client));
            if (client.isModern) {
                List.copyOf(sent).stream()
                        .filter(call -> call.client.equals(client) && isInFlight(call))
                        .forEach(this::cancel);
            }
        }

        private boolean isInFlight(ModelCall call) {
            return call.isSent && !call.call.hasEnded();
        }

        private void cancel(ModelCall call) {
            boolean mayStillAsk = router.onCancelling(call.call);
            end(call, false);
            toServer.add(() -> call.isAtServer = false);
            if (mayStillAsk) {
                toServer.add(() -> toGateway.add(() -> router.onCancellationRead(call.call)));
            }
        }

        private void end(ModelCall call, boolean isAnswered) {
            if (isInFlight(call)) {
                inFlight.remove(call.call, isAnswered);
                router.onEnded(call.call);
            }
        }

        /** The gateway does what it can do now. */
        private void settle() throws InterruptedException {
            for (ModelCall call : List.copyOf(waiting)) {
                if (router.tryTakeTurn(call.call)) {
                    send(call);
                } else {
                    assertThat(call.asks).as(() -> label("a plain call waits")).isTrue();
                    assertThat(mayAskNext(call.client))
                            .as(() -> label("a call waits for a person"))
                            .isTrue();
                    if (isOver(call.waitingSinceNanos, InputRequestRouter.TURN_WAIT_MAX)) {
                        router.takeTurn(call.call, Duration.ZERO);
                        send(call);
                    }
                }
            }
            for (Question question : List.copyOf(questions)) {
                route(question);
            }
        }

        private void send(ModelCall call) {
            waiting.remove(call);
            sent.add(call);
            call.isSent = true;
            inFlight.register(nextId++, call.call);
            toServer.add(() -> call.isAtServer = true);
        }

        /** Whether another request has a call that is not known to wait for an answer. */
        private boolean mayAskNext(ModelClient client) {
            return sent.stream()
                    .filter(call -> call.asks && isInFlight(call))
                    .filter(call -> call.client.isModern || !call.client.equals(client))
                    .anyMatch(
                            call ->
                                    questions.stream()
                                            .noneMatch(
                                                    it -> it.asker == call && it.carrier != null));
        }

        private boolean isOver(long sinceNanos, Duration time) {
            return ticker.nanoTime() - sinceNanos >= time.toNanos();
        }

        private void route(Question question) {
            if (question.carrier != null) {
                if (question.request.liveCalls().isEmpty()) {
                    close(question);
                }
                return;
            }
            boolean isTimeUp = isOver(question.arrivedNanos, InputRequestRouter.DECISION_WAIT_MAX);
            try {
                List<InFlightCall> calls = router.decide(question.request, isTimeUp);
                if (calls == null) {
                    assertThat(isTimeUp).as(() -> label("a question waits too long")).isFalse();
                    return;
                }
                ask(question, calls);
            } catch (RpcException _) {
                assertThat(question.isAmbiguous || question.asker.call.hasEnded())
                        .as(() -> label("a question of the only client is refused"))
                        .isTrue();
                router.close(question.request);
                questions.remove(question);
                refuse(question.asker);
            }
        }

        private void ask(Question question, List<InFlightCall> calls) {
            InFlightCall carrier = router.beginAsking(question.request, calls);
            var listener = (ModelCall) carrier.listener();
            assertThat(listener.client.name)
                    .as(() -> label("the client that is asked"))
                    .isEqualTo(question.asker.client.name);
            question.carrier = carrier;
            if (listener.client.isConnected) {
                askedCount++;
            } else { // the listener refuses at once
                close(question);
            }
        }

        /** In the end everybody answers, and nothing is left. */
        private void drain() throws InterruptedException {
            clients.forEach(client -> client.isConnected = true);
            for (int i = 0; i < 1_000 && !isDrained(); i++) {
                deliver(toServer);
                deliver(toGateway);
                work();
                answer();
                if (toServer.isEmpty() && toGateway.isEmpty()) {
                    ticker.advance(Duration.ofMillis(100));
                }
                settle();
            }
            assertThat(isDrained()).as(() -> label("something waits for ever")).isTrue();
            for (ModelClient client : clients) {
                var last = new ModelCall(client, true, permits);
                assertThat(router.tryTakeTurn(last.call))
                        .as(() -> label("a turn is left"))
                        .isTrue();
                router.onEnded(last.call);
            }
        }

        private boolean isDrained() {
            return waiting.isEmpty()
                    && questions.isEmpty()
                    && toServer.isEmpty()
                    && toGateway.isEmpty()
                    && sent.stream().noneMatch(call -> call.isAtServer || isInFlight(call));
        }

        private String label(String what) {
            return what + ", seed " + seed;
        }
    }
}
