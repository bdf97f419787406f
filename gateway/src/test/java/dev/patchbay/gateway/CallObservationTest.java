package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.SendResult;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.CallListener;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the observer of a gateway is told: every request once, when it has ended. */
class CallObservationTest {
    private static final CallContext EDITOR =
            new CallContext(
                    CallListener.NONE, Json.EMPTY_OBJECT, null, "editor", "owner", Caller.GATEWAY);

    @TempDir private Path folder;
    private GatewayFixture fleet;
    private final List<CallObserver.EndedCall> observed = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        fleet = new GatewayFixture(folder);
        fleet.add(fleet.script("a").tools("echo", "hang"));
        assertThat(fleet.discover().serverResults().getFirst().error()).isNull();
        fleet.gateway.observe(observed::add);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Invocation invocation(String tool, String params) {
        return new Invocation(tool, null, Json.of(params), null, EDITOR);
    }

    @Test
    void observesServerToolClientAndResult() throws Exception {
        fleet.gateway.invoke(invocation("a.echo", "{\"name\":\"a.echo\",\"arguments\":{\"n\":1}}"));
        assertThat(observed).hasSize(1);
        CallObserver.EndedCall call = observed.getFirst();
        assertThat(call.server()).isEqualTo(new ServerId("a"));
        assertThat(call.method()).isEqualTo("tools/call");
        assertThat(call.target()).isEqualTo("echo");
        assertThat(call.client()).isEqualTo("editor");
        assertThat(call.params().toString())
                .isEqualTo("{\"name\":\"echo\",\"arguments\":{\"n\":1}}");
        assertThat(call.result()).isInstanceOf(CallResult.Answered.class);
        assertThat(call.endedNanos()).isGreaterThan(call.startedNanos());
    }

    @Test
    void observesCallsThatDoNotWait() {
        var replies = new CopyOnWriteArrayList<InvocationResult>();
        ToolCall call =
                fleet.gateway.call(invocation("a.echo", "{\"name\":\"a.echo\",\"arguments\":{}}"));
        assertThat(call.start(replies::add)).isInstanceOf(SendResult.Sent.class);
        assertThat(GatewayFixture.becomesTrue(() -> !observed.isEmpty() && !replies.isEmpty()))
                .isTrue();
        assertThat(observed).hasSize(1);
        assertThat(observed.getFirst().result()).isSameAs(replies.getFirst().callResult());
        assertThat(observed.getFirst().target()).isEqualTo("echo");
    }

    @Test
    void observesACancelledCallOnceWithoutResult() {
        ToolCall call =
                fleet.gateway.call(invocation("a.hang", "{\"name\":\"a.hang\",\"arguments\":{}}"));
        var sent = (SendResult.Sent) call.start(_ -> {});
        assertThat(fleet.gateway.inFlight(new ServerId("a"))).isEqualTo(1);
        sent.cancel();
        sent.cancel();
        assertThat(observed).hasSize(1);
        assertThat(observed.getFirst().result()).isNull();
        assertThat(fleet.gateway.inFlight(new ServerId("a"))).isZero();
    }

    @Test
    void observesCallsThatReachNoServer() throws Exception {
        fleet.gateway.invoke(invocation("a.nothing", "{}"));
        fleet.gateway.invoke(invocation("b.nothing", "{}"));
        assertThat(observed)
                .extracting(CallObserver.EndedCall::server)
                .containsExactly(new ServerId("a"), null);
        assertThat(observed)
                .extracting(call -> ((CallResult.Rejected) call.result()).reason())
                .containsOnly(ErrorReason.TOOL_NOT_FOUND);
    }

    @Test
    void observesRequestsOtherThanToolCalls() throws Exception {
        fleet.gateway.relay(
                new ServerId("a"), "prompts/get", Json.of("{\"name\":\"greeting\"}"), EDITOR);
        assertThat(observed).hasSize(1);
        assertThat(observed.getFirst().method()).isEqualTo("prompts/get");
        assertThat(observed.getFirst().target()).isEqualTo("greeting");
    }

    @Test
    void failingObserverDoesNotAffectTheCall() throws Exception {
        fleet.gateway.observe(
                _ -> {
                    throw new IllegalStateException("An observer that is broken");
                });
        assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
    }
}
