package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

/** What one registered server adds to the catalogue: its lists, and how far they can be trusted. */
public record ServerOffering(Listing listing, Freshness freshness) {
    /** How a server's list stands to what the server has now. */
    public enum Freshness {
        /** It was got over the present connection. */
        CURRENT,
        /** It is from before: the server is away, or its last answer could not be used. */
        STALE,
        /** There is none yet. */
        UNKNOWN,
        /** The server is switched off; nothing of it is offered. */
        DISABLED
    }

    public ServerId server() {
        return listing.server();
    }
}
