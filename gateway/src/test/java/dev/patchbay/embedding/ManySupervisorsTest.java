package dev.patchbay.embedding;

import static dev.patchbay.embedding.SupervisorFixture.TIMEOUT;
import static dev.patchbay.embedding.SupervisorFixture.becomesTrue;
import static dev.patchbay.embedding.SupervisorFixture.hasStatus;
import static dev.patchbay.embedding.SupervisorFixture.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.ServerEventListener;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.Supervisor;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Many servers at once, each a few lines of shell. */
class ManySupervisorsTest {
    /** Answers the probe with an error and then the greeting. */
    private static final String FAST_SERVER_SCRIPT =
            """
            read -r probe
            echo '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}'
            read -r greeting
            echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}}'
            while read -r line; do :; done
            """;

    private final SupervisorFixture fixture = new SupervisorFixture();

    @AfterEach
    void endEverything() {
        fixture.close();
    }

    @Test
    void startsFiftyFastServersTogether() {
        var fleet = supervisors(50, "sh", "-c", FAST_SERVER_SCRIPT);
        var watch = Stopwatch.start();
        fleet.forEach(Supervisor::start);
        assertThat(
                        becomesTrue(
                                () ->
                                        fleet.stream()
                                                .allMatch(
                                                        each -> hasStatus(each, Status.CONNECTED))))
                .isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void threeHundredUnresponsiveServersDoNotBlockOthers() throws Exception {
        var silent = supervisors(300, "sleep", "600");
        silent.forEach(Supervisor::start);
        var healthy =
                fixture.supervise(
                        spec("healthy", "sh", "-c", FAST_SERVER_SCRIPT),
                        new ServerEventListener() {});
        var watch = Stopwatch.start();
        healthy.session(TIMEOUT);
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(10));
        assertThat(
                        becomesTrue(
                                () ->
                                        silent.stream()
                                                .allMatch(
                                                        each ->
                                                                hasStatus(
                                                                        each, Status.CONNECTING))))
                .isTrue();
        // A virtual thread still gets its turn at once.
        watch = Stopwatch.start();
        var ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        ran.await();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
    }

    private List<Supervisor> supervisors(int size, String command, String... args) {
        var fleet = new ArrayList<Supervisor>();
        for (int i = 0; i < size; i++) {
            fleet.add(
                    fixture.supervise(
                            spec("server" + i, command, args), new ServerEventListener() {}));
        }
        return fleet;
    }

    private static ServerSpec spec(String name, String command, String... args) {
        return SupervisorFixture.programSpec(name, limits(60_000, 1), command, args);
    }
}
