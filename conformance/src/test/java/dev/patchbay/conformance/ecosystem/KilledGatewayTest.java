package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A gateway that is killed takes its servers along, as often as one likes. */
class KilledGatewayTest {
    private static final int TIMES = 100;
    private static final Duration GONE_MAX = Duration.ofSeconds(1);

    @TempDir private static Path folder;
    private Workbench bench;

    @BeforeEach
    void configure() {
        bench = new Workbench(folder);
        SmallServer.healthy("one").into(bench, "");
        SmallServer.healthy("two").into(bench, "");
        bench.save();
    }

    @RepeatedTest(TIMES)
    void leavesNoServerBehind() throws Exception {
        Host host = bench.open();
        assertThat(host.text("one.who", "{}")).isEqualTo("one");
        assertThat(host.text("two.who", "{}")).isEqualTo("two");
        List<Long> below = host.descendants();
        assertThat(below).as("two servers and the janitor").hasSizeGreaterThanOrEqualTo(3);
        host.client().kill();
        var killed = Stopwatch.start();
        host.assertGone(below);
        assertThat(killed.net()).isLessThan(GONE_MAX);
        host.client().close();
    }
}
