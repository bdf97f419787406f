package dev.patchbay.registry;

import dev.patchbay.json.Json;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;
import dev.patchbay.registry.ValueTemplate.Part;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Chooses one of the packages and remotes of an entry: a package whose runner is installed, then a
 * remote, then a bundle, then any package.
 */
public final class LaunchChooser {
    private static final String BUNDLE = "mcpb";
    private static final String REMOTE = "remote";

    private final Predicate<String> isInstalled;
    private final List<LaunchSource> sources = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    private LaunchChooser(Predicate<String> isInstalled) {
        this.isInstalled = isInstalled;
    }

    /**
     * Chooses a source.
     *
     * @param wanted the only kind to consider, such as {@code oci} or {@code remote}; null for any
     * @param isInstalled whether a program of this name can be started
     * @throws RegistryException with the reasons if there is none
     */
    public static LaunchSource choose(
            RegistryEntry entry, @Nullable String wanted, Predicate<String> isInstalled)
            throws RegistryException {
        var chooser = new LaunchChooser(isInstalled);
        for (Json source : entry.packages()) {
            String kind = SchemaNames.text(source, "registryType").toLowerCase(Locale.ROOT);
            if (wanted == null || wanted.equals(kind)) {
                chooser.add(() -> packageSource(source, kind));
            }
        }
        for (Json remote : entry.remotes()) {
            if (wanted == null || wanted.equals(REMOTE)) {
                chooser.add(() -> new LaunchSource.Ready(REMOTE, remote(remote)));
            }
        }
        return chooser.best(entry, wanted);
    }

    /** Reads a source, or fails. */
    private interface Reader {
        LaunchSource read() throws RegistryException;
    }

    private void add(Reader reader) {
        try {
            sources.add(reader.read());
        } catch (RegistryException e) {
            reasons.add(String.valueOf(e.getMessage()));
        }
    }

    private LaunchSource best(RegistryEntry entry, @Nullable String wanted)
            throws RegistryException {
        LaunchSource best = null;
        for (LaunchSource source : sources) {
            if (best == null || rank(source) < rank(best)) {
                best = source;
            }
        }
        if (best != null) {
            return best;
        }
        if (reasons.isEmpty()) {
            throw new RegistryException(
                    wanted == null
                            ? entry.name() + " has neither packages nor remotes"
                            : "%s has nothing of the kind %s. It has: %s"
                                    .formatted(
                                            entry.name(),
                                            wanted,
                                            String.join(", ", entry.kinds())));
        }
        throw new RegistryException(String.join(". ", reasons));
    }

    private int rank(LaunchSource source) {
        return switch (source) {
            case LaunchSource.Ready(_, LaunchTemplate.Command command) ->
                    isInstalled.test(program(command)) ? 0 : 4;
            case LaunchSource.Ready(_, LaunchTemplate.Remote remote) ->
                    remote.type().equals("sse") ? 2 : 1;
            case LaunchSource.Bundle _ -> 3;
        };
    }

    private static String program(LaunchTemplate.Command command) {
        ArgumentTemplate first = command.words().getFirst();
        ValueTemplate value = first.value();
        return value != null && value.parts().getFirst() instanceof Part.Literal(String text)
                ? text
                : "";
    }

    private static LaunchSource packageSource(Json source, String kind) throws RegistryException {
        if (!kind.equals(BUNDLE)) {
            return new LaunchSource.Ready(kind, PackageCommand.of(source));
        }
        String digest = SchemaNames.text(source, "fileSha256").toLowerCase(Locale.ROOT);
        if (!digest.matches("[0-9a-f]{64}")) {
            throw new RegistryException("The bundle has no SHA-256 digest to check it with");
        }
        return new LaunchSource.Bundle(SchemaNames.text(source, "identifier"), digest);
    }

    static LaunchTemplate remote(Json remote) throws RegistryException {
        String type =
                switch (SchemaNames.text(remote, "type")) {
                    case "streamable-http", "http" -> "http";
                    case "sse" -> "sse";
                    default ->
                            throw new RegistryException(
                                    "The remote has the unknown type '%s'"
                                            .formatted(SchemaNames.text(remote, "type")));
                };
        Map<String, DeclaredInput> variables =
                InputReader.variables(SchemaNames.object(remote, "variables"), false);
        ValueTemplate url = InputReader.template(SchemaNames.text(remote, "url"), variables);
        for (Part part : url.parts()) {
            if (part instanceof Part.Literal(String text) && text.matches("(?s).*[{}\\s].*")) {
                throw new RegistryException(
                        "The URL '%s' has a variable that the entry does not declare"
                                .formatted(SchemaNames.text(remote, "url")));
            }
        }
        if (url.parts().getFirst() instanceof Part.Literal(String start)
                && !start.matches("https?://.*")) {
            throw new RegistryException("'%s' is not the URL of a server".formatted(start));
        }
        return new LaunchTemplate.Remote(
                type, url, InputReader.values(SchemaNames.list(remote, "headers")));
    }
}
