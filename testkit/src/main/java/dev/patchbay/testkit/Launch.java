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
 * How a {@link RawClient} starts its process and what it allows it: {@code Launch.of("./patchbay",
 * "stdio").env("A", "b").start()}. Nothing passes through a shell.
 */
public final class Launch {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final List<String> command;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private boolean inherit = true;
    private @Nullable Path cwd;
    private Stderr stderr = Stderr.DRAINED;
    private boolean arrays;
    private boolean history = true;
    private Duration deadline = DEADLINE;
    private Supplier<@Nullable LineCheck> check = () -> null;

    private Launch(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** What happens to the standard error of the process. */
    public enum Stderr {
        /** Read all the time, the newest part is kept. */
        DRAINED,
        /** Never read: a process that writes more than the pipe holds will block. */
        UNDRAINED,
        /** The reading end is closed: a write fails with a broken pipe. */
        BROKEN,
        /** Closed in the process itself: a write fails with a bad descriptor. */
        CLOSED,
        /** A file on a disk that is full: a write fails for want of room. */
        FULL
    }

    public static Launch of(String... command) {
        return new Launch(List.of(command));
    }

    public static Launch of(List<String> command) {
        return new Launch(command);
    }

    /** Adds a variable to the environment of the process. */
    public Launch env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Passes none of this process's own variables on; PATH is among them. */
    public Launch clearEnvironment() {
        inherit = false;
        return this;
    }

    public Launch in(Path directory) {
        cwd = directory;
        return this;
    }

    public Launch stderr(Stderr way) {
        stderr = way;
        return this;
    }

    /** Lets an output line be an array, as the answer to a 2025-03-26 batch is. */
    public Launch allowArrays() {
        arrays = true;
        return this;
    }

    /** Keeps no traffic, for runs whose lines would fill the memory. */
    public Launch withoutHistory() {
        history = false;
        return this;
    }

    /** Has every line of each client that is started looked at by a check of its own. */
    public Launch checkedBy(Supplier<? extends LineCheck> checks) {
        check = checks::get;
        return this;
    }

    /** How long the client waits where no other time is given; 30 seconds unless told. */
    public Launch deadline(Duration time) {
        deadline = time;
        return this;
    }

    public RawClient start() {
        return RawClient.start(this);
    }

    List<String> command() {
        return command;
    }

    Stderr stderr() {
        return stderr;
    }

    boolean arrays() {
        return arrays;
    }

    boolean history() {
        return history;
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
        if (stderr == Stderr.CLOSED || stderr == Stderr.FULL) {
            String target = stderr == Stderr.CLOSED ? "&-" : "/dev/full";
            words.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 2>" + target, "sh"));
        }
        words.addAll(command);
        var builder = new ProcessBuilder(words);
        if (!inherit) {
            builder.environment().clear();
        }
        builder.environment().putAll(environment);
        if (cwd != null) {
            builder.directory(cwd.toFile());
        }
        return builder;
    }
}
