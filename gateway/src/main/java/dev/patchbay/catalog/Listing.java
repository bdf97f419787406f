package dev.patchbay.catalog;

import static java.util.stream.Collectors.partitioningBy;

import dev.patchbay.schema.Compilation;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        List<Withheld> withheld,
        List<Tool> filtered,
        String instructions) {

    public static Listing empty(ServerId server) {
        return of(server, Lists.NONE);
    }

    /** What of a server's lists clients get to see. */
    public static Listing of(ServerId server, Lists lists) {
        return of(server, lists, Integer.MAX_VALUE);
    }

    /** The same where of each list only so many entries are shown. */
    public static Listing of(ServerId server, Lists lists, int entriesMax) {
        return new Vetting(server, entriesMax).vet(lists);
    }

    /**
     * The same with every schema compiled, and without the tools whose schemas cannot be used. What
     * was compiled once need not be again.
     */
    public Listing compiled() {
        var usable = new ArrayList<Tool>();
        var hidden = new ArrayList<>(withheld);
        for (Tool tool : tools) {
            switch (tool.schema()) {
                case Compilation.Compiled _ -> usable.add(tool);
                case Compilation.Unusable(String reason) ->
                        hidden.add(
                                new Withheld(
                                        "tool",
                                        tool.name().name(),
                                        "Its inputSchema cannot be used: " + reason,
                                        Withheld.Fault.SCHEMA));
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
    public Listing saying(@Nullable String text) {
        String said = text == null ? "" : Instructions.cut(text);
        return new Listing(server, tools, prompts, resources, templates, withheld, filtered, said);
    }

    /** The same without the tools that a filter keeps back; of those it tells no faults either. */
    public Listing filtered(ToolFilter filter) {
        if (filter.isNone()) {
            return this;
        }
        Map<Boolean, List<Tool>> parts =
                tools.stream().collect(partitioningBy(it -> filter.admits(it.name().name())));
        List<Withheld> faults =
                withheld.stream()
                        .filter(it -> !it.kind().equals("tool") || filter.admits(it.name()))
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
}
