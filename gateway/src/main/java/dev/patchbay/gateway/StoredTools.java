package dev.patchbay.gateway;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.Tool;
import dev.patchbay.server.ServerSpec;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/** The tools that servers had when they last sent their lists. No server is asked. */
public final class StoredTools {
    private final ListingStore store;

    /**
     * @param stateDir the state folder of the gateway; null if it has none
     */
    public StoredTools(@Nullable Path stateDir) {
        this.store = new ListingStore(stateDir);
    }

    /** The tools of a server that clients see; empty if none are known. */
    public List<Tool> of(ServerSpec spec) {
        Listing listing = store.load(spec).listing();
        return listing == null ? List.of() : listing.filtered(spec.options().tools()).tools();
    }
}
