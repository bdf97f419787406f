package dev.patchbay.stdio;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks that enough file descriptors are free before a process is started. A JVM that runs out of
 * them during a start closes some at random, possibly its own standard input.
 */
public final class FileDescriptorBudget {
    /** What one start opens temporarily: five pipes, and the program's files. */
    private static final int FILES_PER_START = 12;

    /** Descriptors reserved for the rest of the gateway. */
    private static final int RESERVED_FILES = 16;

    private static final String LIMIT_NAME = "Max open files";
    private static final Path LIMITS_FILE = Path.of("/proc/self/limits");
    private static final File OPEN_FILES = new File("/proc/self/fd");

    private static final int DIGITS_MAX = 18;

    private static final AtomicInteger pendingStarts = new AtomicInteger();
    private static volatile long limit;

    private FileDescriptorBudget() {}

    /** Starts a process, unless too few descriptors are free. */
    public static Process startProcess(ProcessBuilder builder) throws IOException {
        int wanted = pendingStarts.incrementAndGet() * FILES_PER_START + RESERVED_FILES;
        try {
            if (OPEN_FILES.exists() && !hasRoomFor(wanted)) {
                throw new IOException(
                        "too many open files to start another process; see ulimit -n");
            }
            return builder.start();
        } finally {
            pendingStarts.decrementAndGet();
        }
    }

    private static boolean hasRoomFor(int wanted) throws IOException {
        long max = limit;
        if (max == 0) {
            max = readLimit();
            limit = max; // constant, and needed at every start
        }
        return openFileCount() + wanted <= max;
    }

    /** The number of open files. From Linux 6.2 on, it is the size of the folder. */
    private static long openFileCount() {
        long told = OPEN_FILES.length();
        if (told > 0) {
            return told;
        }
        String[] listed = OPEN_FILES.list();
        return listed == null ? Integer.MAX_VALUE : listed.length;
    }

    private static long readLimit() throws IOException {
        String limits = new String(Files.readAllBytes(LIMITS_FILE), StandardCharsets.US_ASCII);
        int at = Math.max(0, limits.indexOf(LIMIT_NAME)) + LIMIT_NAME.length();
        while (at < limits.length() && limits.charAt(at) == ' ') {
            at++;
        }
        int end = at;
        while (end < limits.length() && Character.isDigit(limits.charAt(end))) {
            end++;
        }
        boolean known = end > at && end - at < DIGITS_MAX;
        return known ? Long.parseLong(limits, at, end, 10) : Long.MAX_VALUE;
    }
}
