package dev.patchbay.repl.kernel.profile;

import dev.patchbay.json.JsonWriter;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts and times the calls of named methods, by the event {@code jdk.MethodTiming}. */
public final class MethodTimer implements AutoCloseable {
    private static final int METHODS_MAX = 500;

    /** The calls of one method. */
    private record Timing(long calls, long totalNanos, long minNanos, long maxNanos) {
        Timing plus(Timing other) {
            return new Timing(
                    calls + other.calls,
                    totalNanos + other.totalNanos,
                    Math.min(minNanos, other.minNanos),
                    Math.max(maxNanos, other.maxNanos));
        }
    }

    private final Recording recording = new Recording();
    private final List<String> filters;

    private MethodTimer(List<String> filters) {
        this.filters = List.copyOf(filters);
        recording
                .enable("jdk.MethodTiming")
                .with("filter", String.join(";", filters))
                .with("period", "endChunk");
        recording.start();
    }

    /** Starts to time the methods of filters such as {@code java.util.List::add}. */
    public static MethodTimer start(List<String> filters) {
        FlightRecorderSetup.apply();
        return new MethodTimer(filters);
    }

    public List<String> filters() {
        return filters;
    }

    /** Ends the timing and writes the methods as an array, those that took most time first. */
    public void writeResult(JsonWriter target) throws IOException {
        recording.stop();
        Path file = Files.createTempFile("patchbay-times", ".jfr");
        var timings = new LinkedHashMap<String, Timing>();
        try {
            recording.dump(file);
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                if (event.getEventType().getName().equals("jdk.MethodTiming")) {
                    add(event, timings);
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        var sorted = new ArrayList<>(timings.entrySet());
        sorted.sort(Comparator.comparingLong(it -> -it.getValue().totalNanos()));
        target.beginArray();
        sorted.stream().limit(METHODS_MAX).forEach(it -> write(it, target));
        target.endArray();
    }

    private static void add(RecordedEvent event, Map<String, Timing> timings) {
        var method = event.<jdk.jfr.consumer.RecordedMethod>getValue("method");
        long calls = event.getLong("invocations");
        if (method == null || calls == 0) {
            return;
        }
        var timing =
                new Timing(
                        calls,
                        calls * event.getDuration("average").toNanos(),
                        event.getDuration("minimum").toNanos(),
                        event.getDuration("maximum").toNanos());
        timings.merge(StackFormatter.name(method), timing, Timing::plus);
    }

    private static void write(Map.Entry<String, Timing> one, JsonWriter target) {
        Timing timing = one.getValue();
        target.beginObject().member("method", one.getKey()).member("calls", timing.calls());
        target.member("totalNanos", timing.totalNanos());
        target.member("averageNanos", timing.totalNanos() / timing.calls());
        target.member("minNanos", timing.minNanos()).member("maxNanos", timing.maxNanos());
        target.endObject();
    }

    @Override
    public void close() {
        recording.close();
    }
}
