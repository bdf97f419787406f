package dev.patchbay.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Response;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;

class ServingTest {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final CountDownLatch released = new CountDownLatch(1);

    /** Serves "wait" when the test lets it, everything else at once. */
    private final Handler handler =
            new Handler() {
                @Override
                public Json handle(Request request, Exchange exchange) throws InterruptedException {
                    if (request.method().equals("wait")) {
                        released.await();
                    }
                    return Json.EMPTY_OBJECT;
                }

                @Override
                public void notified(Notification notification, Exchange exchange) {}
            };

    private final Answers answers = new Answers();

    @Test
    void holdsUpQuickRequestsInsteadOfRefusingThem() throws Exception {
        var serving = new Serving(handler, 2);
        for (int i = 0; i < 10_000; i++) {
            serving.start(request(i, "quick"), answers);
        }
        serving.drain(GRACE);
        assertThat(answers.received).hasSize(10_000).allMatch(Success.class::isInstance);
    }

    @Test
    void waitsOnceWhereNothingMovesAndThenRefusesAtOnce() throws Exception {
        var serving = new Serving(handler, 2);
        serving.start(request(1, "wait"), answers);
        serving.start(request(2, "wait"), answers);
        long start = System.nanoTime();
        for (int i = 3; i < 1_003; i++) {
            serving.start(request(i, "quick"), answers);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(GRACE);
        assertThat(answers.received).hasSize(1_000).allMatch(Failure.class::isInstance);
        released.countDown();
        serving.drain(GRACE);
        assertThat(answers.received).hasSize(1_002);
    }

    @Test
    void waitsForAPeerThatDoesNotTakeItsAnswers() throws Exception {
        var serving = new Serving(handler, 1);
        var slow = new Answers(new CountDownLatch(0), released);
        serving.start(request(1, "quick"), slow);
        var next = Thread.ofPlatform().start(() -> serving.start(request(2, "quick"), slow));
        assertThat(next.join(Duration.ofMillis(2_500))).isFalse();
        released.countDown();
        assertThat(next.join(GRACE)).isTrue();
        serving.drain(GRACE);
        assertThat(slow.received).hasSize(2).allMatch(Success.class::isInstance);
    }

    @Test
    void givesALongRequestSeveralPlaces() throws Exception {
        var serving = new Serving(handler, 4);
        serving.start(longRequest(1), answers);
        serving.start(longRequest(2), answers);
        serving.start(request(3, "quick"), answers);
        assertThat(answers.received).singleElement().isInstanceOf(Failure.class);
        serving.cancel(RequestId.of(1));
        serving.start(longRequest(4), answers);
        released.countDown();
        serving.drain(GRACE);
        assertThat(answers.received).hasSize(3).filteredOn(Failure.class::isInstance).hasSize(1);
    }

    @Test
    void servesARequestThatIsLongerThanAllPlaces() throws Exception {
        var serving = new Serving(handler, 1);
        serving.start(longRequest(1), answers);
        released.countDown();
        serving.drain(GRACE);
        assertThat(answers.received).singleElement().isInstanceOf(Success.class);
    }

    @Test
    void drainsWhatIsBeingAnswered() throws Exception {
        var serving = new Serving(handler, 2);
        var writing = new CountDownLatch(1);
        var slow = new Answers(writing, released);
        serving.start(request(1, "quick"), slow);
        writing.await();
        var drained = Thread.ofPlatform().start(() -> drain(serving));
        assertThat(drained.join(Duration.ofMillis(200))).isFalse();
        released.countDown();
        assertThat(drained.join(GRACE)).isTrue();
        assertThat(slow.received).hasSize(1);
    }

    @Test
    void refusesWhatTakesLongerThanTheGrace() throws Exception {
        var serving = new Serving(handler, 2);
        serving.start(request(1, "wait"), answers);
        serving.drain(Duration.ofMillis(10));
        assertThat(answers.received).singleElement().isInstanceOf(Failure.class);
        serving.start(request(2, "quick"), answers);
        assertThat(answers.received).hasSize(2).allMatch(Failure.class::isInstance);
    }

    /** A request that takes two places and waits. */
    private static Request longRequest(long id) {
        var params = Json.of("{\"x\":\"" + "x".repeat(40 * 1024) + "\"}");
        return new Request(RequestId.of(id), "wait", params);
    }

    private static Request request(long id, String method) {
        return new Request(RequestId.of(id), method, null);
    }

    private static void drain(Serving serving) {
        try {
            serving.drain(GRACE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Collects answers; if told to, says when one begins and waits before it is through. */
    private static final class Answers implements Reply {
        private final Queue<Response> received = new ConcurrentLinkedQueue<>();
        private final CountDownLatch begins;
        private final CountDownLatch mayEnd;

        Answers() {
            this(new CountDownLatch(0), new CountDownLatch(0));
        }

        Answers(CountDownLatch begins, CountDownLatch mayEnd) {
            this.begins = begins;
            this.mayEnd = mayEnd;
        }

        @Override
        public void answer(Response response) {
            begins.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            received.add(response);
        }

        @Override
        public void notify(Notification notification) {}

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout) {
            throw new AssertionError("Nobody is to be called");
        }
    }
}
