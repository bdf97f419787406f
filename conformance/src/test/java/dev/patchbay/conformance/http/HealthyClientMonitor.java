package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.Stopwatch;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A client with a connection of its own that calls a healthy server, {@code calm}, all the time
 * while another client misbehaves, and looks whether what is said of the servers is so. Its closing
 * asserts that no call failed, that none took more than twice as long as before, or than a second
 * on a busy machine, and that nothing untrue was said.
 */
final class HealthyClientMonitor implements AutoCloseable {
    private static final Duration CALL_MAX = Duration.ofSeconds(1);
    private static final long PAUSE_NANOS = 10_000_000;
    private static final int CALLS_MIN = 3;

    private final ServeProcess gateway;
    private final Duration max;

    /** The processes that the gateway had when this began: its servers, and what looks to them. */
    private final List<Long> serverPids;

    private final List<Duration> calls = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;

    private HealthyClientMonitor(ServeProcess gateway, Duration max) {
        this.gateway = gateway;
        this.max = max;
        this.serverPids = gateway.process().descendants().map(ProcessHandle::pid).toList();
        this.thread = Thread.ofPlatform().daemon().name("bystander").start(this::run);
    }

    /** How long a call takes at most while nobody misbehaves. */
    static Duration baseline(ServeProcess gateway) {
        try (var quiet = new HealthyClientMonitor(gateway, Duration.ofDays(1))) {
            ServeProcess.await("fifty calls", () -> quiet.calls.size() >= 50);
            return Collections.max(quiet.calls);
        }
    }

    /** How long one takes at most while others do something that is not at fault. */
    static Duration baseline(ServeProcess gateway, Callable<?> others) throws Exception {
        try (var busy = new HealthyClientMonitor(gateway, Duration.ofDays(1))) {
            others.call();
            return Collections.max(busy.calls);
        }
    }

    static HealthyClientMonitor start(ServeProcess gateway, Duration usual) {
        Duration twice = usual.multipliedBy(2);
        return new HealthyClientMonitor(gateway, twice.compareTo(CALL_MAX) > 0 ? twice : CALL_MAX);
    }

    private void run() {
        try (RawHttpConnection client = gateway.connect()) {
            for (int i = 0; !stopped; i++) {
                String arguments = "{\"call\":" + i + "}";
                var watch = Stopwatch.start();
                String body = ask(client, i, "calm.echo", arguments).write();
                calls.add(watch.activeTime());
                if (!body.contains("{\\\"call\\\":" + i + "}")) {
                    failures.add("Another answer than that to call " + i + ": " + body);
                }
                checkServerStates(ask(client, i, "patchbay.servers", "{}"));
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException | AssertionError e) {
            failures.add(String.valueOf(e));
        }
    }

    private JsonTree ask(RawHttpConnection client, int id, String tool, String arguments)
            throws IOException {
        return client.send(gateway.modernCall("" + id, tool, arguments)).readResponse().json();
    }

    /** No client's doing has any server's process end, and so none may be said to be away. */
    private void checkServerStates(JsonTree answer) {
        assertThat(serverPids).isNotEmpty().allMatch(ProcessInspector::isAlive);
        for (JsonTree told : answer.at("result", "structuredContent", "servers").asList()) {
            if (!told.at("status").asText().equals("connected")) {
                failures.add("Said and not so: " + told);
            }
        }
    }

    @Override
    public void close() {
        ServeProcess.await("some calls", () -> calls.size() >= CALLS_MIN || !failures.isEmpty());
        stopped = true;
        ServeProcess.await("the last call is over", () -> !thread.isAlive());
        assertThat(failures).isEmpty();
        assertThat(Collections.max(calls)).as("of %d calls", calls.size()).isLessThan(max);
    }
}
