package dev.patchbay.catalog;

import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

import java.util.List;
import java.util.stream.Stream;

/** Lists for tests, written with as few words as possible. */
final class Sample {
    private Sample() {}

    static ServerId id(String id) {
        return new ServerId(id);
    }

    static Listing tools(String server, String... definitions) {
        return Listing.of(
                id(server),
                new Lists(parsed(definitions), List.of(), List.of(), List.of(), List.of()));
    }

    /** A server with tools of these names. */
    static Offer offer(String server, String... tools) {
        return offer(Standing.CURRENT, server, tools);
    }

    static Offer offer(Standing standing, String server, String... tools) {
        String[] definitions =
                Stream.of(tools).map(it -> "{\"name\":\"" + it + "\"}").toArray(String[]::new);
        return new Offer(tools(server, definitions), standing);
    }

    static Offer prompts(String server, String... definitions) {
        var lists = new Lists(List.of(), parsed(definitions), List.of(), List.of(), List.of());
        return new Offer(Listing.of(id(server), lists), Standing.CURRENT);
    }

    /**
     * A server with resources of these URIs, and with resource templates where there is a brace.
     */
    static Offer resources(String server, String... uris) {
        List<Json> resources =
                Stream.of(uris)
                        .filter(it -> !it.contains("{"))
                        .map(it -> Json.of("{\"uri\":\"" + it + "\",\"name\":\"n\"}"))
                        .toList();
        List<Json> templates =
                Stream.of(uris)
                        .filter(it -> it.contains("{"))
                        .map(it -> Json.of("{\"uriTemplate\":\"" + it + "\",\"name\":\"n\"}"))
                        .toList();
        var lists = new Lists(List.of(), List.of(), resources, templates, List.of());
        return new Offer(Listing.of(id(server), lists), Standing.CURRENT);
    }

    private static List<Json> parsed(String... texts) {
        return Stream.of(texts).map(Json::of).toList();
    }
}
