package dev.patchbay.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Success;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

class OutboundCallsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final FakeFrameSender peer = new FakeFrameSender();
    private final List<Long> abandoned = new CopyOnWriteArrayList<>();
    private final FakeTicker ticker = new FakeTicker();
    private final OutboundCalls calls =
            new OutboundCalls(peer, (id, _) -> abandoned.add(id), ticker);
    private final BlockingQueue<CallOutcome> outcomes = new ArrayBlockingQueue<>(100);

    @Test
    void deliversResponseOnce() throws Exception {
        assertThat(send(LONG)).isInstanceOf(SendResult.Sent.class);
        calls.complete(new Success(RequestId.of(0), Json.TRUE));
        calls.complete(new Success(RequestId.of(0), Json.FALSE));
        assertThat(nextOutcome()).isEqualTo(new CallOutcome.Result(Json.TRUE));
        assertThat(outcomes).isEmpty();
        assertThat(calls.unmatchedResponses()).isOne();
    }

    @Test
    void timesOutAtDeadline() throws Exception {
        assertThat(send(LONG)).isInstanceOf(SendResult.Sent.class);
        ticker.advance(LONG.minusMillis(1));
        assertThat(abandoned).isEmpty();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(nextOutcome()).isEqualTo(new CallOutcome.TimedOut());
        assertThat(abandoned).containsExactly(0L);
        calls.complete(new Success(RequestId.of(0), Json.TRUE));
        assertThat(outcomes).isEmpty();
    }

    @Test
    void cancelledCallHasNoOutcome() {
        var sent = (SendResult.Sent) send(LONG);
        sent.cancel();
        sent.cancel();
        calls.complete(new Success(RequestId.of(0), Json.TRUE));
        calls.close("gone");
        assertThat(outcomes).isEmpty();
        assertThat(abandoned).containsExactly(0L);
    }

    @Test
    void callIsLostWhenPeerIsGone() throws Exception {
        assertThat(send(LONG)).isInstanceOf(SendResult.Sent.class);
        calls.close("gone");
        assertThat(nextOutcome()).isEqualTo(new CallOutcome.ConnectionLost("gone"));
        assertThat(send(LONG)).isInstanceOf(SendResult.NotSent.class);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void callIsNotStartedWhenItCannotBeSentImmediately() {
        peer.full = true;
        assertThat(send(LONG)).isInstanceOf(SendResult.NotSent.class);
        assertThat(calls.pendingCount()).isZero();
        peer.full = false;
        peer.broken = true;
        assertThat(send(LONG)).isInstanceOf(SendResult.NotSent.class);
        assertThat(calls.pendingCount()).isZero();
    }

    @Test
    void responseAcknowledgesBytesRead() throws Exception {
        send(LONG);
        long first = peer.sent;
        send(LONG);
        var sent = (SendResult.Sent) send(LONG);
        send(LONG);
        assertThat(peer.read).as("nothing was answered").isZero();
        calls.complete(new Success(RequestId.of(1), Json.TRUE));
        nextOutcome();
        assertThat(peer.read).as("what came before was read too").isBetween(first, 2 * first);
        sent.cancel();
        assertThat(peer.read).as("a call given up shows nothing").isLessThanOrEqualTo(2 * first);
        calls.complete(new Success(RequestId.of(2), Json.TRUE));
        assertThat(peer.read).as("nor does its answer").isLessThanOrEqualTo(2 * first);
        calls.complete(new Success(RequestId.of(3), Json.TRUE));
        assertThat(peer.read).as("all was read").isBetween(3 * first, peer.sent);
    }

    private SendResult send(Duration timeout) {
        var request = new OutboundCalls.CallRequest("m", _ -> Json.EMPTY_OBJECT, timeout);
        return calls.send(request, Duration.ZERO, outcomes::add);
    }

    private CallOutcome nextOutcome() throws InterruptedException {
        CallOutcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
        assertThat(outcome).as("an outcome within 30 s").isNotNull();
        return outcome;
    }

    /** Takes frames, or does not. */
    private static final class FakeFrameSender implements FrameSender {
        private boolean full;
        private boolean broken;
        private long sent;
        private long read;

        @Override
        public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
            if (broken) {
                throw new IOException("as asked");
            }
            sent += frame.length() + 1L;
            return !full;
        }

        @Override
        public long sentBytes() {
            return sent;
        }

        @Override
        public void acknowledgeRead(long bytes) {
            read = Math.max(read, bytes);
        }
    }
}
