package dev.patchbay.stdio;

import static dev.patchbay.testkit.Await.becomesTrue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Real processes, as a program of a few lines of shell each. */
class ChildProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** With what the shell adds by itself. */
    private static final Set<String> ALLOWED_VARIABLES =
            Set.of(
                    "CANARY", "PATH", "HOME", "USER", "LANG", "TMPDIR", "TERM", "SHELL", "PWD",
                    "OLDPWD", "SHLVL", "_");

    @TempDir Path folder;
    private final ProcessReaper reaper = new ProcessReaper();
    private final BlockingQueue<DecodedFrame> received = new LinkedBlockingQueue<>();
    private final List<ChildProcess> children = new ArrayList<>();

    @AfterEach
    void killChildren() {
        children.forEach(child -> child.kill("the test is over"));
        reaper.close();
    }

    @Test
    void receivesArgumentsVerbatimWithoutAShell() throws Exception {
        var words = List.of("a b", "$(id)", "; ls", "*", "~", "\"'\\", "%PATH%", "", "x\ny");
        Path out = folder.resolve("args");
        var args = new ArrayList<>(List.of("-c", "printf '%s\\0' \"$@\" > \"$0\"", out.toString()));
        args.addAll(words);
        ChildProcess child = start(new ProcessCommand("sh", args, Map.of(), null));
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(Files.readString(out).split("\0", -1)).startsWith(words.toArray(String[]::new));
    }

    @Test
    void inheritsNeitherEnvironmentNorFiles() throws Exception {
        Path out = folder.resolve("seen");
        String script = "{ env; ls /proc/self/fd; pwd; } > \"$0\"";
        var env = Map.of("CANARY", "mine");
        ChildProcess child =
                start(new ProcessCommand("sh", List.of("-c", script, out.toString()), env, folder));
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        var lines = Files.readAllLines(out);
        var names =
                lines.stream()
                        .filter(line -> line.contains("="))
                        .map(line -> line.substring(0, line.indexOf('=')));
        assertThat(names)
                .contains("CANARY", "PATH")
                .allMatch(name -> name.startsWith("LC_") || ALLOWED_VARIABLES.contains(name));
        // Three streams, of which ls itself opens a fourth to look.
        assertThat(lines.stream().filter(line -> line.matches("\\d+"))).hasSize(4);
        assertThat(lines.getLast()).isEqualTo(folder.toRealPath().toString());
    }

    @Test
    void workOfProcessesThatTheChildStartedIsSeen() throws Exception {
        ChildProcess busy = start(shell("sh -c 'while :; do :; done' & wait"));
        long before = busy.measureWork();
        assertThat(becomesTrue(() -> busy.measureWork() != before)).isTrue();
        busy.kill("the test is over");
        ChildProcess idle = start(shell("sleep 1000"));
        assertThat(
                        becomesTrue(
                                () -> {
                                    long first = idle.measureWork();
                                    LockSupport.parkNanos(20_000_000);
                                    return idle.measureWork() == first;
                                }))
                .isTrue();
        idle.kill("the test is over");
    }

    @Test
    void exchangesMessages() throws Exception {
        ChildProcess child = start(shell("exec cat"));
        listen(child);
        child.channel().send(new Notification("hello", Json.of("{\"n\":1.50}")));
        assertThat(received.poll(30, TimeUnit.SECONDS))
                .isEqualTo(new Notification("hello", Json.of("{\"n\":1.50}")));
    }

    @Test
    void exitsWhenStdinIsClosed() throws Exception {
        ChildProcess child = start(shell("exec cat"));
        listen(child);
        var watch = Stopwatch.start();
        child.stop();
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(1));
        assertThat(child.exitDescription()).isEqualTo("exited with code 0");
    }

    @Test
    void killsGrandchildrenThatIgnoreSignals() throws Exception {
        Path pids = folder.resolve("pids");
        String stubborn = "trap '' TERM HUP INT; while :; do sleep 1; done";
        ChildProcess child =
                start(
                        shell(
                                "trap '' TERM; sh -c \"$1\" & echo $! > \"$0\"; while :; do sleep"
                                        + " 1; done",
                                pids.toString(),
                                stubborn));
        listen(child);
        assertThat(becomesTrue(() -> Files.exists(pids))).isTrue();
        assertThat(becomesTrue(() -> !read(pids).isBlank())).isTrue();
        long grandchild = Long.parseLong(read(pids).strip());
        var watch = Stopwatch.start();
        child.stop();
        assertThat(becomesTrue(() -> !ProcessInspector.isAlive(child.pid()))).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(5));
        assertThat(becomesTrue(() -> !ProcessInspector.isAlive(grandchild))).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void killsProcessesLeftByALeaderThatExited() throws Exception {
        Path pids = folder.resolve("pids");
        ChildProcess child = start(shell("sleep 600 & echo $! > \"$0\"; exit 3", pids.toString()));
        Thread listening = listen(child);
        assertThat(listening.join(PATIENCE)).isTrue();
        var watch = Stopwatch.start();
        long grandchild = Long.parseLong(read(pids).strip());
        assertThat(becomesTrue(() -> !ProcessInspector.isAlive(grandchild))).isTrue();
        assertThat(watch.activeTime()).isLessThan(Duration.ofSeconds(2));
        assertThat(child.exitDescription()).isEqualTo("exited with code 3");
    }

    @Test
    void exitDescriptionShowsStderrWithoutSecrets() throws Exception {
        String script =
                "head -c 200000 /dev/zero | tr '\\0' x >&2; printf '\\nbad key %s' $KEY >&2";
        var command =
                new ProcessCommand(
                        "sh", List.of("-c", script), Map.of("KEY", "hunter2-secret"), null);
        ChildProcess child = start(command);
        listen(child);
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.exitDescription())
                .endsWith("x\\nbad key ${KEY}")
                .doesNotContain("hunter2")
                .hasSizeLessThan(1_200);
    }

    @Test
    void leavesNoZombies() throws Exception {
        int before = zombieCount();
        for (int i = 0; i < 100; i++) {
            children.add(
                    ChildProcess.start(
                            "quick", shell("exit 0"), ChildProcess.OutputLimits.DEFAULTS, reaper));
        }
        for (ChildProcess child : children) {
            assertThat(child.awaitEnd(PATIENCE)).isTrue();
        }
        assertThat(becomesTrue(() -> zombieCount() <= before)).isTrue();
    }

    private static int zombieCount() {
        int count = 0;
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            Path stat = Path.of("/proc", Long.toString(child.pid()), "stat");
            count += read(stat).contains(") Z ") ? 1 : 0;
        }
        return count;
    }

    private ChildProcess start(ProcessCommand command) throws IOException {
        ChildProcess child =
                ChildProcess.start("child", command, ChildProcess.OutputLimits.DEFAULTS, reaper);
        children.add(child);
        return child;
    }

    private Thread listen(ChildProcess child) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                child.channel().receive(received::add);
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
    }

    private static ProcessCommand shell(String script, String... args) {
        var words = new ArrayList<>(List.of("-c", script));
        words.addAll(List.of(args));
        return new ProcessCommand("sh", words, Map.of(), null);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return "";
        }
    }
}
