package dev.patchbay.stdio;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What is left of the children of a gateway that was killed: nothing. */
class ProcessReaperTest {
    private static final int CHILDREN = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Ignores everything that can be ignored, with a grandchild that does the same. */
    private static final String IGNORE_SIGNALS_SCRIPT =
            "trap '' TERM HUP INT; (trap '' TERM HUP INT; while :; do sleep 1; done) & echo $$ $!"
                    + " >&2; while :; do sleep 1; done";

    /** A gateway in small: starts children, says so, and waits to be killed. */
    static final class MinimalGateway {
        private MinimalGateway() {}

        public static void main(String[] args) throws Exception {
            var janitor = new ProcessReaper();
            var command =
                    new ProcessCommand("sh", List.of("-c", IGNORE_SIGNALS_SCRIPT), Map.of(), null);
            var children = new ArrayList<ChildProcess>();
            for (int i = 0; i < CHILDREN; i++) {
                children.add(
                        ChildProcess.start(
                                "child" + i, command, ChildProcess.OutputLimits.DEFAULTS, janitor));
            }
            for (ChildProcess child : children) {
                while (!child.exitDescription().contains("error: ")) {
                    LockSupport.parkNanos(1_000_000);
                }
                System.out.println(child.exitDescription().replaceAll(".*error: ", ""));
            }
            System.out.println("ready");
            new CountDownLatch(1).await(120, TimeUnit.SECONDS);
        }
    }

    @Test
    void killsAllChildrenWithinASecondOfTheGatewaysDeath() throws Exception {
        Process gateway = startMinimalGateway();
        var pids = new ArrayList<Long>();
        try (BufferedReader reader = gateway.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine();
                    line != null && !line.equals("ready");
                    line = reader.readLine()) {
                for (String pid : line.split(" ", -1)) {
                    pids.add(Long.parseLong(pid));
                }
            }
            assertThat(pids).hasSize(2 * CHILDREN).allMatch(ProcessInspector::isAlive);
            gateway.destroyForcibly();
            assertThat(gateway.waitFor(30, TimeUnit.SECONDS)).isTrue();
            var watch = Stopwatch.start();
            assertThat(becomesTrue(() -> pids.stream().noneMatch(ProcessInspector::isAlive)))
                    .as("all of " + pids + " have ended")
                    .isTrue();
            assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        } finally {
            gateway.destroyForcibly();
        }
    }

    private static Process startMinimalGateway() throws IOException {
        String classes =
                location(ChildProcess.class)
                        + File.pathSeparator
                        + location(ProcessReaperTest.class);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes,
                        MinimalGateway.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    @Test
    void isRestartedAfterBeingKilled() throws Exception {
        List<ProcessHandle> others = shells(); // of tests before, which may still be ending
        var janitor = new ProcessReaper();
        var command = new ProcessCommand("sleep", List.of("600"), Map.of(), null);
        ChildProcess child =
                ChildProcess.start("child", command, ChildProcess.OutputLimits.DEFAULTS, janitor);
        try {
            for (int i = 0; i < 2; i++) {
                ProcessHandle shell = awaitShell(others);
                shell.destroyForcibly();
                assertThat(becomesTrue(() -> !shell.isAlive())).isTrue();
            }
            assertThat(awaitShell(others).isAlive()).isTrue();
        } finally {
            janitor.close();
        }
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
    }

    private static ProcessHandle awaitShell(List<ProcessHandle> others) {
        var found = new ArrayList<ProcessHandle>();
        boolean came =
                becomesTrue(
                        () -> {
                            shells().stream()
                                    .filter(shell -> !others.contains(shell))
                                    .forEach(found::add);
                            return !found.isEmpty();
                        });
        assertThat(came).isTrue();
        return found.getFirst();
    }

    private static List<ProcessHandle> shells() {
        return ProcessHandle.current()
                .children()
                .filter(
                        child ->
                                child.info().arguments().stream()
                                        .flatMap(Stream::of)
                                        .anyMatch("patchbay-janitor"::equals))
                .toList();
    }
}
