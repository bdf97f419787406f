package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the configuration file to use. */
public final class ConfigLocator {
    private static final String NAME = "patchbay.json";
    private static final String SHARED_NAME = ".mcp.json";

    private final Surroundings surroundings;

    public ConfigLocator(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * The file to read: the chosen one, whether it exists or not, else the first that exists. None
     * means that the embedded default runs.
     */
    public Optional<Path> find(@Nullable Path chosen) {
        if (chosen != null) {
            return Optional.of(surroundings.workingDirectory().resolve(chosen));
        }
        // A link that leads nowhere is a fault to report, not a file to pass over.
        return candidates().stream()
                .filter(file -> Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .findFirst();
    }

    /** The file to edit: the one to read, else the user's own, which is then made. */
    public Path findForEditing(@Nullable Path chosen) {
        return find(chosen).orElseGet(() -> candidates().getLast());
    }

    /**
     * The file to bring the servers of other programs into. The list of a folder is never that,
     * unless it was chosen: it belongs to other programs too, is often shared, and would get the
     * secrets of the user. A file of our own beside it then takes its place.
     */
    public Path findForImport(@Nullable Path chosen) {
        Path file = findForEditing(chosen);
        return findReplaced(chosen).isPresent() ? file.resolveSibling(NAME) : file;
    }

    /** The list of the folder, if it is what is used and an import makes a file in its place. */
    public Optional<Path> findReplaced(@Nullable Path chosen) {
        return find(chosen).filter(file -> chosen == null && file.equals(shared()));
    }

    private Path shared() {
        return surroundings.workingDirectory().resolve(SHARED_NAME);
    }

    /** The places looked at, in their order. */
    public List<Path> candidates() {
        return List.of(
                surroundings.workingDirectory().resolve(NAME),
                shared(),
                surroundings.configDirectory().resolve(NAME));
    }
}
