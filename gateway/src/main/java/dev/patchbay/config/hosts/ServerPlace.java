package dev.patchbay.config.hosts;

import dev.patchbay.config.SanitizedText;

import java.util.List;

/**
 * Where a server is defined.
 *
 * @param path the keys that lead to its list in the file
 * @param key its name in the list
 */
public record ServerPlace(HostFile file, List<String> path, String key) {
    public ServerPlace {
        path = List.copyOf(path);
    }

    /** The file, and the project that the list belongs to, for display. */
    public String origin() {
        String project = path.size() > 2 ? ", project " + SanitizedText.sanitize(path.get(1)) : "";
        return file.path() + project;
    }
}
