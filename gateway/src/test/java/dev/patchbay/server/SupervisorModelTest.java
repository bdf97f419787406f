package dev.patchbay.server;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.time.SleeplessTicker;
import dev.patchbay.time.Ticker;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** A supervisor under random operations of many threads at once, against what must always hold. */
class SupervisorModelTest {
    private static final int THREADS = 8;
    private static final int OPERATIONS = 1_000;

    /** A state as a listener saw it change. */
    private record ObservedChange(ServerState before, ServerState after) {}

    private final List<FakeServer> opened = new CopyOnWriteArrayList<>();
    private final List<ObservedChange> observedChanges = new CopyOnWriteArrayList<>();
    private final SleeplessTicker ticker = new SleeplessTicker();
    private final AtomicBoolean opensFail = new AtomicBoolean();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @Tag("INV-MCP-ECO-200")
    @Tag("INV-MCP-ECO-201")
    void makesOnlyLegalTransitionsWhateverHappens(long seed) throws Exception {
        var supervisor = supervisor(seed);
        supervisor.addListener(
                (_, before, after) -> observedChanges.add(new ObservedChange(before, after)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = new ArrayList<Future<?>>();
            for (int t = 0; t < THREADS; t++) {
                var random = new Random(seed * 31 + t);
                done.add(threads.submit(() -> runOperations(supervisor, random)));
            }
            for (var each : done) {
                each.get();
            }
        }
        assertThatChangesAreConsistent();
        opensFail.set(false);
        supervisor.enable();
        assertThat(supervisor.session(Duration.ofSeconds(60)).isOpen()).isTrue();
        supervisor.stop();
        assertThat(supervisor.state().status()).isEqualTo(Status.DISCONNECTED);
        assertThat(becomesTrue(() -> opened.stream().allMatch(FakeServer::hasEnded))).isTrue();
        assertThatChangesAreConsistent();
    }

    private Object runOperations(Supervisor supervisor, Random random) throws Exception {
        for (int i = 0; i < OPERATIONS / THREADS; i++) {
            switch (random.nextInt(10)) {
                case 0 -> supervisor.disable();
                case 1, 2 -> supervisor.enable();
                case 3 -> supervisor.reconnect();
                case 4 -> supervisor.start();
                case 5 -> opensFail.set(random.nextBoolean());
                case 6 -> crashOne(random);
                default -> callServer(supervisor);
            }
            ServerState state = supervisor.state();
            assertThat(state.handshake() != null).isEqualTo(state.status() == Status.CONNECTED);
        }
        return true;
    }

    private void crashOne(Random random) {
        if (!opened.isEmpty()) {
            opened.get(random.nextInt(opened.size())).terminate();
        }
    }

    private static void callServer(Supervisor supervisor) throws InterruptedException {
        try {
            supervisor
                    .session(Duration.ofSeconds(60))
                    .call(
                            "tools/list",
                            Json.EMPTY_OBJECT,
                            CallOptions.internal(Duration.ofSeconds(30)));
        } catch (ServerUnavailableException e) {
            assertThat(e.failure().reason())
                    .isIn(ErrorReason.SERVER_DISABLED, ErrorReason.CONNECTION_FAILED);
        }
    }

    private void assertThatChangesAreConsistent() {
        ServerState last = ServerState.initial(true);
        for (ObservedChange each : List.copyOf(observedChanges)) {
            assertThat(each.before).isEqualTo(last);
            assertThat(each.before.status().canChangeTo(each.after.status())).isTrue();
            ServerFailure error = each.after.lastError();
            if (error != null) {
                assertThat(each.after.status()).isNotEqualTo(Status.DISABLED);
                assertThat(error.message()).doesNotContain("the gateway failed");
            }
            last = each.after;
        }
    }

    private Supervisor supervisor(long seed) {
        var limits = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), 2);
        var spec =
                new ServerSpec(
                        new ServerId("model"),
                        new Transport.Stdio("none", List.of(), Map.of(), null),
                        Options.DEFAULTS.withLimits(limits));
        var shared =
                new Supervisor.Dependencies(
                        this::open,
                        new Implementation("patchbay", "test"),
                        InstantSource.system(),
                        new StartLimiter(StartLimiter.DEFAULT_PERMITS, Ticker.system()),
                        new Backoff(new Random(seed)),
                        ticker,
                        256);
        return new Supervisor(spec, shared, new ServerEventListener() {});
    }

    private TransportFactory.TransportConnection open(ServerSpec spec) throws IOException {
        if (opensFail.get()) {
            throw new IOException("cannot be opened");
        }
        var server = new FakeServer(FakeServer.LEGACY);
        opened.add(server);
        return server;
    }
}
