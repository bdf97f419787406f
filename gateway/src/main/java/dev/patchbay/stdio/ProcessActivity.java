package dev.patchbay.stdio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Measures the work of a process and of those that it started, as far as the machine shows it. */
final class ProcessActivity {
    private static final int PROCESSES_MAX = 64;

    private ProcessActivity() {}

    /**
     * A number that changes when one of the processes has used the processor, has read or written,
     * was started or has ended. It has no other meaning.
     */
    static long measure(ProcessHandle process) {
        try (Stream<ProcessHandle> all =
                Stream.concat(Stream.of(process), process.descendants()).limit(PROCESSES_MAX)) {
            return all.mapToLong(ProcessActivity::measureOne).sum();
        }
    }

    private static long measureOne(ProcessHandle process) {
        long cpuNanos = process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
        return process.pid() + cpuNanos + transferredBytes(process.pid());
    }

    /** The bytes that a process has read and written; 0 where the system does not tell. */
    private static long transferredBytes(long pid) {
        Path file = Path.of("/proc", Long.toString(pid), "io");
        try {
            long sum = 0;
            for (String line :
                    new String(Files.readAllBytes(file), StandardCharsets.US_ASCII)
                            .split("\n", -1)) {
                if (line.startsWith("rchar: ") || line.startsWith("wchar: ")) {
                    sum += Long.parseLong(line.substring("rchar: ".length()));
                }
            }
            return sum;
        } catch (IOException | RuntimeException _) {
            return 0; // not Linux, or just ended
        }
    }
}
