package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.schema.Compilation.Compiled;
import dev.patchbay.schema.Compilation.Unusable;
import dev.patchbay.schema.Verdict.Invalid;
import dev.patchbay.schema.Verdict.Undecided;
import dev.patchbay.schema.Verdict.Valid;

import java.util.List;

/** Short ways to compile and check in tests. */
final class Schemas {
    private Schemas() {}

    static InputSchema compiled(String schema) {
        return switch (InputSchema.compile(Json.of(schema))) {
            case Compiled(InputSchema compiled) -> compiled;
            case Unusable(String reason) -> throw new AssertionError(schema + ": " + reason);
        };
    }

    /** Why a schema cannot be used; empty if it can. */
    static String fault(String schema) {
        return switch (InputSchema.compile(Json.of(schema))) {
            case Compiled(InputSchema compiled) -> "";
            case Unusable(String reason) -> reason;
        };
    }

    /** The violations as lines; nothing if the arguments are valid. */
    static List<String> check(String schema, String arguments) {
        return switch (compiled(schema).check(Json.of(arguments))) {
            case Valid() -> List.of();
            case Invalid(List<Violation> violations, int omitted) ->
                    violations.stream().map(Violation::text).toList();
            case Undecided(String reason) -> List.of("undecided: " + reason);
        };
    }
}
