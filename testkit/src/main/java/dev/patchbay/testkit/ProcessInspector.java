package dev.patchbay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the kernel says about processes (Linux, through {@code /proc}). */
public final class ProcessInspector {
    private static final Path PROC = Path.of("/proc");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");
    private static final Pattern PARENT = Pattern.compile("(?m)^PPid:\\s+(\\d+)");
    private static final Pattern STATE = Pattern.compile("(?m)^State:\\s+(\\S)");
    private static final Pattern GROUP = Pattern.compile("(?m)^Tgid:\\s+(\\d+)");

    /** The fields behind the name, which may have spaces; the twentieth of them is the start. */
    private static final Pattern START = Pattern.compile("(?s).*\\)(?: \\S+){19} (\\d+) .*");

    private static final Pattern UPTIME = Pattern.compile("(?s)(\\d+)\\.(\\d\\d) .*");
    private static final long TICK_NANOS = 10_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long KILL_SECONDS_MAX = 5;

    private ProcessInspector() {}

    /** The memory the process holds in RAM, in bytes; 0 if it is gone. */
    public static long residentBytes(long pid) {
        return statusNumber(pid, RESIDENT) * 1024;
    }

    /** How many threads the process has; 0 if it is gone. */
    public static int threadCount(long pid) {
        return (int) statusNumber(pid, THREADS);
    }

    /** How many descriptors the process has open; 0 if it is gone. */
    public static int openFileCount(long pid) {
        return descriptors(pid).size();
    }

    /** What each open descriptor of the process points to, as {@code 3 pipe:[123]}. */
    public static List<String> descriptors(long pid) {
        var found = new ArrayList<String>();
        for (Path entry : entries(PROC.resolve(Long.toString(pid)).resolve("fd"))) {
            try {
                found.add(entry.getFileName() + " " + Files.readSymbolicLink(entry));
            } catch (IOException e) {
                // closed between the listing and the look
            }
        }
        return found;
    }

    /** The children of the process at this moment. */
    public static List<Long> children(long pid) {
        var found = new ArrayList<Long>();
        for (Path entry : entries(PROC)) {
            String name = entry.getFileName().toString();
            if (!name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9')) {
                long candidate = Long.parseLong(name);
                if (statusNumber(candidate, PARENT) == pid) {
                    found.add(candidate);
                }
            }
        }
        return found;
    }

    /** The children of the process, their children, and so on. */
    public static List<Long> descendants(long pid) {
        var found = new ArrayList<Long>();
        Deque<Long> open = new ArrayDeque<>(children(pid));
        while (!open.isEmpty()) {
            long next = open.remove();
            found.add(next);
            open.addAll(children(next));
        }
        return found;
    }

    /** Whether the process runs; a zombie does not, and a thread of another is none. */
    public static boolean isAlive(long pid) {
        String status = status(pid);
        Matcher state = STATE.matcher(status);
        Matcher group = GROUP.matcher(status);
        return state.find()
                && !state.group(1).equals("Z")
                && !state.group(1).equals("X")
                && group.find()
                && Long.parseLong(group.group(1)) == pid;
    }

    /**
     * Whether the process runs that ran under this id at a time of {@link System#nanoTime}: where
     * many come and go, their ids are soon used again.
     */
    public static boolean isAlive(long pid, long nanoTime) {
        String stat = read(PROC.resolve(Long.toString(pid)).resolve("stat")).orElse("");
        String uptime = read(PROC.resolve("uptime")).orElse("");
        Matcher start = START.matcher(stat);
        Matcher up = UPTIME.matcher(uptime);
        if (!isAlive(pid) || !start.matches() || !up.matches()) {
            return false;
        }
        long ticks = Long.parseLong(up.group(1) + up.group(2)) - Long.parseLong(start.group(1));
        long began = System.nanoTime() - ticks * TICK_NANOS;
        return began - nanoTime < SECOND_NANOS;
    }

    /** Sends a signal by name, as {@code signal(pid, "STOP")}; says whether there was a process. */
    public static boolean signal(long pid, String name) throws InterruptedException {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return kill.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long statusNumber(long pid, Pattern line) {
        Matcher found = line.matcher(status(pid));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private static String status(long pid) {
        return read(PROC.resolve(Long.toString(pid)).resolve("status")).orElse("");
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty(); // never there, or it ended while we read
        }
    }

    private static List<Path> entries(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
