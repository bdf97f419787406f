package dev.patchbay.testkit;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How a {@link RawStdioClient} starts its process and what it allows it: {@code
 * Launch.of("./patchbay", "stdio").env("A", "b").start()}. Nothing passes through a shell.
 */
public final class ProcessLaunch {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final List<String> command;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private boolean inheritsEnvironment = true;
    private @Nullable Path cwd;
    private StderrMode stderr = StderrMode.READ;
    private boolean allowsArrays;
    private boolean keepsHistory = true;
    private Duration deadline = DEADLINE;
    private Supplier<@Nullable LineCheck> check = () -> null;

    private ProcessLaunch(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** What happens to the standard error of the process. */
    public enum StderrMode {
        /** Read all the time, the newest part is kept. */
        READ,
        /** Never read: a process that writes more than the pipe holds will block. */
        NOT_READ,
        /** The reading end is closed: a write fails with a broken pipe. */
        READER_CLOSED,
        /** Closed in the process itself: a write fails with a bad descriptor. */
        CLOSED,
        /** A file on a disk that is full: a write fails for want of room. */
        DISK_FULL
    }

    public static ProcessLaunch of(String... command) {
        return new ProcessLaunch(List.of(command));
    }

    public static ProcessLaunch of(List<String> command) {
        return new ProcessLaunch(command);
    }

    /** Adds a variable to the environment of the process. */
    public ProcessLaunch env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Passes none of this process's own variables on; PATH is among them. */
    public ProcessLaunch clearEnvironment() {
        inheritsEnvironment = false;
        return this;
    }

    public ProcessLaunch workingDirectory(Path directory) {
        cwd = directory;
        return this;
    }

    public ProcessLaunch stderr(StderrMode way) {
        stderr = way;
        return this;
    }

    /** Lets an output line be an array, as the answer to a 2025-03-26 batch is. */
    public ProcessLaunch allowArrays() {
        allowsArrays = true;
        return this;
    }

    /** Keeps no traffic, for runs whose lines would fill the memory. */
    public ProcessLaunch withoutHistory() {
        keepsHistory = false;
        return this;
    }

    /** Has every line of each client that is started looked at by a check of its own. */
    public ProcessLaunch checkedWith(Supplier<? extends LineCheck> checks) {
        check = checks::get;
        return this;
    }

    /** How long the client waits where no other time is given; 30 seconds unless told. */
    public ProcessLaunch deadline(Duration time) {
        deadline = time;
        return this;
    }

    public RawStdioClient start() {
        return RawStdioClient.start(this);
    }

    List<String> command() {
        return command;
    }

    StderrMode stderr() {
        return stderr;
    }

    boolean allowsArrays() {
        return allowsArrays;
    }

    boolean keepsHistory() {
        return keepsHistory;
    }

    @Nullable LineCheck check() {
        return check.get();
    }

    Duration deadline() {
        return deadline;
    }

    /** The process as described, with pipes on all three streams. */
    ProcessBuilder builder() {
        var words = new ArrayList<String>();
        if (stderr == StderrMode.CLOSED || stderr == StderrMode.DISK_FULL) {
            String target = stderr == StderrMode.CLOSED ? "&-" : "/dev/full";
            words.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 2>" + target, "sh"));
        }
        words.addAll(command);
        var builder = new ProcessBuilder(words);
        if (!inheritsEnvironment) {
            builder.environment().clear();
        }
        builder.environment().putAll(environment);
        if (cwd != null) {
            builder.directory(cwd.toFile());
        }
        return builder;
    }
}
