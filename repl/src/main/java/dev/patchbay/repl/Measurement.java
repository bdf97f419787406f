package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** What the runs of a snippet took: time, and the bytes that its thread allocated in all runs. */
public record Measurement(
        int runs, long totalNanos, long minNanos, long medianNanos, long maxNanos, long bytes) {
    static Measurement from(Json json) {
        return new Measurement(
                (int) JsonFields.number(json, "runs"),
                JsonFields.number(json, "totalNanos"),
                JsonFields.number(json, "minNanos"),
                JsonFields.number(json, "medianNanos"),
                JsonFields.number(json, "maxNanos"),
                JsonFields.number(json, "bytes"));
    }

    long bytesPerRun() {
        return bytes / runs;
    }

    void write(JsonWriter target) {
        target.beginObject().member("runs", runs);
        target.member("totalNanos", totalNanos).member("minNanos", minNanos);
        target.member("medianNanos", medianNanos).member("maxNanos", maxNanos);
        target.member("allocatedBytes", bytes).member("allocatedBytesPerRun", bytesPerRun());
        target.endObject();
    }
}
