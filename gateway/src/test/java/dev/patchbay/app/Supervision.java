package dev.patchbay.app;

import dev.patchbay.mcp.Implementation;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.LinkListener;
import dev.patchbay.server.Opener;
import dev.patchbay.server.Pause;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerSpec.Words;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StartGate;
import dev.patchbay.server.Supervisor;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.stdio.Janitor;
import dev.patchbay.testkit.ServerScript;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Supervisors of real processes, ended with the test. */
final class Supervision implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final Janitor janitor = new Janitor();
    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    final List<Status> seen = new CopyOnWriteArrayList<>();
    private final List<Supervisor> supervisors = new ArrayList<>();
    private final StartGate gate = new StartGate(StartGate.PLACES);
    private Pause pause = Pause.REAL;

    /** Lets no time pass between attempts, and keeps how much it should have been. */
    Supervision withoutPauses() {
        pause = pauses::add;
        return this;
    }

    Supervisor of(ServerScript script, Limits limits) {
        return of(spec(script, limits, EraChoice.AUTO), new LinkListener() {});
    }

    Supervisor of(ServerSpec spec, LinkListener listener) {
        var supervisor = new Supervisor(spec, shared(new ProcessOpener(janitor)), listener);
        supervisor.addListener((_, _, after) -> seen.add(after.status()));
        supervisors.add(supervisor);
        return supervisor;
    }

    private Supervisor.Shared shared(Opener opener) {
        return new Supervisor.Shared(
                opener,
                new Implementation("patchbay", "test"),
                InstantSource.system(),
                gate,
                new Backoff(new Random(1)),
                pause,
                256);
    }

    static ServerSpec spec(ServerScript script, Limits limits, EraChoice era) {
        List<String> words = script.command();
        return spec(
                script.name(),
                new Transport.Stdio(
                        words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                new Options(true, limits, era, ToolFilter.NONE, Words.NONE));
    }

    static ServerSpec program(String name, Limits limits, String command, String... args) {
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

    /** Waits for something to become so; says whether it did. */
    static boolean comesTrue(BooleanSupplier condition) {
        return comesTrue(condition, PATIENCE);
    }

    static boolean comesTrue(BooleanSupplier condition, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    static boolean is(Supervisor supervisor, Status status) {
        return supervisor.state().status() == status;
    }

    static @Nullable String error(Supervisor supervisor) {
        ServerState state = supervisor.state();
        return state.lastError() == null ? null : state.lastError().message();
    }

    @Override
    public void close() {
        supervisors.forEach(Supervisor::stop);
        janitor.close();
    }
}
