package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.TaskSupport;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.InputSchema;

import org.jspecify.annotations.Nullable;

/** A tool that a server offers. */
public final class Tool implements NamedEntry {
    private final FullName name;
    private final Json definition;
    private final Json inputSchema;
    private final TaskSupport taskSupport;
    private volatile @Nullable CompilationResult compilation;

    Tool(FullName name, Json definition, Json inputSchema) {
        this.name = name;
        this.definition = definition;
        this.inputSchema = inputSchema;
        this.taskSupport = TaskSupport.fromDefinition(definition);
    }

    @Override
    public FullName name() {
        return name;
    }

    @Override
    public Json definition() {
        return definition;
    }

    /**
     * Legacy clients drop the whole list for an output schema that is not of an object. Modern ones
     * do not know what a definition says of tasks.
     */
    @Override
    public Json definitionFor(Era era) {
        if (era == Era.MODERN) {
            return MemberPatch.without(definition, "execution");
        }
        Json output = definition.member("outputSchema");
        Json type = output == null ? null : output.member("type");
        return output == null || (type != null && type.isText("object"))
                ? definition
                : MemberPatch.without(definition, "outputSchema");
    }

    /** Whether its server runs it as a task of the legacy era. */
    public TaskSupport taskSupport() {
        return taskSupport;
    }

    /** What the tool is for; empty if the server does not say. */
    public String description() {
        String text = definition.memberText("description");
        return text == null ? "" : text;
    }

    public Json inputSchema() {
        return inputSchema;
    }

    /** The schema ready for use, or why it cannot be used; compiled when first wanted. */
    public CompilationResult schema() {
        CompilationResult known = compilation;
        if (known == null) {
            known = InputSchema.compile(inputSchema);
            compilation = known;
        }
        return known;
    }

    /** Whether {@link #schema} costs nothing any more. */
    public boolean isCompiled() {
        return compilation != null;
    }

    @Override
    public String toString() {
        return name.text();
    }
}
