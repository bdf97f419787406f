package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** What the runs of a snippet took: time, and the bytes that its thread allocated in all runs. */
public record Cost(
        int runs, long totalNanos, long minNanos, long medianNanos, long maxNanos, long bytes) {
    static Cost from(Json json) {
        return new Cost(
                (int) Fields.number(json, "runs"),
                Fields.number(json, "totalNanos"),
                Fields.number(json, "minNanos"),
                Fields.number(json, "medianNanos"),
                Fields.number(json, "maxNanos"),
                Fields.number(json, "bytes"));
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
