package dev.patchbay.catalog;

import static java.util.stream.Collectors.partitioningBy;

import dev.patchbay.json.Json;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one server offers, fit to be shown to clients: what they would choke on is repaired or
 * withheld. Immutable; the order is the server's own.
 *
 * @param filtered the tools that the configuration keeps from clients
 * @param instructions what the server tells whoever uses it; empty if nothing
 */
public record Listing(
        ServerId server,
        List<Tool> tools,
        List<Prompt> prompts,
        List<Resource> resources,
        List<ResourceTemplate> templates,
        List<WithheldEntry> withheld,
        List<Tool> filtered,
        String instructions) {

    public static Listing empty(ServerId server) {
        return of(server, RawLists.EMPTY);
    }

    /** What of a server's lists clients get to see. */
    public static Listing of(ServerId server, RawLists lists) {
        return of(server, lists, Integer.MAX_VALUE);
    }

    /** The same where of each list only so many entries are shown. */
    public static Listing of(ServerId server, RawLists lists, int entriesMax) {
        return new ListingValidator(server, entriesMax).validate(lists);
    }

    /**
     * The same with every schema compiled, and without the tools whose schemas cannot be used. What
     * was compiled once need not be again.
     */
    public Listing withCompiledSchemas() {
        var usable = new ArrayList<Tool>();
        var hidden = new ArrayList<>(withheld);
        for (Tool tool : tools) {
            switch (tool.schema()) {
                case CompilationResult.Compiled _ -> usable.add(tool);
                case CompilationResult.Unusable(String reason) ->
                        hidden.add(
                                new WithheldEntry(
                                        "tool",
                                        tool.name().name(),
                                        "Its inputSchema cannot be used: " + reason,
                                        WithheldEntry.Fault.SCHEMA));
            }
        }
        return usable.size() == tools.size()
                ? this
                : new Listing(
                        server,
                        List.copyOf(usable),
                        prompts,
                        resources,
                        templates,
                        List.copyOf(hidden),
                        filtered,
                        instructions);
    }

    /** The same of a server that tells this to whoever uses it. */
    public Listing withInstructions(@Nullable String text) {
        String said = text == null ? "" : MergedInstructions.truncate(text);
        return new Listing(server, tools, prompts, resources, templates, withheld, filtered, said);
    }

    /** The same without the tools that a filter keeps back; of those it tells no faults either. */
    public Listing filtered(ToolFilter filter) {
        if (filter.allowsAll()) {
            return this;
        }
        Map<Boolean, List<Tool>> parts =
                tools.stream().collect(partitioningBy(it -> filter.allows(it.name().name())));
        List<WithheldEntry> faults =
                withheld.stream()
                        .filter(it -> !it.kind().equals("tool") || filter.allows(it.name()))
                        .toList();
        return new Listing(
                server,
                parts.getOrDefault(true, List.of()),
                prompts,
                resources,
                templates,
                faults,
                parts.getOrDefault(false, List.of()),
                instructions);
    }

    /** The size of all definitions. */
    public long bytes() {
        return definitions().mapToLong(Json::length).sum();
    }

    private Stream<Json> definitions() {
        return Stream.of(
                        tools.stream().map(Tool::definition),
                        prompts.stream().map(Prompt::definition),
                        resources.stream().map(Resource::definition),
                        templates.stream().map(ResourceTemplate::definition))
                .flatMap(it -> it);
    }

    /**
     * The first entries that have at most so many bytes together, tools before prompts, resources
     * and templates. The others are withheld.
     */
    public Listing limitedTo(long bytesMax) {
        if (bytes() <= bytesMax) {
            return this;
        }
        var limit = new SizeLimit(bytesMax);
        List<Tool> someTools = limit.first("tools", tools, Tool::definition);
        List<Prompt> somePrompts = limit.first("prompts", prompts, Prompt::definition);
        List<Resource> someResources = limit.first("resources", resources, Resource::definition);
        List<ResourceTemplate> someTemplates =
                limit.first("resource templates", templates, ResourceTemplate::definition);
        var hidden = new ArrayList<>(withheld);
        hidden.addAll(limit.withheld());
        return new Listing(
                server,
                someTools,
                somePrompts,
                someResources,
                someTemplates,
                List.copyOf(hidden),
                filtered,
                instructions);
    }
}
