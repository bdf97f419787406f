package dev.patchbay.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonText;
import dev.patchbay.jsonrpc.Message.Success;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

class PassedCallsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Peer peer = new Peer();
    private final List<Long> abandoned = new CopyOnWriteArrayList<>();
    private final Calls calls = new Calls(peer, (id, _) -> abandoned.add(id));
    private final BlockingQueue<CallOutcome> outcomes = new ArrayBlockingQueue<>(100);

    @Test
    void handsOverTheAnswerOnce() throws Exception {
        assertThat(begin(LONG)).isNotNull();
        calls.settle(new Success(RequestId.of(0), Json.TRUE));
        calls.settle(new Success(RequestId.of(0), Json.FALSE));
        assertThat(next()).isEqualTo(new CallOutcome.Result(Json.TRUE));
        assertThat(outcomes).isEmpty();
        assertThat(calls.strays()).isOne();
    }

    @Test
    void endsAtItsTime() throws Exception {
        assertThat(begin(Duration.ofMillis(60))).isNotNull();
        assertThat(next()).isEqualTo(new CallOutcome.TimedOut());
        assertThat(abandoned).containsExactly(0L);
        calls.settle(new Success(RequestId.of(0), Json.TRUE));
        assertThat(outcomes).isEmpty();
    }

    @Test
    void hasNoOutcomeOnceGivenUp() {
        Runnable cancel = begin(LONG);
        assertThat(cancel).isNotNull();
        cancel.run();
        cancel.run();
        calls.settle(new Success(RequestId.of(0), Json.TRUE));
        calls.end("gone");
        assertThat(outcomes).isEmpty();
        assertThat(abandoned).containsExactly(0L);
    }

    @Test
    void isLostWithThePeer() throws Exception {
        assertThat(begin(LONG)).isNotNull();
        calls.end("gone");
        assertThat(next()).isEqualTo(new CallOutcome.Lost("gone"));
        assertThat(begin(LONG)).isNull();
        assertThat(outcomes).isEmpty();
    }

    @Test
    void isNotBegunWhereItCannotBeSentAtOnce() {
        peer.full = true;
        assertThat(begin(LONG)).isNull();
        assertThat(calls.waiting()).isZero();
        peer.full = false;
        peer.broken = true;
        assertThat(begin(LONG)).isNull();
        assertThat(calls.waiting()).isZero();
    }

    @Test
    void showsHowMuchThePeerHasRead() throws Exception {
        begin(LONG);
        long first = peer.sent;
        begin(LONG);
        Runnable cancel = begin(LONG);
        begin(LONG);
        assertThat(peer.read).as("nothing was answered").isZero();
        calls.settle(new Success(RequestId.of(1), Json.TRUE));
        next();
        assertThat(peer.read).as("what came before was read too").isBetween(first, 2 * first);
        cancel.run();
        assertThat(peer.read).as("a call given up shows nothing").isLessThanOrEqualTo(2 * first);
        calls.settle(new Success(RequestId.of(2), Json.TRUE));
        assertThat(peer.read).as("nor does its answer").isLessThanOrEqualTo(2 * first);
        calls.settle(new Success(RequestId.of(3), Json.TRUE));
        assertThat(peer.read).as("all was read").isBetween(3 * first, peer.sent);
    }

    private @Nullable Runnable begin(Duration timeout) {
        return calls.begin("m", _ -> Json.EMPTY_OBJECT, new Calls.Clock(timeout), outcomes::add);
    }

    private CallOutcome next() throws InterruptedException {
        CallOutcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
        assertThat(outcome).as("an outcome within 30 s").isNotNull();
        return outcome;
    }

    /** Takes frames, or does not. */
    private static final class Peer implements Outlet {
        private boolean full;
        private boolean broken;
        private long sent;
        private long read;

        @Override
        public boolean trySend(JsonText frame, Duration patience) throws IOException {
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
        public void hasRead(long bytes) {
            read = Math.max(read, bytes);
        }
    }
}
