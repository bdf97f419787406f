package dev.patchbay.registry;

import dev.patchbay.config.read.SpellingSuggestion;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A file with entries of a registry, for use without a network: a list as the registry sends it, an
 * array of entries, or a single {@code server.json}.
 */
public final class RegistryMirror implements RegistrySource {
    private static final long FILE_BYTES_MAX = 256L << 20;

    private final Path file;
    private final List<Json> entries;

    private RegistryMirror(Path file, List<Json> entries) {
        this.file = file;
        this.entries = List.copyOf(entries);
    }

    public static RegistryMirror read(Path file) throws RegistryException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new RegistryException(file + " is too large");
            }
            Json json = Json.parse(Files.readAllBytes(file));
            Json servers = json.isObject() ? json.member("servers") : json;
            if (servers != null && servers.isArray()) {
                return new RegistryMirror(file, servers.elements());
            }
            return new RegistryMirror(file, List.of(json));
        } catch (IOException e) {
            throw new RegistryException("The file %s cannot be read".formatted(file));
        } catch (JsonException e) {
            throw new RegistryException("%s is not JSON: %s".formatted(file, e.reason()));
        }
    }

    @Override
    public List<Json> search(List<String> words, int max) {
        var found = new ArrayList<Json>();
        for (Json entry : entries) {
            if (found.size() < max && matches(entry, words)) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Whether name, title and description of an entry have all of the words. */
    static boolean matches(Json response, List<String> words) {
        try {
            RegistryEntry entry = RegistryEntry.read(response);
            String text =
                    (entry.name() + " " + entry.title() + " " + entry.description())
                            .toLowerCase(Locale.ROOT);
            return !entry.status().equals("deleted")
                    && words.stream().allMatch(it -> text.contains(it.toLowerCase(Locale.ROOT)));
        } catch (RegistryException _) {
            return false; // an entry that cannot be used is not offered
        }
    }

    @Override
    public RegistryEntry find(String name, @Nullable String version) throws RegistryException {
        RegistryEntry best = null;
        var names = new ArrayList<String>();
        for (Json json : entries) {
            String own = name(json);
            names.add(own);
            if (own.equals(name)) {
                RegistryEntry entry = RegistryEntry.read(json);
                boolean isWanted = version == null || entry.version().equals(version);
                if (isWanted && (best == null || isLatest(json))) {
                    best = entry;
                }
            }
        }
        if (best != null) {
            return best;
        }
        String near = SpellingSuggestion.closest(name, names);
        throw new RegistryException(
                "There is no server %s%s in %s.%s"
                        .formatted(
                                name,
                                version == null ? "" : " " + version,
                                file,
                                near == null || near.equals(name)
                                        ? ""
                                        : " Did you mean " + near + "?"));
    }

    private static String name(Json json) {
        Json server = json.isObject() ? json.member("server") : null;
        Json own = server != null && server.isObject() ? server : json;
        String name = own.isObject() ? own.memberText("name") : null;
        return name == null ? "" : name;
    }

    private static boolean isLatest(Json json) {
        Json meta = json.member("_meta");
        Json official =
                meta != null && meta.isObject()
                        ? meta.member("io.modelcontextprotocol.registry/official")
                        : null;
        Json latest = official != null && official.isObject() ? official.member("isLatest") : null;
        return latest != null && latest.isTrue();
    }
}
