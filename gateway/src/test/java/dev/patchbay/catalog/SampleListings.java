package dev.patchbay.catalog;

import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

import java.util.List;
import java.util.stream.Stream;

/** Lists for tests, written with as few words as possible. */
final class SampleListings {
    private SampleListings() {}

    static ServerId id(String id) {
        return new ServerId(id);
    }

    static Listing tools(String server, String... definitions) {
        return Listing.of(
                id(server),
                new RawLists(parsed(definitions), List.of(), List.of(), List.of(), List.of()));
    }

    /** A server with tools of these names. */
    static ServerOffering offering(String server, String... tools) {
        return offering(Freshness.CURRENT, server, tools);
    }

    static ServerOffering offering(Freshness standing, String server, String... tools) {
        String[] definitions =
                Stream.of(tools).map(it -> "{\"name\":\"" + it + "\"}").toArray(String[]::new);
        return new ServerOffering(tools(server, definitions), standing);
    }

    static ServerOffering prompts(String server, String... definitions) {
        var lists = new RawLists(List.of(), parsed(definitions), List.of(), List.of(), List.of());
        return new ServerOffering(Listing.of(id(server), lists), Freshness.CURRENT);
    }

    /**
     * A server with resources of these URIs, and with resource templates where there is a brace.
     */
    static ServerOffering resources(String server, String... uris) {
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
        var lists = new RawLists(List.of(), List.of(), resources, templates, List.of());
        return new ServerOffering(Listing.of(id(server), lists), Freshness.CURRENT);
    }

    private static List<Json> parsed(String... texts) {
        return Stream.of(texts).map(Json::of).toList();
    }
}
