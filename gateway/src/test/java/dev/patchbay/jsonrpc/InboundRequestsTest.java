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
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

class InboundRequestsTest {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final CountDownLatch released = new CountDownLatch(1);

    /** Serves "wait" when the test lets it, everything else at once. */
    private final RpcHandler handler =
            new RpcHandler() {
                @Override
                public void handle(Request request, Responder responder) {
                    responder.fork(
                            () -> {
                                if (request.method().equals("wait")) {
                                    released.await();
                                }
                                return Json.EMPTY_OBJECT;
                            });
                }

                @Override
                public void onNotification(Notification notification, RequestContext context) {}
            };

    private final CollectingSink answers = new CollectingSink();

    @Test
    void delaysQuickRequestsInsteadOfRejectingThem() throws Exception {
        var requests = new InboundRequests(handler, 2);
        for (int i = 0; i < 10_000; i++) {
            requests.start(request(i, "quick"), answers);
        }
        requests.drain(GRACE);
        assertThat(answers.received).hasSize(10_000).allMatch(Success.class::isInstance);
    }

    @Test
    void waitsOnceWhenStalledThenRejectsImmediately() throws Exception {
        var requests = new InboundRequests(handler, 2);
        requests.start(request(1, "wait"), answers);
        requests.start(request(2, "wait"), answers);
        long start = System.nanoTime();
        for (int i = 3; i < 1_003; i++) {
            requests.start(request(i, "quick"), answers);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(GRACE);
        assertThat(answers.received).hasSize(1_000).allMatch(Failure.class::isInstance);
        released.countDown();
        requests.drain(GRACE);
        assertThat(answers.received).hasSize(1_002);
    }

    @Test
    void waitsForPeerThatDoesNotReadItsResponses() throws Exception {
        var requests = new InboundRequests(handler, 1);
        var slow = new CollectingSink(new CountDownLatch(0), released);
        requests.start(request(1, "quick"), slow);
        var next = Thread.ofPlatform().start(() -> requests.start(request(2, "quick"), slow));
        assertThat(next.join(Duration.ofMillis(2_500))).isFalse();
        released.countDown();
        assertThat(next.join(GRACE)).isTrue();
        requests.drain(GRACE);
        assertThat(slow.received).hasSize(2).allMatch(Success.class::isInstance);
    }

    @Test
    void longRequestTakesSeveralPermits() throws Exception {
        var requests = new InboundRequests(handler, 4);
        requests.start(longRequest(1), answers);
        requests.start(longRequest(2), answers);
        requests.start(request(3, "quick"), answers);
        assertThat(answers.received).singleElement().isInstanceOf(Failure.class);
        requests.cancel(RequestId.of(1));
        requests.start(longRequest(4), answers);
        released.countDown();
        requests.drain(GRACE);
        assertThat(answers.received).hasSize(3).filteredOn(Failure.class::isInstance).hasSize(1);
    }

    @Test
    void handlesRequestLongerThanAllPermits() throws Exception {
        var requests = new InboundRequests(handler, 1);
        requests.start(longRequest(1), answers);
        released.countDown();
        requests.drain(GRACE);
        assertThat(answers.received).singleElement().isInstanceOf(Success.class);
    }

    /** Each answer is kept until the peer takes it, and there is only so much memory. */
    @Test
    void dropsLargeResponsesWhenTooManyAreUnread() throws Exception {
        var result = Json.of("{\"x\":\"" + "x".repeat(3 * InboundRequests.PERMIT_BYTES) + "\"}");
        var requests =
                new InboundRequests(
                        new FixedResultHandler(result), 10, 8L * InboundRequests.PERMIT_BYTES);
        var begun = new CountDownLatch(5);
        var slow = new CollectingSink(begun, released);
        for (int i = 0; i < 5; i++) {
            requests.start(request(i, "large"), slow);
        }
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        released.countDown();
        requests.drain(GRACE);
        assertThat(slow.received).hasSize(5).filteredOn(Success.class::isInstance).hasSize(2);
    }

    @Test
    void drainWaitsForResponsesBeingSent() throws Exception {
        var requests = new InboundRequests(handler, 2);
        var writing = new CountDownLatch(1);
        var slow = new CollectingSink(writing, released);
        requests.start(request(1, "quick"), slow);
        writing.await();
        var drained = Thread.ofPlatform().start(() -> drain(requests));
        assertThat(drained.join(Duration.ofMillis(200))).isFalse();
        released.countDown();
        assertThat(drained.join(GRACE)).isTrue();
        assertThat(slow.received).hasSize(1);
    }

    @Test
    void drainRejectsRequestsThatOutlastTheGracePeriod() throws Exception {
        var requests = new InboundRequests(handler, 2);
        requests.start(request(1, "wait"), answers);
        requests.drain(Duration.ofMillis(10));
        assertThat(answers.received).singleElement().isInstanceOf(Failure.class);
        requests.start(request(2, "quick"), answers);
        assertThat(answers.received).hasSize(2).allMatch(Failure.class::isInstance);
    }

    /** The answer to what was passed on may be read before it is said what would cancel it. */
    @Test
    void cancelInterruptsForkedWorkInsteadOfRunningLateCancelAction() throws Exception {
        var stale = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Responder.BlockingWork work =
                () -> {
                    begun.countDown();
                    try {
                        released.await();
                        return Json.EMPTY_OBJECT;
                    } catch (InterruptedException e) {
                        stopped.countDown();
                        throw e;
                    }
                };
        var handler =
                new FixedResultHandler(Json.EMPTY_OBJECT) {
                    @Override
                    public void handle(Request request, Responder responder) {
                        responder.fork(work);
                        responder.onCancel(stale::countDown);
                    }
                };
        var requests = new InboundRequests(handler, 2);
        requests.start(request(1, "tools/call"), answers);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        requests.cancel(RequestId.of(1));
        assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(stale.getCount()).isOne();
        assertThat(answers.received).isEmpty();
        assertThat(requests.size()).isZero();
    }

    /** A question to the client answers its request, and the call behind it must go on. */
    @Test
    void answeredRequestIsNotStoppedByLateCancelAction() {
        var stopped = new CountDownLatch(1);
        var handler =
                new FixedResultHandler(Json.EMPTY_OBJECT) {
                    @Override
                    public void handle(Request request, Responder responder) {
                        responder.succeed(Json.TRUE);
                        responder.onCancel(stopped::countDown);
                    }
                };
        var requests = new InboundRequests(handler, 2);
        requests.start(request(1, "tools/call"), answers);
        assertThat(answers.received).singleElement().isInstanceOf(Success.class);
        requests.cancel(RequestId.of(1));
        assertThat(stopped.getCount()).isOne();
    }

    /** The same request may be cancelled before it is said what would cancel it. */
    @Test
    void cancelActionRunsWhenRequestIsAlreadyCancelled() {
        var stopped = new CountDownLatch(1);
        var handler =
                new FixedResultHandler(Json.EMPTY_OBJECT) {
                    @Override
                    public void handle(Request request, Responder responder) {
                        responder.context().cancelRequest(request.id());
                        responder.onCancel(stopped::countDown);
                    }
                };
        var requests = new InboundRequests(handler, 2);
        requests.start(request(1, "tools/call"), answers);
        assertThat(stopped.getCount()).isZero();
        assertThat(answers.received).isEmpty();
        assertThat(requests.size()).isZero();
    }

    /** A request that takes two places and waits. */
    private static Request longRequest(long id) {
        var params = Json.of("{\"x\":\"" + "x".repeat(InboundRequests.PERMIT_BYTES) + "\"}");
        return new Request(RequestId.of(id), "wait", params);
    }

    private static Request request(long id, String method) {
        return new Request(RequestId.of(id), method, null);
    }

    private static void drain(InboundRequests requests) {
        try {
            requests.drain(GRACE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Answers all alike. */
    private static class FixedResultHandler implements RpcHandler {
        private final Json result;

        FixedResultHandler(Json result) {
            this.result = result;
        }

        @Override
        public void handle(Request request, Responder responder) {
            responder.fork(() -> result);
        }

        @Override
        public void onNotification(Notification notification, RequestContext context) {}
    }

    /** Collects answers; if told to, says when one begins and waits before it is through. */
    private static final class CollectingSink implements ResponseSink {
        private final Queue<Response> received = new ConcurrentLinkedQueue<>();
        private final CountDownLatch started;
        private final CountDownLatch unblocked;

        CollectingSink() {
            this(new CountDownLatch(0), new CountDownLatch(0));
        }

        CollectingSink(CountDownLatch begins, CountDownLatch mayEnd) {
            this.started = begins;
            this.unblocked = mayEnd;
        }

        @Override
        public void respond(Response response) {
            started.countDown();
            try {
                unblocked.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            received.add(response);
        }

        @Override
        public void sendNotification(Notification notification) {}

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout) {
            throw new AssertionError("The peer must not be called");
        }
    }
}
