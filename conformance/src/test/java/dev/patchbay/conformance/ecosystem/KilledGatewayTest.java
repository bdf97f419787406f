package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A killed gateway leaves no server running. */
class KilledGatewayTest {
    private static final int REPETITIONS = 100;
    private static final Duration PROCESS_EXIT_MAX = Duration.ofSeconds(1);

    @TempDir private static Path folder;
    private TestInstallation installation;

    @BeforeEach
    void configure() {
        installation = new TestInstallation(folder);
        ShellServer.healthy("one").addTo(installation, "");
        ShellServer.healthy("two").addTo(installation, "");
        installation.save();
    }

    @RepeatedTest(REPETITIONS)
    void leavesNoServerRunning() throws Exception {
        TestHost host = installation.connect();
        assertThat(host.callForText("one.who", "{}")).isEqualTo("one");
        assertThat(host.callForText("two.who", "{}")).isEqualTo("two");
        List<Long> below = host.descendants();
        assertThat(below).as("two servers and the janitor").hasSizeGreaterThanOrEqualTo(3);
        host.client().kill();
        var killed = Stopwatch.start();
        host.assertGone(below);
        assertThat(killed.activeTime()).isLessThan(PROCESS_EXIT_MAX);
        host.client().close();
    }
}
