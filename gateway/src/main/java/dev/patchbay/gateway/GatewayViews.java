package dev.patchbay.gateway;

import dev.patchbay.catalog.CatalogView;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * The views of a gateway by name. A view keeps its object when it is defined anew, so that its
 * clients follow the definition. One that is not defined any more shows nothing.
 */
final class GatewayViews {
    /** Of those that are not defined any more, so many are kept in case they are defined again. */
    private static final int KEPT_MAX = 1_000;

    private final GatewayView.Shared shared;
    private final GatewayView whole;
    private final ConcurrentMap<String, GatewayView> byName = new ConcurrentHashMap<>();
    private volatile Set<String> definedNames = Set.of();

    GatewayViews(GatewayView.Shared shared) {
        this.shared = shared;
        this.whole = new GatewayView(shared, CatalogView.WHOLE);
    }

    /** Everything. */
    GatewayView whole() {
        return whole;
    }

    Optional<GatewayView> find(String name) {
        return definedNames.contains(name)
                ? Optional.ofNullable(byName.get(name))
                : Optional.empty();
    }

    /** Replaces all definitions. */
    synchronized void define(Collection<CatalogView> definitions) {
        Set<String> names =
                definitions.stream().map(CatalogView::name).collect(Collectors.toUnmodifiableSet());
        byName.forEach(
                (name, view) -> {
                    if (!names.contains(name)) {
                        view.redefine(CatalogView.empty(name));
                    }
                });
        if (byName.size() > KEPT_MAX) {
            byName.keySet().retainAll(names);
        }
        for (CatalogView it : definitions) {
            byName.computeIfAbsent(it.name(), _ -> new GatewayView(shared, it)).redefine(it);
        }
        definedNames = names;
    }

    /**
     * Announces the lists that have changed, and to clients without a view also those that servers
     * have announced. In a view, what has changed may be something that the view does not show.
     */
    void announceChanges(Set<String> announcedByServers) {
        whole.announceChanges(announcedByServers);
        byName.values().forEach(view -> view.announceChanges(Set.of()));
    }
}
