package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

class ProcessInspectorTest {
    private static final long SELF = ProcessHandle.current().pid();

    /** Threads have their numbers from where processes have theirs. */
    @Test
    void threadIsNotAProcess() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            long thread =
                    threads.mapToLong(it -> Long.parseLong(it.getFileName().toString()))
                            .filter(it -> it != SELF)
                            .findFirst()
                            .orElseThrow();
            assertThat(Path.of("/proc", Long.toString(thread), "status")).exists();
            assertThat(ProcessInspector.isAlive(thread)).isFalse();
        }
        assertThat(ProcessInspector.isAlive(SELF)).isTrue();
    }

    @Test
    void reusedPidIsNotTheOldProcess() throws Exception {
        long before = System.nanoTime() - Duration.ofSeconds(10).toNanos();
        var process = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(ProcessInspector.isAlive(process.pid(), System.nanoTime())).isTrue();
            assertThat(ProcessInspector.isAlive(process.pid(), before)).isFalse();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(ProcessInspector.isAlive(process.pid(), System.nanoTime())).isFalse();
    }
}
