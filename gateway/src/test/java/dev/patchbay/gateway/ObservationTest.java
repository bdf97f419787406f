package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Reason;
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
class ObservationTest {
    private static final CallSource EDITOR =
            new CallSource(CallListener.SILENT, Json.EMPTY_OBJECT, null, "editor");

    @TempDir private Path folder;
    private Fleet fleet;
    private final List<CallObserver.Call> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        fleet = new Fleet(folder);
        fleet.add(fleet.script("a").tools("echo", "hang"));
        assertThat(fleet.discover().serverResults().getFirst().error()).isNull();
        fleet.gateway.observe(seen::add);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Invocation invocation(String tool, String params) {
        return new Invocation(tool, null, Json.of(params), null, EDITOR);
    }

    @Test
    void seesACallWithItsServerToolClientAndReply() throws Exception {
        fleet.gateway.invoke(invocation("a.echo", "{\"name\":\"a.echo\",\"arguments\":{\"n\":1}}"));
        assertThat(seen).hasSize(1);
        CallObserver.Call call = seen.getFirst();
        assertThat(call.server()).isEqualTo(new ServerId("a"));
        assertThat(call.method()).isEqualTo("tools/call");
        assertThat(call.target()).isEqualTo("echo");
        assertThat(call.client()).isEqualTo("editor");
        assertThat(call.params().toString())
                .isEqualTo("{\"name\":\"echo\",\"arguments\":{\"n\":1}}");
        assertThat(call.reply()).isInstanceOf(Reply.Answered.class);
        assertThat(call.endedNanos()).isGreaterThan(call.beganNanos());
    }

    @Test
    void seesACallThatIsPassedOnWithoutWaiting() {
        var replies = new CopyOnWriteArrayList<Reply>();
        Json params = Json.of("{\"name\":\"a.echo\",\"arguments\":{}}");
        assertThat(fleet.gateway.pass("a.echo", params, EDITOR, replies::add)).isNotNull();
        assertThat(Fleet.comesTrue(() -> !seen.isEmpty() && !replies.isEmpty())).isTrue();
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst().reply()).isSameAs(replies.getFirst());
        assertThat(seen.getFirst().target()).isEqualTo("echo");
    }

    @Test
    void seesACallThatIsGivenUpOnceAndWithoutAReply() {
        Json params = Json.of("{\"name\":\"a.hang\",\"arguments\":{}}");
        Runnable cancel = fleet.gateway.pass("a.hang", params, EDITOR, _ -> {});
        assertThat(cancel).isNotNull();
        assertThat(fleet.gateway.inFlight(new ServerId("a"))).isEqualTo(1);
        cancel.run();
        cancel.run();
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst().reply()).isNull();
        assertThat(fleet.gateway.inFlight(new ServerId("a"))).isZero();
    }

    @Test
    void seesWhatNeverReachesAServer() throws Exception {
        fleet.gateway.invoke(invocation("a.nothing", "{}"));
        fleet.gateway.invoke(invocation("b.nothing", "{}"));
        assertThat(seen)
                .extracting(CallObserver.Call::server)
                .containsExactly(new ServerId("a"), null);
        assertThat(seen)
                .extracting(call -> ((Reply.Unresolved) call.reply()).reason())
                .containsOnly(Reason.TOOL_NOT_FOUND);
    }

    @Test
    void seesRequestsThatAreNoCalls() throws Exception {
        fleet.gateway.relay(
                new ServerId("a"), "prompts/get", Json.of("{\"name\":\"greeting\"}"), EDITOR);
        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst().method()).isEqualTo("prompts/get");
        assertThat(seen.getFirst().target()).isEqualTo("greeting");
    }

    @Test
    void costsNobodyHisReplyIfItFails() throws Exception {
        fleet.gateway.observe(
                _ -> {
                    throw new IllegalStateException("An observer that is broken");
                });
        assertThat(fleet.call("a.echo", "{}").isSuccess()).isTrue();
    }
}
