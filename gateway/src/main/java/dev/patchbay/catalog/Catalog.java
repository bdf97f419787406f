package dev.patchbay.catalog;

import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
    public static final ServerId SELF = new ServerId("patchbay");

    public static final Catalog EMPTY = of(List.of());

    private final Map<ServerId, Standing> standings = new TreeMap<>();
    private final NameIndex<Tool> tools;
    private final NameIndex<Prompt> prompts;
    private final ResourceIndex resources;

    private Catalog(List<Offer> offers) {
        for (Offer offer : offers) {
            standings.put(offer.server(), offer.standing());
        }
        List<Listing> listings =
                offers.stream()
                        .filter(offer -> offer.standing() != Standing.DISABLED)
                        .map(Offer::listing)
                        .toList();
        tools = new NameIndex<>(joined(listings, Listing::tools), standings);
        prompts = new NameIndex<>(joined(listings, Listing::prompts), standings);
        resources = new ResourceIndex(listings);
    }

    /** The catalogue of all registered servers, those without a list too. */
    public static Catalog of(Collection<Offer> offers) {
        return new Catalog(offers.stream().sorted(Comparator.comparing(Offer::server)).toList());
    }

    private static <T> List<T> joined(List<Listing> listings, Function<Listing, List<T>> part) {
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
    public Lookup<Tool> tool(String name) {
        return tools.lookup(name);
    }

    /** The prompt of such a name. */
    public Lookup<Prompt> prompt(String name) {
        return prompts.lookup(name);
    }

    /** How far a server's list can be trusted; empty if it is not registered. */
    public Optional<Standing> standing(ServerId server) {
        return Optional.ofNullable(standings.get(server));
    }

    public String advertised(Tool tool, NameStyle style) {
        return tools.advertised(tool, style);
    }

    /** The definitions of all tools, as a client of that style and era sees them. */
    public List<Json> shownTools(NameStyle style, Era era) {
        return tools.shown(style, era);
    }

    /** The same as the array of a {@code tools/list} result. */
    public Json toolsArray(NameStyle style, Era era) {
        return tools.array(style, era);
    }

    /** The array that clients of either era can take. */
    public Json toolsArray(NameStyle style) {
        return tools.array(style, Era.LEGACY);
    }

    public List<Json> shownPrompts(NameStyle style) {
        return prompts.shown(style, Era.LEGACY);
    }

    public Json promptsArray(NameStyle style) {
        return prompts.array(style, Era.LEGACY);
    }

    public List<Json> shownResources() {
        return resources.resources();
    }

    public Json resourcesArray() {
        return resources.resourcesArray();
    }

    public List<Json> shownTemplates() {
        return resources.templates();
    }

    public Json templatesArray() {
        return resources.templatesArray();
    }

    /** Where the URI of a resource leads. */
    public Optional<ResourceRoute> resource(String uri) {
        return resources.route(uri);
    }

    /** Where the URI template of a completion leads. */
    public Optional<ResourceRoute> template(String uriTemplate) {
        return resources.templateRoute(uriTemplate);
    }

    /** The URI under which clients know a server's resource. */
    public String offeredUri(ServerId server, String uri) {
        return resources.offered(server, uri);
    }

    /** Whether clients see the same tools as in another catalogue. */
    public boolean sameTools(Catalog other) {
        return same(tools.entries(), other.tools.entries());
    }

    public boolean samePrompts(Catalog other) {
        return same(prompts.entries(), other.prompts.entries());
    }

    public boolean sameResources(Catalog other) {
        return resources.resources().equals(other.resources.resources())
                && resources.templates().equals(other.resources.templates());
    }

    private static <T extends Named> boolean same(List<T> some, List<T> others) {
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
