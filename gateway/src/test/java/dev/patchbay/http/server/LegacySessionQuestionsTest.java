package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.OutboundCalls;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Questions of servers to a legacy client over HTTP that has lost its connections. */
class LegacySessionQuestionsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final List<CallOutcome> outcomes = new ArrayList<>();

    @Test
    void questionWaitsForADisconnectedClientForABoundedTime() {
        // The frame is on its way; the client has no stream to answer it.
        var calls = new OutboundCalls((_, _) -> true, (_, _) -> {}, new FakeTicker());
        var expiry = new QuestionExpiry(calls, () -> false);
        var question =
                new OutboundCalls.CallRequest("roots/list", _ -> null, Duration.ofMinutes(10));
        assertThat(calls.send(question, Duration.ZERO, outcomes::add))
                .isInstanceOf(SendResult.Sent.class);
        expiry.expire(SECOND);
        expiry.expire(31 * SECOND);
        assertThat(outcomes).isEmpty();
        expiry.expire(32 * SECOND);
        assertThat(outcomes).hasOnlyElementsOfType(CallOutcome.ConnectionLost.class).hasSize(1);
    }

    @Test
    void clientThatComesBackKeepsItsQuestions() {
        var calls = new OutboundCalls((_, _) -> true, (_, _) -> {}, new FakeTicker());
        var isConnected = new AtomicBoolean();
        var expiry = new QuestionExpiry(calls, isConnected::get);
        var question =
                new OutboundCalls.CallRequest("roots/list", _ -> null, Duration.ofMinutes(10));
        assertThat(calls.send(question, Duration.ZERO, outcomes::add))
                .isInstanceOf(SendResult.Sent.class);
        expiry.expire(SECOND);
        isConnected.set(true);
        expiry.expire(20 * SECOND);
        isConnected.set(false);
        expiry.expire(40 * SECOND);
        expiry.expire(60 * SECOND);
        assertThat(outcomes).isEmpty();
    }
}
