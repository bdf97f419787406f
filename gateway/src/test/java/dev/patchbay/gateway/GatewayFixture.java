package dev.patchbay.gateway;

import dev.patchbay.embedding.StdioTransportFactory;
import dev.patchbay.json.Json;
import dev.patchbay.server.Backoff;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.StartLimiter;
import dev.patchbay.server.Supervisor;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.time.SleeplessTicker;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A gateway over real processes that do what a test says, ended with the test. */
final class GatewayFixture implements AutoCloseable {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    /** Enough for a process to start on a busy machine, no attempt but the first. */
    static final Limits NO_RETRIES = new Limits(Duration.ofSeconds(20), Duration.ofSeconds(20), 0);

    final SleeplessTicker ticker = new SleeplessTicker();
    final List<Duration> pauses = ticker.sleeps;
    final List<String> changes = new CopyOnWriteArrayList<>();
    final Gateway gateway;
    private final Path folder;
    private volatile @Nullable Instant time;
    private final ProcessReaper janitor = new ProcessReaper();

    GatewayFixture(Path folder) {
        this(folder, GatewaySettings.DEFAULTS);
    }

    GatewayFixture(Path folder, GatewaySettings settings) {
        this.folder = folder;
        gateway =
                new Gateway(
                        settings,
                        new Supervisor.Dependencies(
                                new StdioTransportFactory(janitor),
                                settings.identity(),
                                this::now,
                                new StartLimiter(settings.limits().startsMax(), Ticker.system()),
                                new Backoff(new Random(1)),
                                ticker,
                                settings.perServer().callsMax()));
        gateway.addListener(
                new GatewayListener() {
                    @Override
                    public void listChanged(String list) {
                        changes.add(list);
                    }
                });
    }

    static GatewaySettings withOwnTools(boolean inspection, boolean invocation) {
        return GatewaySettings.DEFAULTS.withOwnTools(
                new GatewaySettings.OwnTools(inspection, invocation));
    }

    /** Sets the clock of the machine, as far as the gateway reads it. */
    void setClock(Instant to) {
        time = to;
    }

    private Instant now() {
        Instant set = time;
        return set == null ? Instant.now() : set;
    }

    /** A server that leaves its traces in the test's folder. */
    ServerScript script(String name) {
        return ServerScript.named(name, folder);
    }

    /** Registers a server that plays the script. */
    ServerScript add(ServerScript script) {
        return add(script, NO_RETRIES);
    }

    ServerScript add(ServerScript script, Limits limits) {
        gateway.register(spec(script, limits));
        return script;
    }

    static ServerSpec spec(ServerScript script, Limits limits) {
        List<String> words = script.command();
        return new ServerSpec(
                new ServerId(script.name()),
                new Transport.Stdio(
                        words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                Options.DEFAULTS.withLimits(limits));
    }

    static Limits limits(long connectionMs, long requestMs, int maxRetries) {
        return new Limits(
                Duration.ofMillis(connectionMs), Duration.ofMillis(requestMs), maxRetries);
    }

    DiscoveryResult discover() throws InterruptedException {
        return gateway.discover(DiscoveryRequest.ALL);
    }

    DiscoveryResult refresh() throws InterruptedException {
        return gateway.discover(DiscoveryRequest.ALL.forced());
    }

    InvocationResult call(String tool, String arguments) throws InterruptedException {
        return gateway.invoke(Invocation.of(tool, Json.of(arguments)));
    }

    ServerReport report(String id) {
        return gateway.server(new ServerId(id)).orElseThrow();
    }

    ServerState.Status status(String id) {
        return report(id).state().status();
    }

    List<String> tools() {
        return names(gateway.tools());
    }

    static List<String> names(List<ToolReport> tools) {
        return tools.stream().map(it -> it.tool().name().text()).toList();
    }

    /** Waits for a condition; whether it became true. */
    static boolean becomesTrue(BooleanSupplier condition) {
        return Await.becomesTrue(condition, WAIT_MAX);
    }

    @Override
    public void close() {
        gateway.close();
        janitor.close();
    }
}
