package dev.patchbay.gateway;

import dev.patchbay.catalog.WithheldEntry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ScopeRule;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.StrayOutput;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What is true of a server, and of what it offers, at one moment.
 *
 * @param enabled whether it may be connected
 * @param counts how much of it clients see
 * @param stale whether the counts are of a list from before, which the server may not have now
 * @param lastError why it is not connected, or why it could not be asked for its lists
 * @param lastDiscoveredAt when the server last told its lists
 * @param withheld what it offers that clients do not see, and why
 * @param filtered the tools it offers that the configuration keeps from clients
 * @param strayOutput what it wrote where only messages belong
 * @param nextAttemptAt when it is tried again in the background
 * @param activity what it does while it starts, or why it was stopped; empty if nothing is known
 * @param scope who shares a connection, and why
 * @param connections how many connections are open; over stdio, processes
 */
public record ServerReport(
        ServerSpec spec,
        ServerState state,
        boolean enabled,
        Counts counts,
        boolean stale,
        @Nullable ServerFailure lastError,
        @Nullable Instant lastDiscoveredAt,
        List<WithheldEntry> withheld,
        List<String> filtered,
        StrayOutput strayOutput,
        @Nullable Instant nextAttemptAt,
        String activity,
        ScopeRule scope,
        int connections) {

    /** The number of tools, resources and prompts. */
    public record Counts(int tools, int resources, int prompts) {}

    /** Whether a server cannot be used. One that works may have a last error, too. */
    public boolean hasFailed() {
        boolean isUsable = state.status() == ServerState.Status.CONNECTED && !stale;
        return enabled && !isUsable && lastError != null;
    }

    /** The form that {@code patchbay servers --json} prints. */
    public Json toJson() {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("serverId", spec.id().value())
                        .member("status", state.status().text())
                        .member("enabled", enabled)
                        .member("transport", spec.transport().typeName());
        if (spec.transport() instanceof ServerSpec.Transport.Stdio stdio) {
            writer.member("sandbox", stdio.sandbox().levelName());
        }
        addLabels(writer, spec.options().labels());
        HandshakeResult link = state.handshake();
        if (link != null) {
            String era = link.version().era().name().toLowerCase(Locale.ROOT);
            writer.member("era", era);
        }
        addScope(writer);
        writer.member("toolCount", counts.tools())
                .member("resourceCount", counts.resources())
                .member("promptCount", counts.prompts());
        if (stale) {
            writer.member("stale", true);
        }
        if (lastError != null) {
            writer.member("lastError", describe(lastError));
        }
        if (!activity.isEmpty()) {
            writer.member("activity", activity);
        }
        member(writer, "nextAttemptAt", nextAttemptAt);
        member(writer, "lastConnectedAt", state.lastConnectedAt());
        member(writer, "lastDiscoveredAt", lastDiscoveredAt);
        writer.member("attempts", state.attempts());
        addHidden(writer);
        return writer.endObject().toJson();
    }

    private void addScope(JsonWriter writer) {
        writer.member("scope", scope.scope().name().toLowerCase(Locale.ROOT))
                .member("scopeReason", scope.reason());
        if (spec.transport() instanceof ServerSpec.Transport.Stdio) {
            writer.member("processes", connections);
        }
    }

    private void addHidden(JsonWriter writer) {
        if (!withheld.isEmpty()) {
            writer.name("withheld").beginArray();
            withheld.forEach(it -> writer.value(json(it)));
            writer.endArray();
        }
        if (!filtered.isEmpty()) {
            writer.name("filtered").beginArray();
            filtered.forEach(writer::string);
            writer.endArray();
        }
    }

    private static void addLabels(JsonWriter writer, ServerSpec.Labels words) {
        if (!words.description().isEmpty()) {
            writer.member("description", words.description());
        }
        if (!words.tags().isEmpty()) {
            writer.name("tags").beginArray();
            words.tags().forEach(writer::string);
            writer.endArray();
        }
    }

    /** A failure as text, its reason first. */
    static String describe(ServerFailure failure) {
        return failure.reason() + ": " + failure.message();
    }

    private static Json json(WithheldEntry withheld) {
        return new JsonWriter()
                .beginObject()
                .member("kind", withheld.kind())
                .member("name", withheld.name())
                .member("reason", withheld.reason())
                .endObject()
                .toJson();
    }

    private static void member(JsonWriter writer, String name, @Nullable Instant time) {
        if (time != null) {
            writer.member(name, time.toString());
        }
    }
}
