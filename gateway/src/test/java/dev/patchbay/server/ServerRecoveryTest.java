package dev.patchbay.server;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.TransportFactory.TransportConnection;
import dev.patchbay.time.FakeTicker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Attempts in the background, and the patience with programs that download a server first. */
class ServerRecoveryTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Instant NOW = Instant.parse("2026-11-18T07:00:00Z");

    private final FakeTicker ticker = new FakeTicker();
    private final AtomicInteger opens = new AtomicInteger();
    private final AtomicLong work = new AtomicLong();
    private volatile TransportFactory factory =
            _ -> {
                throw new IOException("refused");
            };
    private final Supervisor supervisor = supervisor();

    /** A server that a package runner starts. */
    private record PackagedServer(FakeServer server, AtomicLong work)
            implements TransportConnection {
        @Override
        public Channel channel() {
            return server;
        }

        @Override
        public String closeReason() {
            return server.closeReason();
        }

        @Override
        public String packageRunner() {
            return "npx";
        }

        @Override
        public long measureWork() {
            return work.get();
        }
    }

    @AfterEach
    void stop() {
        supervisor.stop();
    }

    @Test
    void serverThatComesBackIsConnectedWithoutACall() {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("refused");
        for (int minute = 0; minute < 10; minute++) {
            awaitNextAttempt();
        }
        factory = _ -> new FakeServer(FakeServer.LEGACY);
        ticker.advance(Duration.ofSeconds(65));
        assertThat(becomesTrue(() -> supervisor.state().status() == Status.CONNECTED)).isTrue();
        assertThat(supervisor.nextAttemptAt()).isNull();
    }

    /** Lets the time of the next attempt come, and waits for its failure. */
    private void awaitNextAttempt() {
        int before = opens.get();
        ticker.advance(Duration.ofSeconds(65));
        assertThat(
                        becomesTrue(
                                () ->
                                        opens.get() == before + 1
                                                && supervisor.nextAttemptAt() != null))
                .isTrue();
    }

    @Test
    void atMostOneAttemptIsMadeInAMinute() {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("refused");
        assertThat(supervisor.nextAttemptAt()).isBetween(NOW.plusSeconds(60), NOW.plusSeconds(65));
        ticker.advance(Duration.ofSeconds(60).minusNanos(1));
        assertThat(opens).hasValue(1);
        ticker.advance(Duration.ofSeconds(6));
        assertThat(becomesTrue(() -> opens.get() == 2 && supervisor.nextAttemptAt() != null))
                .isTrue();
        assertThat(supervisor.state().status()).isEqualTo(Status.ERROR);
    }

    @Test
    void callDoesNotWaitForTheNextAttempt() throws Exception {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("refused");
        factory = _ -> new FakeServer(FakeServer.LEGACY);
        assertThat(supervisor.session(TIMEOUT).isOpen()).isTrue();
        assertThat(supervisor.nextAttemptAt()).isNull();
    }

    @Test
    void failureThatCannotHealIsNotTriedAgain() {
        factory =
                _ -> {
                    throw new PermanentOpenException("command not found");
                };
        assertThatThrownBy(() -> supervisor.session(TIMEOUT))
                .hasMessageContaining("command not found");
        assertThat(supervisor.nextAttemptAt()).isNull();
    }

    @Test
    void stoppedServerIsNotTriedAgain() {
        assertThatThrownBy(() -> supervisor.session(TIMEOUT)).hasMessageContaining("refused");
        supervisor.disable();
        assertThat(supervisor.nextAttemptAt()).isNull();
        ticker.advance(Duration.ofSeconds(65));
        assertThat(supervisor.state().status()).isEqualTo(Status.DISABLED);
        assertThat(opens).hasValue(1);
    }

    @Test
    void packageRunnerHasTimeAsLongAsItWorks() {
        var server = new FakeServer((_, _) -> FakeServer.NO_RESPONSE);
        factory = _ -> new PackagedServer(server, work);
        supervisor.start();
        assertThat(becomesTrue(() -> !server.params("initialize").isEmpty())).isTrue();
        for (int second = 0; second < 200; second++) {
            work.incrementAndGet();
            pass(Duration.ofSeconds(1));
        }
        assertThat(supervisor.startActivity())
                .startsWith("npx is downloading or installing the server, for ");
        assertThat(supervisor.state().status()).isEqualTo(Status.CONNECTING);
        answerInitialize(server);
        assertThat(becomesTrue(() -> supervisor.state().status() == Status.CONNECTED)).isTrue();
        assertThat(supervisor.startActivity()).isEmpty();
        assertThat(opens).hasValue(1);
    }

    private static void answerInitialize(FakeServer server) {
        var request =
                server.received.stream()
                        .filter(
                                it ->
                                        it instanceof Request asked
                                                && asked.method().equals("initialize"))
                        .map(Request.class::cast)
                        .findFirst()
                        .orElseThrow();
        server.sendMessage(
                Json.of(
                                "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}"
                                        .formatted(
                                                request.id(),
                                                FakeServer.LEGACY.apply(
                                                        "initialize", Json.EMPTY_OBJECT)))
                        .toString());
    }

    @Test
    void packageRunnerThatDoesNothingIsGivenUp() {
        var server = new FakeServer((_, _) -> FakeServer.NO_RESPONSE);
        factory = _ -> new PackagedServer(server, work);
        supervisor.start();
        assertThat(becomesTrue(() -> !server.received.isEmpty())).isTrue();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        int steps = 0;
        while (supervisor.state().status() != Status.ERROR) {
            pass(Duration.ofMillis(500));
            steps++;
            assertThat(System.nanoTime()).isLessThan(end);
        }
        ServerFailure failure = supervisor.state().lastError();
        assertThat(failure).isNotNull();
        assertThat(failure.reason()).isEqualTo(ErrorReason.CONNECTION_TIMEOUT);
        assertThat(failure.message()).contains("npx did nothing for 10000 ms");
        assertThat(steps).isGreaterThanOrEqualTo(20);
        assertThat(supervisor.nextAttemptAt()).isNotNull();
    }

    private void pass(Duration time) {
        ticker.advance(time);
        LockSupport.parkNanos(1_000_000);
    }

    private Supervisor supervisor() {
        var limits = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), 0);
        var spec =
                new ServerSpec(
                        new ServerId("a"),
                        new Transport.Stdio("none", List.of(), Map.of(), null),
                        Options.DEFAULTS.withLimits(limits));
        return new Supervisor(
                spec,
                new Supervisor.Dependencies(
                        this::open,
                        new Implementation("patchbay", "test"),
                        InstantSource.fixed(NOW),
                        new StartLimiter(1, ticker),
                        new Backoff(new Random(1)),
                        ticker,
                        16),
                new ServerEventListener() {});
    }

    private TransportConnection open(ServerSpec spec) throws IOException {
        opens.incrementAndGet();
        return factory.open(spec);
    }
}
