package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Inbound;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.testkit.Processes;
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
import java.util.function.BooleanSupplier;

/** Real processes, as a program of a few lines of shell each. */
class ChildTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** With what the shell adds by itself. */
    private static final Set<String> MAY_BE_SEEN =
            Set.of(
                    "CANARY", "PATH", "HOME", "USER", "LANG", "TMPDIR", "TERM", "SHELL", "PWD",
                    "OLDPWD", "SHLVL", "_");

    @TempDir Path folder;
    private final Janitor janitor = new Janitor();
    private final BlockingQueue<Inbound> received = new LinkedBlockingQueue<>();
    private final List<Child> children = new ArrayList<>();

    @AfterEach
    void endEverything() {
        children.forEach(child -> child.kill("the test is over"));
        janitor.close();
    }

    @Test
    void seesArgumentsAsTheyAreAndNoShell() throws Exception {
        var words = List.of("a b", "$(id)", "; ls", "*", "~", "\"'\\", "%PATH%", "", "x\ny");
        Path out = folder.resolve("args");
        var args = new ArrayList<>(List.of("-c", "printf '%s\\0' \"$@\" > \"$0\"", out.toString()));
        args.addAll(words);
        Child child = start(new Command("sh", args, Map.of(), null));
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(Files.readString(out).split("\0", -1)).startsWith(words.toArray(String[]::new));
    }

    @Test
    void seesNeitherOurEnvironmentNorOurFiles() throws Exception {
        Path out = folder.resolve("seen");
        String script = "{ env; ls /proc/self/fd; pwd; } > \"$0\"";
        var env = Map.of("CANARY", "mine");
        Child child = start(new Command("sh", List.of("-c", script, out.toString()), env, folder));
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        var lines = Files.readAllLines(out);
        var names =
                lines.stream()
                        .filter(line -> line.contains("="))
                        .map(line -> line.substring(0, line.indexOf('=')));
        assertThat(names)
                .contains("CANARY", "PATH")
                .allMatch(name -> name.startsWith("LC_") || MAY_BE_SEEN.contains(name));
        // Three streams, of which ls itself opens a fourth to look.
        assertThat(lines.stream().filter(line -> line.matches("\\d+"))).hasSize(4);
        assertThat(lines.getLast()).isEqualTo(folder.toRealPath().toString());
    }

    @Test
    void carriesMessagesBothWays() throws Exception {
        Child child = start(shell("exec cat"));
        listen(child);
        child.channel().send(new Notification("hello", Json.of("{\"n\":1.50}")));
        assertThat(received.poll(30, TimeUnit.SECONDS))
                .isEqualTo(new Notification("hello", Json.of("{\"n\":1.50}")));
    }

    @Test
    void endsWhenItsInputEnds() throws Exception {
        Child child = start(shell("exec cat"));
        listen(child);
        var watch = Stopwatch.start();
        child.stop();
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(1));
        assertThat(child.lastWords()).isEqualTo("it exited with code 0");
    }

    @Test
    void takesItsGrandchildrenAlongThoughTheyIgnoreEverything() throws Exception {
        Path pids = folder.resolve("pids");
        String stubborn = "trap '' TERM HUP INT; while :; do sleep 1; done";
        Child child =
                start(
                        shell(
                                "trap '' TERM; sh -c \"$1\" & echo $! > \"$0\"; while :; do sleep"
                                        + " 1; done",
                                pids.toString(),
                                stubborn));
        listen(child);
        assertThat(comesTrue(() -> Files.exists(pids))).isTrue();
        assertThat(comesTrue(() -> !read(pids).isBlank())).isTrue();
        long grandchild = Long.parseLong(read(pids).strip());
        var watch = Stopwatch.start();
        child.stop();
        assertThat(comesTrue(() -> !Processes.alive(child.pid()))).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(5));
        assertThat(comesTrue(() -> !Processes.alive(grandchild))).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void sweepsWhatALeaderLeftBehindThatEndedItself() throws Exception {
        Path pids = folder.resolve("pids");
        Child child = start(shell("sleep 600 & echo $! > \"$0\"; exit 3", pids.toString()));
        Thread listening = listen(child);
        assertThat(listening.join(PATIENCE)).isTrue();
        var watch = Stopwatch.start();
        long grandchild = Long.parseLong(read(pids).strip());
        assertThat(comesTrue(() -> !Processes.alive(grandchild))).isTrue();
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(2));
        assertThat(child.lastWords()).isEqualTo("it exited with code 3");
    }

    @Test
    void showsTheEndOfItsErrorsWithoutSecrets() throws Exception {
        String script =
                "head -c 200000 /dev/zero | tr '\\0' x >&2; printf '\\nbad key %s' $KEY >&2";
        var command =
                new Command("sh", List.of("-c", script), Map.of("KEY", "hunter2-secret"), null);
        Child child = start(command);
        listen(child);
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.lastWords())
                .endsWith("x\\nbad key ${KEY}")
                .doesNotContain("hunter2")
                .hasSizeLessThan(1_200);
    }

    @Test
    void leavesNoZombies() throws Exception {
        int before = zombies();
        for (int i = 0; i < 100; i++) {
            children.add(Child.start("quick", shell("exit 0"), Child.Limits.DEFAULTS, janitor));
        }
        for (Child child : children) {
            assertThat(child.awaitEnd(PATIENCE)).isTrue();
        }
        assertThat(comesTrue(() -> zombies() <= before)).isTrue();
    }

    private static int zombies() {
        int count = 0;
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            Path stat = Path.of("/proc", Long.toString(child.pid()), "stat");
            count += read(stat).contains(") Z ") ? 1 : 0;
        }
        return count;
    }

    private Child start(Command command) throws IOException {
        Child child = Child.start("child", command, Child.Limits.DEFAULTS, janitor);
        children.add(child);
        return child;
    }

    private Thread listen(Child child) {
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

    private static Command shell(String script, String... args) {
        var words = new ArrayList<>(List.of("-c", script));
        words.addAll(List.of(args));
        return new Command("sh", words, Map.of(), null);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return "";
        }
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
