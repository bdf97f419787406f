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
public final class Processes {
    private static final Path PROC = Path.of("/proc");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");
    private static final Pattern PARENT = Pattern.compile("(?m)^PPid:\\s+(\\d+)");
    private static final Pattern STATE = Pattern.compile("(?m)^State:\\s+(\\S)");
    private static final long KILL_SECONDS_MAX = 5;

    private Processes() {}

    /** The memory the process holds in RAM, in bytes; 0 if it is gone. */
    public static long residentBytes(long pid) {
        return number(pid, RESIDENT) * 1024;
    }

    /** How many threads the process has; 0 if it is gone. */
    public static int threads(long pid) {
        return (int) number(pid, THREADS);
    }

    /** How many descriptors the process has open; 0 if it is gone. */
    public static int openFiles(long pid) {
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
                if (number(candidate, PARENT) == pid) {
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

    /** Whether the process runs; a zombie does not. */
    public static boolean alive(long pid) {
        Matcher state = STATE.matcher(status(pid));
        return state.find() && !state.group(1).equals("Z") && !state.group(1).equals("X");
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

    private static long number(long pid, Pattern line) {
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
