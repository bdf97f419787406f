package dev.patchbay.schema;

/** What compiling a schema came to. */
public sealed interface CompilationResult {
    /** The schema can be used. */
    record Compiled(InputSchema schema) implements CompilationResult {}

    /** The schema cannot be used, and neither can its tool; the reason is for people. */
    record Unusable(String reason) implements CompilationResult {}
}
