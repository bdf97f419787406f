package dev.patchbay.catalog;

import dev.patchbay.json.Json;

import java.util.List;

/**
 * The lists of one server, all pages joined, each entry as the server wrote it.
 *
 * @param warnings what was wrong with the lists as a whole
 */
public record RawLists(
        List<Json> tools,
        List<Json> prompts,
        List<Json> resources,
        List<Json> templates,
        List<String> warnings) {
    public static final RawLists EMPTY =
            new RawLists(List.of(), List.of(), List.of(), List.of(), List.of());

    public RawLists {
        tools = List.copyOf(tools);
        prompts = List.copyOf(prompts);
        resources = List.copyOf(resources);
        templates = List.copyOf(templates);
        warnings = List.copyOf(warnings);
    }

    /** The lists as clients see them, to be vetted again later. */
    public static RawLists of(Listing listing) {
        return new RawLists(
                listing.tools().stream().map(Tool::definition).toList(),
                listing.prompts().stream().map(Prompt::definition).toList(),
                listing.resources().stream().map(Resource::definition).toList(),
                listing.templates().stream().map(ResourceTemplate::definition).toList(),
                List.of());
    }
}
