package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How often a server is opened, in fake time, and what its state says when it ends. */
class SupervisorTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final FakeTicker ticker = new FakeTicker();
    private final List<FakeServer> opened = new CopyOnWriteArrayList<>();
    private TransportFactory factory = this::refuse;
    private int refusals;
    private Supervisor supervisor = supervisor(0);

    @AfterEach
    void stop() {
        supervisor.stop();
    }

    @Test
    void operationSharesTheFailureOfAttemptsThatEndedAfterItBegan() {
        long began = ticker.nanoTime();
        ticker.advance(Duration.ofMillis(1));
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("1 attempt.");
        assertThatThrownBy(() -> supervisor.session(TIMEOUT, began))
                .hasMessageContaining("1 attempt.");
        assertThat(refusals).isEqualTo(1);
    }

    @Test
    void operationThatBeginsAfterAFailureTriesAgain() {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("1 attempt.");
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("1 attempt.");
        assertThat(refusals).isEqualTo(2);
    }

    @Test
    void reconnectTriesAtOnceAfterAFailure() throws Exception {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("1 attempt.");
        factory = this::open;
        supervisor.reconnect();
        assertThat(supervisor.session(TIMEOUT).isOpen()).isTrue();
    }

    @Test
    void attemptsFollowMaxRetriesAndWaitLongerEachTime() {
        List<Long> times = new CopyOnWriteArrayList<>();
        factory =
                _ -> {
                    times.add(ticker.nanoTime() / 1_000_000);
                    throw new IOException("refused");
                };
        supervisor = supervisor(2);
        long began = ticker.nanoTime();
        supervisor.start();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (supervisor.state().attempts() < 3 || supervisor.state().status() != Status.ERROR) {
            ticker.advance(Duration.ofMillis(10));
            LockSupport.parkNanos(1_000_000);
            assertThat(System.nanoTime()).isLessThan(end);
        }
        assertThatThrownBy(() -> supervisor.session(TIMEOUT, began))
                .hasMessageContaining("3 attempts");
        assertThat(times).hasSize(3);
        assertThat(times.get(1) - times.get(0)).isGreaterThanOrEqualTo(800);
        assertThat(times.get(2) - times.get(1)).isGreaterThanOrEqualTo(1_600);
    }

    @Test
    void permanentFailureIsNotRetried() {
        supervisor = supervisor(5);
        factory =
                _ -> {
                    refusals++;
                    throw new PermanentOpenException("command not found");
                };
        assertThatThrownBy(() -> supervisor.session(TIMEOUT))
                .hasMessage(
                        "Server a cannot be started: command not found. It is not tried again"
                                + " until this is fixed");
        assertThat(refusals).isEqualTo(1);
        assertThat(supervisor.state().attempts()).isEqualTo(1);
    }

    @Test
    void noLostCallFindsTheServerConnected() throws Exception {
        factory = this::open;
        supervisor = supervisor(0);
        ServerSession session = supervisor.session(TIMEOUT);
        var status = new CompletableFuture<Status>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    CallOutcome outcome = call(session);
                                    assertThat(outcome)
                                            .isEqualTo(new CallOutcome.ConnectionLost("it ended"));
                                    status.complete(supervisor.state().status());
                                });
        FakeServer server = opened.getFirst();
        while (server.params("tools/call").isEmpty()) {
            Thread.onSpinWait();
        }
        server.terminate();
        assertThat(status.get(30, TimeUnit.SECONDS)).isNotEqualTo(Status.CONNECTED);
        caller.join();
    }

    private static CallOutcome call(ServerSession session) {
        try {
            return session.call(
                    "tools/call", Json.EMPTY_OBJECT, CallOptions.internal(Duration.ofMinutes(1)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Supervisor supervisor(int maxRetries) {
        var limits = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), maxRetries);
        var spec =
                new ServerSpec(
                        new ServerId("a"),
                        new Transport.Stdio("none", List.of(), Map.of(), null),
                        Options.DEFAULTS.withLimits(limits));
        return new Supervisor(
                spec,
                new Supervisor.Dependencies(
                        it -> factory.open(it),
                        new Implementation("patchbay", "test"),
                        InstantSource.system(),
                        new StartLimiter(1, ticker),
                        new Backoff(new Random(1)),
                        ticker,
                        16),
                new ServerEventListener() {});
    }

    private TransportFactory.TransportConnection refuse(ServerSpec spec) throws IOException {
        refusals++;
        throw new IOException("refused");
    }

    private TransportFactory.TransportConnection open(ServerSpec spec) {
        var server =
                new FakeServer(
                        (method, params) ->
                                method.equals("tools/call")
                                        ? FakeServer.NO_RESPONSE
                                        : FakeServer.LEGACY.apply(method, params));
        opened.add(server);
        return server;
    }
}
