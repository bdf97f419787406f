package dev.patchbay.app.cli;

import dev.patchbay.config.Configuration;
import dev.patchbay.config.read.SpellingSuggestion;

import java.nio.file.Path;
import java.util.List;

/** The message for a server that is not in the configuration. */
final class UnknownServerText {
    private UnknownServerText() {}

    static String of(String id, Path file, Configuration configuration) {
        var known = configuration.servers().stream().map(it -> it.id().value()).toList();
        return "There is no server %s in %s.%s".formatted(id, file, suggestion(id, known));
    }

    static String of(String id, List<String> known) {
        return "There is no server %s.%s".formatted(id, suggestion(id, known));
    }

    private static String suggestion(String id, List<String> known) {
        String near = SpellingSuggestion.closest(id, known);
        return near == null ? "" : " Did you mean " + near + "?";
    }
}
