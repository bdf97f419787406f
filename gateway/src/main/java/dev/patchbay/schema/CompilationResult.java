package dev.patchbay.schema;

/** The result of compiling a schema. */
public sealed interface CompilationResult {
    /** The schema is usable. */
    record Compiled(InputSchema schema) implements CompilationResult {}

    /** The schema and its tool are not usable; the reason is for users. */
    record Unusable(String reason) implements CompilationResult {}
}
