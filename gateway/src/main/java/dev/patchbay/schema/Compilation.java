package dev.patchbay.schema;

/** What compiling a schema came to. */
public sealed interface Compilation {
    /** The schema can be used. */
    record Compiled(InputSchema schema) implements Compilation {}

    /** The schema cannot be used, and neither can its tool; the reason is for people. */
    record Unusable(String reason) implements Compilation {}
}
