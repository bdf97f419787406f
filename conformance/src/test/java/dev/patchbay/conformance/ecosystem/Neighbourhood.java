package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A running gateway with one healthy server, {@code calm}, beside which others come, fail and go.
 * They come and go by the configuration file, while the gateway runs.
 */
final class Neighbourhood implements AutoCloseable {
    private static final Duration PROBE_MAX = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final int TRIES_MAX = 3;

    private final Workbench bench;
    private final Host host;
    private final Duration baseline;
    private final List<ServerScript> guests = new CopyOnWriteArrayList<>();
    private final Truth truth;
    private final List<String> visitors = new ArrayList<>();
    private int scripts;

    Neighbourhood(Path folder) throws InterruptedException {
        this(new Workbench(folder));
    }

    /** A neighbourhood on a workbench that has its settings already. */
    Neighbourhood(Workbench bench) throws InterruptedException {
        this.bench = bench;
        bench.with(bench.script("calm").tools("echo")).save();
        host = bench.open();
        truth = new Truth(host, guests);
        host.awaitStatus("calm", "connected");
        for (int i = 0; i < 20; i++) {
            host.text("calm.echo", "{}"); // the first calls of a program are its slowest
        }
        try (var watch = new Watch(host, Duration.ofDays(1), truth)) {
            watch.awaitCalls(50);
            baseline = watch.slowest();
        }
    }

    Host host() {
        return host;
    }

    Workbench bench() {
        return bench;
    }

    /** A server that will come; its name is not used twice, so that its traces are its own. */
    ServerScript script(String name) {
        scripts++;
        ServerScript script = bench.script(name + scripts);
        guests.add(script);
        return script;
    }

    /** Lets a server come, and waits until this is its status. */
    JsonTree join(ServerScript script, String members, String status) throws InterruptedException {
        bench.with(script, members).save();
        assertThat(Host.await(Host.PATIENCE, () -> host.knows(script.name()))).isTrue();
        return host.awaitStatus(script.name(), status);
    }

    ServerScript connect(ServerScript script, String members) throws InterruptedException {
        join(script, members, "connected");
        host.awaitListed(script.name());
        return script;
    }

    ServerScript connect(ServerScript script) throws InterruptedException {
        return connect(script, "");
    }

    /** Lets a server over HTTP come, with these members; its id. */
    String join(WebServer server, String members) {
        return join(server.url(), members);
    }

    /** Lets come whatever is at a URL, with these members; its id. */
    String join(URI url, String members) {
        scripts++;
        String id = "web" + scripts;
        visitors.add(id);
        bench.with(id, WebServer.config(url, members)).save();
        assertThat(Host.await(Host.PATIENCE, () -> host.knows(id))).isTrue();
        return id;
    }

    /** The same, and waits until its tools are known. */
    String connect(WebServer server, String members) throws InterruptedException {
        String id = join(server, members);
        host.awaitStatus(id, "connected");
        host.awaitListed(id);
        return id;
    }

    /** Calls a tool so many times without waiting for the answers; the ids of the requests. */
    List<String> send(int times, String tool, String arguments) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            ids.add(host.client().sendRequest("tools/call", Messages.callParams(tool, arguments)));
        }
        return ids;
    }

    /** Waits for the answers to these requests, each of which must be a failure. */
    List<JsonTree> failures(List<String> ids) throws InterruptedException {
        var failures = new ArrayList<JsonTree>();
        for (String id : ids) {
            failures.add(Host.failure(host.client().awaitAnswer(id).at("result")));
        }
        return failures;
    }

    /** Calls the healthy server all the time until it is closed, and then says if it suffered. */
    Watch watch() {
        return new Watch(host, baseline, truth);
    }

    /** What is said of the guests, beside what is so. */
    Truth truth() {
        return truth;
    }

    /** Sends all servers but the healthy one away, and looks whether the gateway is well. */
    void clear() throws InterruptedException {
        truth.assertHolds();
        for (ServerScript guest : guests) {
            bench.without(guest.name());
        }
        visitors.forEach(bench::without);
        bench.save();
        for (String visitor : visitors) {
            assertThat(Host.await(Host.PATIENCE, () -> !host.knows(visitor))).isTrue();
        }
        visitors.clear();
        for (ServerScript guest : guests) {
            assertThat(Host.await(Host.PATIENCE, () -> !host.knows(guest.name()))).isTrue();
        }
        for (ServerScript guest : guests) {
            var watch = Stopwatch.start();
            boolean gone = Host.await(Host.PATIENCE, () -> guest.record().living().isEmpty());
            assertThat(gone).as("%s is gone", guest.name()).isTrue();
            assertThat(watch.net()).isLessThan(STOP_MAX);
        }
        guests.clear();
        probe();
    }

    /** After every fault the gateway answers at once; one answer in time is enough of a proof. */
    private void probe() throws InterruptedException {
        Duration took = PROBE_MAX;
        for (int i = 0; i < TRIES_MAX && took.compareTo(PROBE_MAX) >= 0; i++) {
            var watch = Stopwatch.start();
            host.text("calm.echo", "{}");
            took = watch.net();
        }
        assertThat(took).isLessThan(PROBE_MAX);
    }

    @Override
    public void close() {
        host.close();
    }
}
