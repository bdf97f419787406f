package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A tool: what a client sees of it, and what it does.
 *
 * @param effect what a call may change
 * @param outputSchema the schema of the structured part of its answers; null if they have none
 */
record ReplTool(
        String name,
        String title,
        String description,
        Effect effect,
        List<ToolParameter> parameters,
        @Nullable Json outputSchema,
        Action action) {
    /** What the calls of a tool may change. */
    enum Effect {
        /** Nothing. */
        READ_ONLY,
        /** The session, and doing it twice is doing it once. */
        CHANGES_SESSION,
        /** As that, with what may come from elsewhere. */
        DOWNLOADS,
        /** Anything that Java can change. */
        RUNS_CODE
    }

    /** What a tool does. */
    interface Action {
        ReplToolResult call(ToolArguments arguments, ProgressListener progress)
                throws ReplException, InterruptedException;
    }

    void write(JsonWriter target) {
        target.beginObject().member("name", name).member("title", title);
        target.member("description", description);
        target.member("inputSchema", ToolParameter.schema(parameters));
        if (outputSchema != null) {
            target.member("outputSchema", outputSchema);
        }
        target.name("annotations").beginObject();
        target.member("title", title);
        target.member("readOnlyHint", effect == Effect.READ_ONLY);
        target.member("destructiveHint", effect == Effect.RUNS_CODE);
        target.member("idempotentHint", effect != Effect.RUNS_CODE);
        target.member("openWorldHint", effect == Effect.RUNS_CODE || effect == Effect.DOWNLOADS);
        target.endObject().endObject();
    }
}
