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
 * A running gateway with one healthy server, {@code calm}. Faulty servers are added and removed
 * through the configuration file while the gateway runs.
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

    /** A gateway with the settings of this installation. */
    GatewayWithFaultyServer(TestInstallation installation) throws InterruptedException {
        this.installation = installation;
        installation.withServer(installation.script("calm").tools("echo")).save();
        host = installation.connect();
        stateCheck = new ReportedStateCheck(host, faultyServers);
        host.awaitStatus("calm", "connected");
        for (int i = 0; i < 20; i++) {
            host.callForText("calm.echo", "{}"); // the first calls of a program are its slowest
        }
        try (var stopwatch = new HealthyServerMonitor(host, Duration.ofDays(1), stateCheck)) {
            stopwatch.awaitCalls(50);
            baselineLatency = stopwatch.slowestCall();
        }
    }

    TestHost host() {
        return host;
    }

    TestInstallation installation() {
        return installation;
    }

    /** A script for a server to add; its name is unique, so its recording is its own. */
    ServerScript script(String name) {
        scriptCount++;
        ServerScript script = installation.script(name + scriptCount);
        faultyServers.add(script);
        return script;
    }

    /** Adds a server and waits for this status. */
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

    /** Adds an HTTP server with these members and returns its id. */
    String add(HttpEchoServer server, String members) {
        return add(server.url(), members);
    }

    /** Adds the server at a URL with these members and returns its id. */
    String add(URI url, String members) {
        scriptCount++;
        String id = "web" + scriptCount;
        addedServerIds.add(id);
        installation.withServer(id, HttpEchoServer.configEntry(url, members)).save();
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> host.hasServer(id))).isTrue();
        return id;
    }

    /** The same, and waits until its tools are listed. */
    String connect(HttpEchoServer server, String members) throws InterruptedException {
        String id = add(server, members);
        host.awaitStatus(id, "connected");
        host.awaitListed(id);
        return id;
    }

    /** Sends calls without waiting, and returns the ids of the requests. */
    List<String> sendCalls(int times, String tool, String arguments) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            ids.add(
                    host.client()
                            .sendRequest("tools/call", ClientMessages.callParams(tool, arguments)));
        }
        return ids;
    }

    /** Waits for the responses to these requests, which must all be failures. */
    List<JsonTree> awaitFailures(List<String> ids) throws InterruptedException {
        var failures = new ArrayList<JsonTree>();
        for (String id : ids) {
            failures.add(TestHost.failureDetails(host.client().awaitResponse(id).at("result")));
        }
        return failures;
    }

    /** Calls the healthy server until closed, and then asserts that it was not affected. */
    HealthyServerMonitor monitorHealthyServer() {
        return new HealthyServerMonitor(host, baselineLatency, stateCheck);
    }

    /** Compares the reported states of the faulty servers with their processes. */
    ReportedStateCheck stateCheck() {
        return stateCheck;
    }

    /** Removes all servers except the healthy one, and asserts that the gateway works. */
    void removeFaultyServers() throws InterruptedException {
        stateCheck.assertReportsAreTrue();
        for (ServerScript faulty : faultyServers) {
            installation.withoutServer(faulty.name());
        }
        addedServerIds.forEach(installation::withoutServer);
        installation.save();
        for (String id : addedServerIds) {
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer(id))).isTrue();
        }
        addedServerIds.clear();
        for (ServerScript faulty : faultyServers) {
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer(faulty.name())))
                    .isTrue();
        }
        for (ServerScript faulty : faultyServers) {
            var stopwatch = Stopwatch.start();
            boolean gone =
                    TestHost.await(
                            TestHost.TIMEOUT, () -> faulty.recording().livingPids().isEmpty());
            assertThat(gone).as("%s is gone", faulty.name()).isTrue();
            assertThat(stopwatch.activeTime()).isLessThan(STOP_MAX);
        }
        faultyServers.clear();
        assertResponsive();
    }

    /** Asserts that the gateway responds quickly; one quick response is enough. */
    private void assertResponsive() throws InterruptedException {
        Duration took = PROBE_MAX;
        for (int i = 0; i < TRIES_MAX && took.compareTo(PROBE_MAX) >= 0; i++) {
            var stopwatch = Stopwatch.start();
            host.callForText("calm.echo", "{}");
            took = stopwatch.activeTime();
        }
        assertThat(took).isLessThan(PROBE_MAX);
    }

    @Override
    public void close() {
        host.close();
    }
}
