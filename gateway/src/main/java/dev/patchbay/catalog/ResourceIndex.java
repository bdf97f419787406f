package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All resources and resource templates. A URI that one server offers is advertised unchanged. A URI
 * that several servers offer, and templates of several servers that overlap, are advertised as
 * {@code patchbay+serverId:uri} for all of them, so that no server receives requests meant for
 * another. The qualified form can be used for every resource at any time.
 */
final class ResourceIndex {
    private static final String QUALIFIER = "patchbay+";
    private static final int CANDIDATES_MAX = 10;

    /** The most work that the templates of one server can cause for one URI. */
    private static final long STEPS_MAX = 500_000;

    private final Map<ServerId, Listing> listingByServer = new LinkedHashMap<>();
    private final Map<String, List<ServerId>> serversByUri = new HashMap<>();
    private final Map<String, ResourceTemplate> templateByAdvertised = new HashMap<>();
    private final List<Json> resources = new ArrayList<>();
    private final List<Json> templates = new ArrayList<>();
    private volatile @Nullable Json resourcesResult;
    private volatile @Nullable Json templatesResult;

    ResourceIndex(List<Listing> listings) {
        var allTemplates = new ArrayList<ResourceTemplate>();
        for (Listing listing : listings) {
            listingByServer.put(listing.server(), listing);
            allTemplates.addAll(listing.templates());
            for (Resource it : listing.resources()) {
                serversByUri.computeIfAbsent(it.uri(), _ -> new ArrayList<>(1)).add(it.server());
            }
        }
        Set<ResourceTemplate> overlapping = TemplateOverlap.find(allTemplates);
        for (Listing listing : listings) {
            for (Resource it : listing.resources()) {
                boolean shared = serversOf(it.uri()).size() > 1;
                String uri = advertised(it.server(), it.uri(), shared);
                resources.add(withUri(it.definition(), "uri", uri));
            }
            for (ResourceTemplate it : listing.templates()) {
                String text = it.template().text();
                String uri = advertised(it.server(), text, overlapping.contains(it));
                templateByAdvertised.put(uri, it);
                templates.add(withUri(it.definition(), "uriTemplate", uri));
            }
        }
    }

    List<Json> resources() {
        return resources;
    }

    List<Json> templates() {
        return templates;
    }

    Json resourcesResult() {
        Json known = resourcesResult;
        if (known == null) {
            known = NameIndex.listResult("resources", resources.stream());
            resourcesResult = known;
        }
        return known;
    }

    Json templatesResult() {
        Json known = templatesResult;
        if (known == null) {
            known = NameIndex.listResult("resourceTemplates", templates.stream());
            templatesResult = known;
        }
        return known;
    }

    /**
     * The server of a URI: the one that the URI is qualified with, or the only one that lists it,
     * or the only one with a matching template, or the only one that has resources at all.
     */
    ResourceLookup route(String uri) {
        if (uri.length() > ResourceRoute.URI_CHARS_MAX) {
            return new ResourceLookup.NotFound();
        }
        Optional<ResourceRoute> qualified = qualified(uri);
        if (qualified.isPresent()) {
            return new ResourceLookup.Found(qualified.get());
        }
        Set<ServerId> servers = new TreeSet<>(serversOf(uri));
        if (servers.isEmpty()) {
            servers = serversWithMatchingTemplate(uri);
        }
        if (servers.isEmpty()) {
            servers = serversWithResources();
            if (servers.size() > 1) {
                return new ResourceLookup.NotFound();
            }
        }
        return lookup(servers, uri);
    }

    /** The server of a URI template, as it was advertised. */
    ResourceLookup routeTemplate(String template) {
        ResourceTemplate listed = templateByAdvertised.get(template);
        return listed != null
                ? new ResourceLookup.Found(
                        new ResourceRoute(listed.server(), listed.template().text()))
                : route(template);
    }

    private static ResourceLookup lookup(Set<ServerId> servers, String uri) {
        return switch (servers.size()) {
            case 0 -> new ResourceLookup.NotFound();
            case 1 -> new ResourceLookup.Found(new ResourceRoute(servers.iterator().next(), uri));
            default ->
                    new ResourceLookup.Ambiguous(
                            servers.stream()
                                    .limit(CANDIDATES_MAX)
                                    .map(server -> qualified(server, uri))
                                    .toList());
        };
    }

    private List<ServerId> serversOf(String uri) {
        return serversByUri.getOrDefault(uri, List.of());
    }

    private static String advertised(ServerId server, String uri, boolean shared) {
        return shared || uri.startsWith(QUALIFIER) ? qualified(server, uri) : uri;
    }

    static boolean isQualifiedWith(ServerId server, String uri) {
        return uri.startsWith(qualified(server, ""));
    }

    private static String qualified(ServerId server, String uri) {
        return QUALIFIER + server.value() + ":" + uri;
    }

    private Optional<ResourceRoute> qualified(String uri) {
        int colon = uri.indexOf(':');
        if (!uri.startsWith(QUALIFIER) || colon < 0) {
            return Optional.empty();
        }
        String id = uri.substring(QUALIFIER.length(), colon);
        return Optional.of(id)
                .filter(ServerId::isValid)
                .map(ServerId::new)
                .filter(listingByServer::containsKey)
                .map(server -> new ResourceRoute(server, uri.substring(colon + 1)));
    }

    private Set<ServerId> serversWithMatchingTemplate(String uri) {
        var servers = new TreeSet<ServerId>();
        for (Listing listing : listingByServer.values()) {
            var budget = new UriTemplate.StepBudget(STEPS_MAX);
            for (ResourceTemplate it : listing.templates()) {
                if (it.template().matches(uri, budget)) {
                    servers.add(listing.server());
                    break;
                }
            }
        }
        return servers;
    }

    private Set<ServerId> serversWithResources() {
        var servers = new TreeSet<ServerId>();
        for (Listing listing : listingByServer.values()) {
            if (!listing.resources().isEmpty() || !listing.templates().isEmpty()) {
                servers.add(listing.server());
            }
        }
        return servers;
    }

    private static Json withUri(Json definition, String member, String uri) {
        Json value = Json.string(uri);
        return uri.equals(definition.memberText(member))
                ? definition
                : MemberPatch.with(definition, member, value);
    }
}
