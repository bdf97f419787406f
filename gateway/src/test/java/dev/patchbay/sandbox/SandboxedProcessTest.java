package dev.patchbay.sandbox;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxPolicy.Standard;
import dev.patchbay.stdio.ChildProcess;
import dev.patchbay.stdio.ParentEnvironment;
import dev.patchbay.stdio.ProcessCommand;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.testkit.ProcessInspector;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The process of a confined server: its end, its signals, its errors, and what it leaves behind.
 */
class SandboxedProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SandboxPolicy STANDARD = new Standard(List.of(), List.of());

    @TempDir private Path folder;
    private final ProcessReaper reaper = new ProcessReaper();

    @AfterEach
    void close() {
        reaper.close();
    }

    private ChildProcess start(String mechanism, SandboxPolicy policy, String script)
            throws Exception {
        assumeTrue(SandboxTrial.isAvailable(mechanism), mechanism + " does not work here");
        var variables = new HashMap<>(System.getenv());
        variables.put(ServerSandbox.MECHANISM_VARIABLE, mechanism);
        Path home = Files.createDirectories(folder.resolve("home/project")).getParent();
        var host = new SandboxHost(variables, home, folder.resolve("state"), List.of());
        var command =
                new ProcessCommand(
                        "/bin/sh", List.of("-c", script), Map.of(), home.resolve("project"));
        return ChildProcess.start(
                "one",
                command,
                ChildProcess.OutputLimits.DEFAULTS,
                reaper,
                new ChildProcess.StartOptions(
                        ParentEnvironment.ofThisProcess(),
                        new ServerSandbox(() -> host).launcher("one", policy)));
    }

    private static boolean hasSaid(ChildProcess child, String text) {
        return becomesTrue(() -> child.exitDescription().contains(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void exitCodeAndErrorsAreReported(String mechanism) throws Exception {
        ChildProcess child = start(mechanism, STANDARD, "echo no key >&2; exit 7");
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.exitDescription()).isEqualTo("exited with code 7; standard error: no key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void programIsAskedToEndBeforeItIsKilled(String mechanism) throws Exception {
        ChildProcess child =
                start(
                        mechanism,
                        STANDARD,
                        "trap 'exit 3' TERM; echo ready >&2; while :; do sleep 0.05;" + " done");
        assertThat(hasSaid(child, "ready")).isTrue();
        child.abort("it is not wanted");
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.exitDescription()).contains("exited with code 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void workOfTheProgramIsMeasured(String mechanism) throws Exception {
        ChildProcess child = start(mechanism, STANDARD, "while :; do :; done");
        try {
            long before = child.measureWork();
            assertThat(becomesTrue(() -> child.measureWork() != before)).isTrue();
            assertThat(becomesTrue(child::isUsingCpu)).isTrue();
        } finally {
            child.abort("done");
        }
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
    }

    /** A process in the background with a session of its own ends with the sandbox. */
    @Test
    void nothingSurvivesTheProgram() throws Exception {
        ChildProcess child =
                start(
                        "bubblewrap",
                        STANDARD,
                        "trap '' TERM HUP; setsid sleep 3571 & echo ready >&2; read line");
        assertThat(hasSaid(child, "ready")).isTrue();
        assertThat(becomesTrue(() -> sleepers("3571") == 1)).isTrue();
        child.channel().close();
        assertThat(becomesTrue(() -> sleepers("3571") == 0)).isTrue();
    }

    @Test
    void nothingSurvivesBubblewrap() throws Exception {
        ChildProcess child =
                start(
                        "bubblewrap",
                        STANDARD,
                        "trap '' TERM HUP; setsid sleep 3572 & echo ready >&2; read line");
        assertThat(hasSaid(child, "ready")).isTrue();
        assertThat(becomesTrue(() -> sleepers("3572") == 1)).isTrue();
        List<Long> inside = ProcessInspector.descendants(child.pid());
        ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
        assertThat(becomesTrue(() -> inside.stream().noneMatch(ProcessInspector::isAlive)))
                .isTrue();
        assertThat(sleepers("3572")).isZero();
    }

    private static long sleepers(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(
                        process ->
                                process.info().command().orElse("").endsWith("sleep")
                                        && List.of(process.info().arguments().orElse(new String[0]))
                                                .contains(seconds))
                .count();
    }

    @Test
    void learningWritesAProfileForStrict() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "there is no strace");
        Path data = Files.createDirectories(folder.resolve("home/data"));
        Files.writeString(data.resolve("input"), "x");
        Files.createDirectories(folder.resolve("state"));
        ChildProcess child =
                start(
                        "bubblewrap",
                        new SandboxPolicy.Learn(),
                        "cat ../data/input >/dev/null; echo 1 >output; exit 4");
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.exitDescription()).contains("exited with code 4");
        Path profile = folder.resolve("state/sandbox/one.json");
        assertThat(becomesTrue(() -> Files.exists(profile))).isTrue();
        assertThat(profile)
                .hasContent(
                        """
                        {"sandbox":{"level":"strict","read":["%s"],"write":["%s"],"network":false}}
                        """
                                .formatted(data.resolve("input"), folder.resolve("home/project")));
    }

    /** Their calls overlap in the record. */
    @Test
    void learningNotesFilesOfProcessesThatRunAtTheSameTime() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "there is no strace");
        var folders = new TreeSet<String>();
        for (int i = 1; i <= 8; i++) {
            Path part = Files.createDirectories(folder.resolve("home/project/part" + i));
            folders.add("\"" + part + "\"");
        }
        Files.createDirectories(folder.resolve("state"));
        ChildProcess child =
                start(
                        "bubblewrap",
                        new SandboxPolicy.Learn(),
                        "for i in 1 2 3 4 5 6 7 8; do (echo 1 >part$i/output) & done; wait");
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        Path profile = folder.resolve("state/sandbox/one.json");
        assertThat(becomesTrue(() -> Files.exists(profile))).isTrue();
        assertThat(profile).content().contains("\"write\":[" + String.join(",", folders) + "]");
    }
}
