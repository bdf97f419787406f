package dev.patchbay.app.cli;

import dev.patchbay.config.Configuration;
import dev.patchbay.config.read.SpellingSuggestion;

import java.nio.file.Path;

/** The message for a server that is not in the configuration. */
final class UnknownServerText {
    private UnknownServerText() {}

    static String of(String id, Path file, Configuration configuration) {
        var known = configuration.servers().stream().map(it -> it.id().value()).toList();
        String near = SpellingSuggestion.closest(id, known);
        return "There is no server %s in %s.%s"
                .formatted(id, file, near == null ? "" : " Did you mean " + near + "?");
    }
}
