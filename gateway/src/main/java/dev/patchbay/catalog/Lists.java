package dev.patchbay.catalog;

import dev.patchbay.json.Json;

import java.util.List;

/**
 * The lists of one server, all pages joined, each entry as the server wrote it.
 *
 * @param notes what was wrong with the lists as a whole
 */
public record Lists(
        List<Json> tools,
        List<Json> prompts,
        List<Json> resources,
        List<Json> templates,
        List<String> notes) {
    public static final Lists NONE =
            new Lists(List.of(), List.of(), List.of(), List.of(), List.of());

    public Lists {
        tools = List.copyOf(tools);
        prompts = List.copyOf(prompts);
        resources = List.copyOf(resources);
        templates = List.copyOf(templates);
        notes = List.copyOf(notes);
    }

    /** The lists as clients see them, to be vetted again later. */
    public static Lists of(Listing listing) {
        return new Lists(
                listing.tools().stream().map(Tool::definition).toList(),
                listing.prompts().stream().map(Prompt::definition).toList(),
                listing.resources().stream().map(Resource::definition).toList(),
                listing.templates().stream().map(ResourceTemplate::definition).toList(),
                List.of());
    }
}
