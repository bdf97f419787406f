package dev.patchbay.catalog;

import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What all servers offer at one moment, under the names that clients use. Immutable. The order is
 * that of the server ids, and within a server its own.
 */
public final class Catalog {
    /** The id of the gateway itself, which no server may have. */
    public static final ServerId GATEWAY_ID = new ServerId("patchbay");

    public static final Catalog EMPTY = of(List.of());

    private final Map<ServerId, Freshness> freshnessByServer = new TreeMap<>();
    private final NameIndex<Tool> tools;
    private final NameIndex<Prompt> prompts;
    private final ResourceIndex resources;
    private final List<Listing> listings;
    private final List<ServerOffering> offers;

    private Catalog(List<ServerOffering> offers, Map<FullName, String> renamed) {
        this.offers = offers;
        for (ServerOffering offer : offers) {
            freshnessByServer.put(offer.server(), offer.freshness());
        }
        listings =
                offers.stream()
                        .filter(offer -> offer.freshness() != Freshness.DISABLED)
                        .map(ServerOffering::listing)
                        .toList();
        tools =
                new NameIndex<>(
                        "tools",
                        concatenate(listings, Listing::tools),
                        concatenate(listings, Listing::filtered),
                        freshnessByServer,
                        renamed);
        prompts =
                new NameIndex<>(
                        "prompts",
                        concatenate(listings, Listing::prompts),
                        List.of(),
                        freshnessByServer,
                        Map.of());
        resources = new ResourceIndex(listings);
    }

    /** The catalogue of all registered servers, those without a list too. */
    public static Catalog of(Collection<ServerOffering> offers) {
        return new Catalog(
                offers.stream().sorted((a, b) -> a.server().compareTo(b.server())).toList(),
                Map.of());
    }

    /** The part of this catalog that a view shows. The other servers and tools are not in it. */
    public Catalog restrictedTo(CatalogView view) {
        return view.isWhole()
                ? this
                : new Catalog(
                        offers.stream()
                                .filter(it -> view.shows(it.server()))
                                .map(
                                        it ->
                                                new ServerOffering(
                                                        view.restrict(it.listing()),
                                                        it.freshness()))
                                .toList(),
                        view.renamed());
    }

    private static <T> List<T> concatenate(
            List<Listing> listings, Function<Listing, List<T>> part) {
        var joined = new ArrayList<T>();
        listings.forEach(listing -> joined.addAll(part.apply(listing)));
        return joined;
    }

    public List<Tool> tools() {
        return tools.entries();
    }

    public List<Prompt> prompts() {
        return prompts.entries();
    }

    /** The tool of a full name, an advertised name of any style, or a bare name that is unique. */
    public LookupResult<Tool> findTool(String name) {
        return tools.lookup(name);
    }

    /** The prompt of such a name. */
    public LookupResult<Prompt> findPrompt(String name) {
        return prompts.lookup(name);
    }

    /** How far a server's list can be trusted; empty if it is not registered. */
    public Optional<Freshness> freshness(ServerId server) {
        return Optional.ofNullable(freshnessByServer.get(server));
    }

    public String advertisedName(Tool tool, NameStyle style) {
        return tools.advertisedName(tool, style);
    }

    /** The new name of a tool that this view renames; else its full name. */
    public String displayName(Tool tool) {
        return tools.displayName(tool);
    }

    /** The definitions of all tools, as a client of that style and era sees them. */
    public List<Json> advertisedTools(NameStyle style, Era era) {
        return tools.advertisedDefinitions(style, era);
    }

    /** The same as the result of {@code tools/list}, kept ready to send. */
    public Json toolsResult(NameStyle style, Era era) {
        return tools.listResult(style, era);
    }

    public List<Json> advertisedPrompts(NameStyle style) {
        return prompts.advertisedDefinitions(style, Era.LEGACY);
    }

    public Json promptsResult(NameStyle style) {
        return prompts.listResult(style, Era.LEGACY);
    }

    public List<Json> advertisedResources() {
        return resources.resources();
    }

    public Json resourcesResult() {
        return resources.resourcesResult();
    }

    public List<Json> advertisedTemplates() {
        return resources.templates();
    }

    public Json templatesResult() {
        return resources.templatesResult();
    }

    /** Whether a URI names this server, whatever it offers. */
    public static boolean isQualifiedWith(ServerId server, String uri) {
        return ResourceIndex.isQualifiedWith(server, uri);
    }

    /** Finds the server of a resource by a URI that a client sent. */
    public ResourceLookup routeResource(String uri) {
        return resources.route(uri);
    }

    /** Finds the server of a resource template, as a completion request names it. */
    public ResourceLookup routeTemplate(String uriTemplate) {
        return resources.routeTemplate(uriTemplate);
    }

    /** What the servers tell whoever uses them; empty if nothing. */
    public String instructions() {
        return MergedInstructions.merge(listings);
    }

    /** Whether clients see the same tools, under the same names, as in another catalogue. */
    public boolean hasSameTools(Catalog other) {
        return tools.hasSameRenaming(other.tools)
                && haveSameDefinitions(tools.entries(), other.tools.entries());
    }

    public boolean hasSamePrompts(Catalog other) {
        return haveSameDefinitions(prompts.entries(), other.prompts.entries());
    }

    public boolean hasSameResources(Catalog other) {
        return resources.resources().equals(other.resources.resources())
                && resources.templates().equals(other.resources.templates());
    }

    private static <T extends NamedEntry> boolean haveSameDefinitions(
            List<T> some, List<T> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).name().equals(others.get(i).name())
                    || !some.get(i).definition().equals(others.get(i).definition())) {
                return false;
            }
        }
        return true;
    }
}
