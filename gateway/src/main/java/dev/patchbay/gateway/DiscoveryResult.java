package dev.patchbay.gateway;

import dev.patchbay.catalog.Resource;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerFailure;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** The result of a discovery: tools and resources, and a row for each server. */
public record DiscoveryResult(
        List<ToolReport> tools,
        List<Resource> resources,
        List<ServerResult> serverResults,
        long totalDurationMs,
        Instant discoveredAt) {

    public DiscoveryResult {
        tools = List.copyOf(tools);
        resources = List.copyOf(resources);
        serverResults = List.copyOf(serverResults);
    }

    /** The result for a server. */
    public enum DiscoveryStatus {
        SUCCESS("success"),
        ERROR("error"),
        SKIPPED("skipped");

        private final String text;

        DiscoveryStatus(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** The row of one server. */
    public record ServerResult(
            String serverId,
            DiscoveryStatus status,
            int toolCount,
            int resourceCount,
            @Nullable ServerFailure error,
            long durationMs) {}

    /** The form that {@code patchbay discover --json} prints. */
    public Json toJson() {
        var writer = new JsonWriter(1024).beginObject().name("tools").beginArray();
        tools.forEach(it -> writer.value(it.toJson()));
        writer.endArray().name("resources").beginArray();
        resources.forEach(it -> writer.value(json(it)));
        writer.endArray().name("serverResults").beginArray();
        serverResults.forEach(it -> writer.value(json(it)));
        return writer.endArray()
                .member("totalDurationMs", totalDurationMs)
                .member("discoveredAt", discoveredAt.toString())
                .endObject()
                .toJson();
    }

    private static Json json(Resource resource) {
        return new JsonWriter()
                .beginObject()
                .member("uri", resource.uri())
                .member("serverId", resource.server().value())
                .member("definition", resource.definition())
                .endObject()
                .toJson();
    }

    private static Json json(ServerResult row) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("serverId", row.serverId())
                        .member("status", row.status().text())
                        .member("toolCount", row.toolCount())
                        .member("resourceCount", row.resourceCount());
        if (row.error() != null) {
            writer.member("error", ServerReport.describe(row.error()));
        }
        return writer.member("durationMs", row.durationMs()).endObject().toJson();
    }
}
