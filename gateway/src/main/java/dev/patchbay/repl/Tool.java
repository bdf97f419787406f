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
record Tool(
        String name,
        String title,
        String description,
        Effect effect,
        List<Parameter> parameters,
        @Nullable Json outputSchema,
        Action action) {
    /** What the calls of a tool may change. */
    enum Effect {
        /** Nothing. */
        READS,
        /** The session, and doing it twice is doing it once. */
        SETS,
        /** As that, with what may come from elsewhere. */
        FETCHES,
        /** Anything that Java can change. */
        RUNS
    }

    /** What a tool does. */
    interface Action {
        ToolAnswer call(Arguments arguments, Progress progress)
                throws SessionException, InterruptedException;
    }

    void write(JsonWriter target) {
        target.beginObject().member("name", name).member("title", title);
        target.member("description", description);
        target.member("inputSchema", Parameter.schema(parameters));
        if (outputSchema != null) {
            target.member("outputSchema", outputSchema);
        }
        target.name("annotations").beginObject();
        target.member("title", title);
        target.member("readOnlyHint", effect == Effect.READS);
        target.member("destructiveHint", effect == Effect.RUNS);
        target.member("idempotentHint", effect != Effect.RUNS);
        target.member("openWorldHint", effect == Effect.RUNS || effect == Effect.FETCHES);
        target.endObject().endObject();
    }
}
