package dev.patchbay.catalog;

import dev.patchbay.schema.Compilation;
import dev.patchbay.server.ServerId;

import java.util.ArrayList;
import java.util.List;

/**
 * What one server offers, fit to be shown to clients: what they would choke on is repaired or
 * withheld. Immutable; the order is the server's own.
 */
public record Listing(
        ServerId server,
        List<Tool> tools,
        List<Prompt> prompts,
        List<Resource> resources,
        List<ResourceTemplate> templates,
        List<Withheld> withheld) {

    public static Listing empty(ServerId server) {
        return of(server, Lists.NONE);
    }

    /** What of a server's lists clients get to see. */
    public static Listing of(ServerId server, Lists lists) {
        return new Vetting(server).vet(lists);
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
                                        "Its inputSchema cannot be used: " + reason));
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
                        List.copyOf(hidden));
    }
}
