package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ProgramCopy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** The program is replaced while clients use it: by a build in the sources, or an upgrade. */
class UpgradeTest {
    private static final boolean IS_LONG = Boolean.getBoolean("patchbay.long");
    private static final int REPLACEMENTS = IS_LONG ? 20 : 3;
    private static final int CLIENTS = IS_LONG ? 5 : 2;

    @TempDir private Path folder;

    private static int callUntil(AtomicBoolean isOver, TestHost host) throws Exception {
        int calls = 0;
        do {
            assertThat(host.callForText("one.who", "{}")).isEqualTo("one");
            calls++;
        } while (!isOver.get());
        return calls;
    }

    private static TestHost connect(TestInstallation installation, ProgramCopy program)
            throws InterruptedException {
        TestHost host =
                installation.start(
                        List.of(
                                program.launcher().toString(),
                                "stdio",
                                "--config",
                                installation.configFile().toString()));
        host.client().initialize("2025-11-25");
        return host;
    }

    @Test
    void replacingTheProgramDisturbsNoRunningOne() throws Exception {
        ProgramCopy program = ProgramCopy.to(folder.resolve("program"));
        var installation = new TestInstallation(Files.createDirectory(folder.resolve("home")));
        ShellServer.healthy("one").addTo(installation, "");
        installation.save();
        var isOver = new AtomicBoolean();
        var hosts = new ArrayList<TestHost>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var counts = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) {
                TestHost host = connect(installation, program);
                hosts.add(host);
                counts.add(callers.submit((Callable<Integer>) () -> callUntil(isOver, host)));
            }
            for (int i = 0; i < REPLACEMENTS; i++) {
                program.rebuild("replacement " + i);
                TestHost fresh = connect(installation, program);
                hosts.add(fresh);
                assertThat(callUntil(new AtomicBoolean(true), fresh)).isOne();
            }
            isOver.set(true);
            for (Future<Integer> count : counts) {
                assertThat(count.get()).isPositive();
            }
            // Each program works from the files that it started with, and these are still there.
            assertThat(builds(program)).hasSizeGreaterThan(REPLACEMENTS);
        } finally {
            isOver.set(true);
            for (TestHost host : hosts) {
                host.close();
            }
        }
        program.rebuild("last");
        assertThat(builds(program))
                .as("what no process uses is removed")
                .hasSizeLessThan(REPLACEMENTS + 2);
    }

    private static List<Path> builds(ProgramCopy program) throws IOException {
        try (Stream<Path> all = Files.list(program.product().resolve("builds"))) {
            return all.filter(Files::isDirectory).toList();
        }
    }
}
