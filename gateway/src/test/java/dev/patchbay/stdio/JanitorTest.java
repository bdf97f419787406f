package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Processes;
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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What is left of the children of a gateway that was killed: nothing. */
class JanitorTest {
    private static final int CHILDREN = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Ignores everything that can be ignored, with a grandchild that does the same. */
    private static final String STUBBORN =
            "trap '' TERM HUP INT; (trap '' TERM HUP INT; while :; do sleep 1; done) & echo $$ $!"
                    + " >&2; while :; do sleep 1; done";

    /** A gateway in small: starts children, says so, and waits to be killed. */
    static final class SmallGateway {
        private SmallGateway() {}

        public static void main(String[] args) throws Exception {
            var janitor = new Janitor();
            var command = new Command("sh", List.of("-c", STUBBORN), Map.of(), null);
            var children = new ArrayList<Child>();
            for (int i = 0; i < CHILDREN; i++) {
                children.add(Child.start("child" + i, command, Child.Limits.DEFAULTS, janitor));
            }
            for (Child child : children) {
                while (!child.lastWords().contains("error: ")) {
                    LockSupport.parkNanos(1_000_000);
                }
                System.out.println(child.lastWords().replaceAll(".*error: ", ""));
            }
            System.out.println("ready");
            new CountDownLatch(1).await(120, TimeUnit.SECONDS);
        }
    }

    @Test
    void leavesNoOrphanWithinASecondOfTheGatewaysDeath() throws Exception {
        Process gateway = startSmallGateway();
        var pids = new ArrayList<Long>();
        try (BufferedReader reader = gateway.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine();
                    line != null && !line.equals("ready");
                    line = reader.readLine()) {
                for (String pid : line.split(" ", -1)) {
                    pids.add(Long.parseLong(pid));
                }
            }
            assertThat(pids).hasSize(2 * CHILDREN).allMatch(Processes::alive);
            gateway.destroyForcibly();
            assertThat(gateway.waitFor(30, TimeUnit.SECONDS)).isTrue();
            var watch = Stopwatch.start();
            assertThat(comesTrue(() -> pids.stream().noneMatch(Processes::alive)))
                    .as("all of " + pids + " have ended")
                    .isTrue();
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        } finally {
            gateway.destroyForcibly();
        }
    }

    private static Process startSmallGateway() throws IOException {
        String classes = location(Child.class) + File.pathSeparator + location(JanitorTest.class);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes,
                        SmallGateway.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    @Test
    void isStartedAgainWhenSomebodyKillsIt() throws Exception {
        List<ProcessHandle> others = shells(); // of tests before, which may still be ending
        var janitor = new Janitor();
        var command = new Command("sleep", List.of("600"), Map.of(), null);
        Child child = Child.start("child", command, Child.Limits.DEFAULTS, janitor);
        try {
            for (int i = 0; i < 2; i++) {
                ProcessHandle shell = awaitShell(others);
                shell.destroyForcibly();
                assertThat(comesTrue(() -> !shell.isAlive())).isTrue();
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
                comesTrue(
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

    private static boolean comesTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }
}
