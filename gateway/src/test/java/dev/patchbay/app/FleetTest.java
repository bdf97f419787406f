package dev.patchbay.app;

import static dev.patchbay.app.Supervision.PATIENCE;
import static dev.patchbay.app.Supervision.comesTrue;
import static dev.patchbay.app.Supervision.is;
import static dev.patchbay.app.Supervision.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.LinkListener;
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
class FleetTest {
    /** Answers the probe with an error and then the greeting. */
    private static final String QUICK =
            """
            read -r probe
            echo '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}'
            read -r greeting
            echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}}'
            while read -r line; do :; done
            """;

    private final Supervision supervision = new Supervision();

    @AfterEach
    void endEverything() {
        supervision.close();
    }

    @Test
    void startsFiftyQuickServersTogether() {
        var fleet = fleet(50, "sh", "-c", QUICK);
        var watch = Stopwatch.start();
        fleet.forEach(Supervisor::start);
        assertThat(comesTrue(() -> fleet.stream().allMatch(each -> is(each, Status.CONNECTED))))
                .isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void isNotStarvedByThreeHundredSilentServers() throws Exception {
        var silent = fleet(300, "sleep", "600");
        silent.forEach(Supervisor::start);
        var healthy = supervision.of(spec("healthy", "sh", "-c", QUICK), new LinkListener() {});
        var watch = Stopwatch.start();
        healthy.link(PATIENCE);
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(10));
        assertThat(comesTrue(() -> silent.stream().allMatch(each -> is(each, Status.CONNECTING))))
                .isTrue();
        // A virtual thread still gets its turn at once.
        watch = Stopwatch.start();
        var ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        ran.await();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
    }

    private List<Supervisor> fleet(int size, String command, String... args) {
        var fleet = new ArrayList<Supervisor>();
        for (int i = 0; i < size; i++) {
            fleet.add(supervision.of(spec("server" + i, command, args), new LinkListener() {}));
        }
        return fleet;
    }

    private static ServerSpec spec(String name, String command, String... args) {
        return Supervision.program(name, limits(60_000, 1), command, args);
    }
}
