package dev.patchbay.gateway;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.Listing;
import dev.patchbay.server.ServerId;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The servers that a view shows. What a client does reaches servers through this class only, so
 * that it cannot reach others. To a client, a server outside its view does not exist.
 */
final class VisibleServers {
    private final ServerRegistry registry;
    private final Supplier<CatalogView> view;

    /** Creates the servers of a view, which may change. */
    VisibleServers(ServerRegistry registry, Supplier<CatalogView> view) {
        this.registry = registry;
        this.view = view;
    }

    /** All servers, as clients without a view see them. */
    static VisibleServers all(ServerRegistry registry) {
        return new VisibleServers(registry, () -> CatalogView.WHOLE);
    }

    boolean contains(ServerId id) {
        return view.get().shows(id);
    }

    Collection<ServerEntry> all() {
        CatalogView now = view.get();
        return now.isWhole()
                ? registry.all()
                : registry.all().stream().filter(it -> now.shows(it.id())).toList();
    }

    Optional<ServerEntry> find(ServerId id) {
        return contains(id) ? registry.find(id) : Optional.empty();
    }

    /** The server with this id, if the text is a valid id. */
    Optional<ServerEntry> find(String id) {
        return ServerId.isValid(id) ? find(new ServerId(id)) : Optional.empty();
    }

    /** The part of a server's lists that the view shows. */
    Listing restrict(Listing listing) {
        return view.get().restrict(listing);
    }

    /** The reports of all servers, in the order of ids. */
    List<ServerReport> reports() {
        return all().stream().map(it -> it.report(this::restrict)).toList();
    }
}
