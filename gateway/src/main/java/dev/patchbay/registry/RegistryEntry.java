package dev.patchbay.registry;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;

/**
 * A server of the registry.
 *
 * @param name the name in the registry, such as {@code io.github.owner/name}
 * @param status {@code active}, {@code deprecated} or {@code deleted}
 * @param packages what can be installed; not checked yet
 * @param remotes where the server runs; not checked yet
 */
public record RegistryEntry(
        String name,
        String version,
        String title,
        String description,
        String status,
        String repository,
        List<Json> packages,
        List<Json> remotes) {
    private static final String OFFICIAL = "io.modelcontextprotocol.registry/official";

    /**
     * Reads an entry as the registry sends it, with the server under {@code server}, or a plain
     * {@code server.json}.
     */
    public static RegistryEntry read(Json response) throws RegistryException {
        Json wrapped = response.isObject() ? response.member("server") : null;
        Json server = wrapped != null && wrapped.isObject() ? wrapped : response;
        String name = server.isObject() ? server.memberText("name") : null;
        if (name == null || !isName(name)) {
            throw new RegistryException("The entry has no valid name");
        }
        Json repository = server.member("repository");
        String url =
                repository != null && repository.isObject() ? repository.memberText("url") : null;
        return new RegistryEntry(
                name,
                text(server, "version"),
                text(server, "title"),
                text(server, "description"),
                status(response, server),
                url == null ? "" : url,
                objects(server.member("packages")),
                objects(server.member("remotes")));
    }

    /** Whether a text is a name of the registry: a namespace, a slash and a name. */
    public static boolean isName(String text) {
        return text.length() <= 200 && text.matches("[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+");
    }

    /** The part of the name after the slash. */
    public String shortName() {
        return name.substring(name.indexOf('/') + 1);
    }

    /** What kinds of packages and remotes there are, such as {@code npm, oci, remote}. */
    public List<String> kinds() {
        var kinds = new LinkedHashSet<String>();
        packages.forEach(it -> kinds.add(SchemaNames.text(it, "registryType")));
        kinds.remove("");
        if (!remotes.isEmpty()) {
            kinds.add("remote");
        }
        return List.copyOf(kinds);
    }

    private static String status(Json response, Json server) {
        Json meta = response.member("_meta");
        Json official = meta != null && meta.isObject() ? meta.member(OFFICIAL) : null;
        String status =
                official != null && official.isObject() ? official.memberText("status") : null;
        String own = status == null ? server.memberText("status") : status;
        return own == null ? "active" : own;
    }

    private static String text(Json server, String member) {
        String text = server.memberText(member);
        return text == null ? "" : text;
    }

    private static List<Json> objects(@Nullable Json array) {
        return array == null || !array.isArray()
                ? List.of()
                : array.elements().stream().filter(Json::isObject).toList();
    }
}
