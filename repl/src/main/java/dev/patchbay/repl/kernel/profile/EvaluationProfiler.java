package dev.patchbay.repl.kernel.profile;

import dev.patchbay.json.JsonWriter;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A recording of what runs between its start and its end, by JDK Flight Recorder. */
public final class EvaluationProfiler implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final Duration BLOCKED_MIN = Duration.ofMillis(1);
    private static final int METHODS_MAX = 50;
    private static final int ROWS_MAX = 2_000;
    private static final double SHARE_MIN = 0.002;
    private static final int CLASSES_MAX = 30;
    private static final long EVENTS_MAX = 2_000_000;

    private static final List<String> BLOCKING =
            List.of(
                    "jdk.ThreadSleep",
                    "jdk.ThreadPark",
                    "jdk.JavaMonitorWait",
                    "jdk.JavaMonitorEnter",
                    "jdk.SocketRead",
                    "jdk.SocketWrite",
                    "jdk.FileRead",
                    "jdk.FileWrite");

    /** The threads of the session itself. */
    private static final Set<String> OWN_THREADS = Set.of("session", "wire", "main");

    /** What stacks are weighed by. */
    public enum Weight {
        /** Samples of threads that run. */
        CPU("samples"),
        /** Milliseconds of the thread that evaluates, running or waiting. */
        WALL("ms"),
        /** Allocated bytes. */
        ALLOCATION("bytes");

        private final String unit;

        Weight(String unit) {
            this.unit = unit;
        }
    }

    private final Weight weight;
    private final Recording recording = new Recording();
    private final CallTree tree = new CallTree();
    private final Map<String, Long> bytesByClass = new HashMap<>();
    private final long start;
    private long collections;
    private long collectionNanos;
    private long events;

    private EvaluationProfiler(Weight weight) {
        this.weight = weight;
        recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
        recording.enable("jdk.GarbageCollection");
        if (weight == Weight.ALLOCATION) {
            recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
        }
        if (weight == Weight.WALL) {
            BLOCKING.forEach(
                    it -> recording.enable(it).withStackTrace().withThreshold(BLOCKED_MIN));
        }
        recording.start();
        start = System.nanoTime();
    }

    public static EvaluationProfiler start(Weight weight) {
        FlightRecorderSetup.apply();
        return new EvaluationProfiler(weight);
    }

    /** Ends the recording and writes what it shows as an object. */
    public void writeResult(JsonWriter target) throws IOException {
        long wallNanos = System.nanoTime() - start;
        recording.stop();
        Path file = Files.createTempFile("patchbay-profile", ".jfr");
        try {
            recording.dump(file);
            read(file);
        } finally {
            Files.deleteIfExists(file);
        }
        target.beginObject();
        target.member("unit", weight.unit).member("total", tree.total());
        target.member("wallMillis", wallNanos / 1_000_000);
        target.member("collections", collections);
        target.member("collectionMillis", collectionNanos / 1_000_000);
        target.name("methods").beginArray();
        for (CallTree.MethodTotal method : tree.flat(METHODS_MAX)) {
            target.beginObject().member("method", method.method());
            target.member("self", method.self()).member("total", method.total()).endObject();
        }
        target.endArray().name("tree").beginArray();
        for (CallTree.Row row : tree.rows(SHARE_MIN, ROWS_MAX)) {
            target.beginObject().member("depth", row.depth()).member("method", row.method());
            target.member("self", row.self()).member("total", row.total()).endObject();
        }
        target.endArray();
        writeClasses(target);
        target.endObject();
    }

    private void writeClasses(JsonWriter target) {
        if (weight != Weight.ALLOCATION) {
            return;
        }
        target.name("classes").beginArray();
        bytesByClass.entrySet().stream()
                .sorted(Comparator.comparingLong(it -> -it.getValue()))
                .limit(CLASSES_MAX)
                .forEach(
                        it ->
                                target.beginObject()
                                        .member("class", it.getKey())
                                        .member("bytes", it.getValue())
                                        .endObject());
        target.endArray();
    }

    private void read(Path file) throws IOException {
        try (var events = new RecordingFile(file)) {
            while (events.hasMoreEvents() && this.events++ < EVENTS_MAX) {
                accept(events.readEvent());
            }
        }
    }

    private void accept(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.GarbageCollection" -> {
                collections++;
                collectionNanos += event.getDuration().toNanos();
            }
            case "jdk.ExecutionSample" -> acceptSample(event);
            case "jdk.ObjectAllocationSample" -> {
                if (!isOwn(event.getThread())) {
                    acceptAllocation(event);
                }
            }
            default -> {
                if (isEvaluation(event.getThread())) {
                    add(event, event.getDuration().toMillis());
                }
            }
        }
    }

    private void acceptSample(RecordedEvent event) {
        RecordedThread thread = event.getThread("sampledThread");
        if (weight == Weight.CPU && !isOwn(thread)) {
            add(event, 1);
        } else if (weight == Weight.WALL && isEvaluation(thread)) {
            add(event, PERIOD.toMillis());
        }
    }

    private void acceptAllocation(RecordedEvent event) {
        long bytes = event.getLong("weight");
        RecordedClass type = event.getClass("objectClass");
        if (type != null) {
            bytesByClass.merge(ClassNames.readable(type.getName()), bytes, Long::sum);
        }
        add(event, bytes);
    }

    private void add(RecordedEvent event, long amount) {
        List<String> stack = StackFormatter.methods(event.getStackTrace());
        if (!stack.isEmpty()) {
            tree.add(stack, amount);
        }
    }

    private static boolean isOwn(@Nullable RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        return name == null || OWN_THREADS.contains(name) || name.startsWith("JFR ");
    }

    private static boolean isEvaluation(@Nullable RecordedThread thread) {
        return thread != null && "snippet".equals(thread.getJavaName());
    }

    @Override
    public void close() {
        recording.close();
    }
}
