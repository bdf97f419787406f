package dev.patchbay.stdio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;

/** Detects whether a process, or one that it started, is using the processor. */
final class CpuActivity {
    private static final int PROCESSES_MAX = 16;

    // Fields of /proc/N/stat, counted after the program name.
    private static final int STATE_FIELD = 0;
    private static final int USER_TICKS_FIELD = 11;
    private static final int SYSTEM_TICKS_FIELD = 12;

    private final long pid;
    private long lastTicks;

    CpuActivity(long pid) {
        this.pid = pid;
    }

    /**
     * Whether a process runs, waits for the disk, or has used processor time since the last call.
     */
    synchronized boolean isActive() {
        long ticks = 0;
        boolean running = false;
        var open = new ArrayDeque<String>();
        open.add(Long.toString(pid));
        try {
            for (int seen = 0; !open.isEmpty() && seen < PROCESSES_MAX; seen++) {
                String process = open.remove();
                String[] fields = stat(process);
                running |= fields[STATE_FIELD].equals("R") || fields[STATE_FIELD].equals("D");
                ticks +=
                        Long.parseLong(fields[USER_TICKS_FIELD])
                                + Long.parseLong(fields[SYSTEM_TICKS_FIELD]);
                addChildren(process, open);
            }
        } catch (IOException | RuntimeException _) {
            return true; // not visible on this machine, or just ended
        }
        boolean spent = running || ticks != lastTicks;
        lastTicks = ticks;
        return spent;
    }

    private static String[] stat(String process) throws IOException {
        String text = read(Path.of("/proc", process, "stat"));
        return text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    }

    private static void addChildren(String process, ArrayDeque<String> open) throws IOException {
        Path list = Path.of("/proc", process, "task", process, "children");
        if (Files.exists(list)) {
            for (String child : read(list).split(" ", -1)) {
                if (!child.isBlank()) {
                    open.add(child);
                }
            }
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
    }
}
