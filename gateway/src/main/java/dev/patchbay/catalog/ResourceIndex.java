package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.server.ServerId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All resources and resource templates. A URI stays as its server wrote it. Where several servers
 * offer the same, the first by id keeps it and each other offers {@code patchbay+serverId:uri},
 * which can be used for every resource at any time and is always that server's.
 */
final class ResourceIndex {
    private static final String QUALIFIER = "patchbay+";

    private final Map<ServerId, Listing> listingByServer = new LinkedHashMap<>();
    private final Map<String, Resource> byUri = new HashMap<>();
    private final Map<String, ResourceTemplate> byTemplate = new HashMap<>();
    private final List<Json> resources = new ArrayList<>();
    private final List<Json> templates = new ArrayList<>();
    private final Json resourcesResult;
    private final Json templatesResult;

    ResourceIndex(List<Listing> listings) {
        for (Listing listing : listings) {
            listingByServer.put(listing.server(), listing);
            for (Resource it : listing.resources()) {
                String uri = advertisedUri(it.server(), it.uri(), byUri.keySet());
                byUri.putIfAbsent(uri, it);
                resources.add(withUri(it.definition(), "uri", uri));
            }
            for (ResourceTemplate it : listing.templates()) {
                String uri = advertisedUri(it.server(), it.template().text(), byTemplate.keySet());
                byTemplate.putIfAbsent(uri, it);
                templates.add(withUri(it.definition(), "uriTemplate", uri));
            }
        }
        resourcesResult = NameIndex.listResult("resources", resources);
        templatesResult = NameIndex.listResult("resourceTemplates", templates);
    }

    List<Json> resources() {
        return resources;
    }

    List<Json> templates() {
        return templates;
    }

    Json resourcesResult() {
        return resourcesResult;
    }

    Json templatesResult() {
        return templatesResult;
    }

    /** Where a URI leads: qualified, listed, made from a template, or else to the only server. */
    Optional<ResourceRoute> route(String uri) {
        Optional<ResourceRoute> qualified = qualified(uri);
        if (qualified.isPresent()) {
            return qualified;
        }
        Resource listed = byUri.get(uri);
        if (listed != null) {
            return Optional.of(new ResourceRoute(listed.server(), uri));
        }
        ResourceTemplate best = null;
        for (Listing listing : listingByServer.values()) {
            for (ResourceTemplate it : listing.templates()) {
                boolean closer =
                        best == null
                                || it.template().literalChars() > best.template().literalChars();
                if (closer && it.template().matches(uri)) {
                    best = it;
                }
            }
        }
        return best != null
                ? Optional.of(new ResourceRoute(best.server(), uri))
                : onlyServer().map(server -> new ResourceRoute(server, uri));
    }

    /** Where a URI template leads, as a client saw it. */
    Optional<ResourceRoute> templateRoute(String template) {
        ResourceTemplate listed = byTemplate.get(template);
        return listed != null
                ? Optional.of(new ResourceRoute(listed.server(), listed.template().text()))
                : route(template);
    }

    /** The URI under which clients know a server's resource. */
    String advertisedUri(ServerId server, String uri) {
        Resource listed = byUri.get(uri);
        boolean plain =
                listed == null ? !uri.startsWith(QUALIFIER) : listed.server().equals(server);
        return plain ? uri : qualified(server, uri);
    }

    private static String advertisedUri(ServerId server, String uri, Set<String> taken) {
        return uri.startsWith(QUALIFIER) || taken.contains(uri) ? qualified(server, uri) : uri;
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

    private Optional<ServerId> onlyServer() {
        var offering = new HashSet<ServerId>();
        for (Listing listing : listingByServer.values()) {
            if (!listing.resources().isEmpty() || !listing.templates().isEmpty()) {
                offering.add(listing.server());
            }
        }
        return offering.size() == 1 ? offering.stream().findFirst() : Optional.empty();
    }

    private static Json withUri(Json definition, String member, String uri) {
        Json value = Json.string(uri);
        return uri.equals(definition.memberText(member))
                ? definition
                : MemberPatch.with(definition, member, value);
    }
}
