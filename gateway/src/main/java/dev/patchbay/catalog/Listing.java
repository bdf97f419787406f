package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

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
}
