package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
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
final class GatewayWithFaultyServer implements AutoCloseable {
    private static final Duration PROBE_MAX = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final int TRIES_MAX = 3;

    private final TestInstallation installation;
    private final TestHost host;
    private final Duration baselineLatency;
    private final List<ServerScript> faultyServers = new CopyOnWriteArrayList<>();
    private final ReportedStateCheck stateCheck;
    private final List<String> addedServerIds = new ArrayList<>();
    private int scriptCount;

    GatewayWithFaultyServer(Path folder) throws InterruptedException {
        this(new TestInstallation(folder));
    }

    /** A neighbourhood on a workbench that has its settings already. */
    GatewayWithFaultyServer(TestInstallation bench) throws InterruptedException {
        this.installation = bench;
        bench.withServer(bench.script("calm").tools("echo")).save();
        host = bench.connect();
        stateCheck = new ReportedStateCheck(host, faultyServers);
        host.awaitStatus("calm", "connected");
        for (int i = 0; i < 20; i++) {
            host.callForText("calm.echo", "{}"); // the first calls of a program are its slowest
        }
        try (var watch = new HealthyServerMonitor(host, Duration.ofDays(1), stateCheck)) {
            watch.awaitCalls(50);
            baselineLatency = watch.slowestCall();
        }
    }

    TestHost host() {
        return host;
    }

    TestInstallation installation() {
        return installation;
    }

    /** A server that will come; its name is not used twice, so that its traces are its own. */
    ServerScript script(String name) {
        scriptCount++;
        ServerScript script = installation.script(name + scriptCount);
        faultyServers.add(script);
        return script;
    }

    /** Lets a server come, and waits until this is its status. */
    JsonTree add(ServerScript script, String members, String status) throws InterruptedException {
        installation.withServer(script, members).save();
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer(script.name()))).isTrue();
        return host.awaitStatus(script.name(), status);
    }

    ServerScript connect(ServerScript script, String members) throws InterruptedException {
        add(script, members, "connected");
        host.awaitListed(script.name());
        return script;
    }

    ServerScript connect(ServerScript script) throws InterruptedException {
        return connect(script, "");
    }

    /** Lets a server over HTTP come, with these members; its id. */
    String add(HttpEchoServer server, String members) {
        return add(server.url(), members);
    }

    /** Lets come whatever is at a URL, with these members; its id. */
    String add(URI url, String members) {
        scriptCount++;
        String id = "web" + scriptCount;
        addedServerIds.add(id);
        installation.withServer(id, HttpEchoServer.configEntry(url, members)).save();
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer(id))).isTrue();
        return id;
    }

    /** The same, and waits until its tools are known. */
    String connect(HttpEchoServer server, String members) throws InterruptedException {
        String id = add(server, members);
        host.awaitStatus(id, "connected");
        host.awaitListed(id);
        return id;
    }

    /** Calls a tool so many times without waiting for the answers; the ids of the requests. */
    List<String> sendCalls(int times, String tool, String arguments) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            ids.add(
                    host.client()
                            .sendRequest("tools/call", ClientMessages.callParams(tool, arguments)));
        }
        return ids;
    }

    /** Waits for the answers to these requests, each of which must be a failure. */
    List<JsonTree> awaitFailures(List<String> ids) throws InterruptedException {
        var failures = new ArrayList<JsonTree>();
        for (String id : ids) {
            failures.add(TestHost.failureDetails(host.client().awaitResponse(id).at("result")));
        }
        return failures;
    }

    /** Calls the healthy server all the time until it is closed, and then says if it suffered. */
    HealthyServerMonitor monitorHealthyServer() {
        return new HealthyServerMonitor(host, baselineLatency, stateCheck);
    }

    /** What is said of the guests, beside what is so. */
    ReportedStateCheck stateCheck() {
        return stateCheck;
    }

    /** Sends all servers but the healthy one away, and looks whether the gateway is well. */
    void removeFaultyServers() throws InterruptedException {
        stateCheck.assertReportsAreTrue();
        for (ServerScript guest : faultyServers) {
            installation.withoutServer(guest.name());
        }
        addedServerIds.forEach(installation::withoutServer);
        installation.save();
        for (String visitor : addedServerIds) {
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer(visitor))).isTrue();
        }
        addedServerIds.clear();
        for (ServerScript guest : faultyServers) {
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer(guest.name())))
                    .isTrue();
        }
        for (ServerScript guest : faultyServers) {
            var watch = Stopwatch.start();
            boolean gone =
                    TestHost.await(
                            TestHost.TIMEOUT, () -> guest.recording().livingPids().isEmpty());
            assertThat(gone).as("%s is gone", guest.name()).isTrue();
            assertThat(watch.activeTime()).isLessThan(STOP_MAX);
        }
        faultyServers.clear();
        assertResponsive();
    }

    /** After every fault the gateway answers at once; one answer in time is enough of a proof. */
    private void assertResponsive() throws InterruptedException {
        Duration took = PROBE_MAX;
        for (int i = 0; i < TRIES_MAX && took.compareTo(PROBE_MAX) >= 0; i++) {
            var watch = Stopwatch.start();
            host.callForText("calm.echo", "{}");
            took = watch.activeTime();
        }
        assertThat(took).isLessThan(PROBE_MAX);
    }

    @Override
    public void close() {
        host.close();
    }
}
