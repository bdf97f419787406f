package dev.patchbay.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.time.SleeplessTicker;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Supervisors of real processes, ended with the test. */
final class SupervisorFixture implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    final ProcessReaper processReaper = new ProcessReaper();
    private final SleeplessTicker sleepless = new SleeplessTicker();
    final List<Duration> pauses = sleepless.sleeps;
    final List<Status> statuses = new CopyOnWriteArrayList<>();
    private final List<Supervisor> supervisors = new ArrayList<>();
    private final StartLimiter startLimiter =
            new StartLimiter(StartLimiter.DEFAULT_PERMITS, Ticker.system());
    private Ticker ticker = Ticker.system();

    /** Lets no time pass between attempts, and keeps how much it should have been. */
    SupervisorFixture withoutPauses() {
        ticker = sleepless;
        return this;
    }

    Supervisor supervise(ServerScript script, Limits limits) {
        return supervise(spec(script, limits, EraChoice.AUTO), new ServerEventListener() {});
    }

    Supervisor supervise(ServerSpec spec, ServerEventListener listener) {
        var supervisor =
                new Supervisor(
                        spec, sharedParts(new StdioTransportFactory(processReaper)), listener);
        supervisor.addListener((_, _, after) -> statuses.add(after.status()));
        supervisors.add(supervisor);
        return supervisor;
    }

    private Supervisor.Dependencies sharedParts(TransportFactory opener) {
        return new Supervisor.Dependencies(
                opener,
                new Implementation("patchbay", "test"),
                InstantSource.system(),
                startLimiter,
                new Backoff(new Random(1)),
                ticker,
                256);
    }

    static ServerSpec spec(ServerScript script, Limits limits, EraChoice era) {
        List<String> words = script.command();
        return spec(
                        script.name(),
                        new Transport.Stdio(
                                words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                        Options.DEFAULTS.withLimits(limits))
                .withEra(era);
    }

    static ServerSpec programSpec(String name, Limits limits, String command, String... args) {
        return spec(
                name,
                new Transport.Stdio(command, List.of(args), Map.of(), null),
                Options.DEFAULTS.withLimits(limits));
    }

    private static ServerSpec spec(String name, Transport transport, Options options) {
        return new ServerSpec(new ServerId(name), transport, options);
    }

    static Limits limits(long connectionMs, int maxRetries) {
        return new Limits(Duration.ofMillis(connectionMs), Duration.ofSeconds(5), maxRetries);
    }

    /** Fails unless the states reported become these: a listener may hear of one a little later. */
    void assertStatuses(Status... expected) {
        boolean _ = becomesTrue(() -> statuses.equals(List.of(expected)));
        assertThat(statuses).containsExactly(expected);
    }

    /** Waits for a condition; whether it became true. */
    static boolean becomesTrue(BooleanSupplier condition) {
        return becomesTrue(condition, TIMEOUT);
    }

    static boolean becomesTrue(BooleanSupplier condition, Duration timeout) {
        return Await.becomesTrue(condition, timeout);
    }

    static boolean hasStatus(Supervisor supervisor, Status status) {
        return supervisor.state().status() == status;
    }

    static @Nullable String lastErrorMessage(Supervisor supervisor) {
        ServerState state = supervisor.state();
        return state.lastError() == null ? null : state.lastError().message();
    }

    @Override
    public void close() {
        supervisors.forEach(Supervisor::stop);
        processReaper.close();
    }
}
