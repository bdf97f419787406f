package dev.patchbay.dashboard;

import dev.patchbay.json.JsonWriter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** The calls of each server in the last minutes, in steps of equal length. */
final class CallRateHistory {
    static final Duration STEP = Duration.ofSeconds(5);
    static final int STEPS_MAX = 120;

    private final Map<String, ServerHistory> byServer = new TreeMap<>();

    /** The steps of one server, the oldest first. */
    private static final class ServerHistory {
        private final ArrayDeque<ServerMeter.Snapshot> steps = new ArrayDeque<>();
        private ServerMeter.Snapshot last = ServerMeter.Snapshot.ZERO;

        ServerMeter.Snapshot add(ServerMeter.Snapshot now) {
            ServerMeter.Snapshot step = now.minus(last);
            last = now;
            steps.add(step);
            if (steps.size() > STEPS_MAX) {
                steps.remove();
            }
            return step;
        }
    }

    /** Adds a step. Removes servers that are not in the map. */
    synchronized void addStep(Map<String, ServerMeter.Snapshot> readings) {
        byServer.keySet().retainAll(readings.keySet());
        readings.forEach(
                (server, reading) ->
                        byServer.computeIfAbsent(server, _ -> new ServerHistory()).add(reading));
    }

    /** Writes the last steps of a server as parallel arrays. */
    synchronized void write(JsonWriter writer, String server, int stepsMax) {
        ServerHistory track = byServer.get(server);
        var steps =
                track == null
                        ? new ArrayDeque<ServerMeter.Snapshot>()
                        : track.steps.stream()
                                .skip(Math.max(0, track.steps.size() - stepsMax))
                                .toList();
        writer.beginObject().name("calls").beginArray();
        steps.forEach(step -> writer.number(step.calls()));
        writer.endArray().name("errors").beginArray();
        steps.forEach(step -> writer.number(step.errors()));
        writer.endArray().name("latencyMicros").beginArray();
        for (ServerMeter.Snapshot step : steps) {
            Long mean = step.meanMicros();
            writer.number(mean == null ? -1 : mean);
        }
        writer.endArray().endObject();
    }
}
