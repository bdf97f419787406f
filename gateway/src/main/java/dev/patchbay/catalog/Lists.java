package dev.patchbay.catalog;

import dev.patchbay.json.Json;

import java.util.List;

/** The lists of one server, all pages joined, each entry as the server wrote it. */
public record Lists(
        List<Json> tools, List<Json> prompts, List<Json> resources, List<Json> templates) {
    public static final Lists NONE = new Lists(List.of(), List.of(), List.of(), List.of());

    public Lists {
        tools = List.copyOf(tools);
        prompts = List.copyOf(prompts);
        resources = List.copyOf(resources);
        templates = List.copyOf(templates);
    }
}
