package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the configuration file to use. */
public final class ConfigLocator {
    private static final String FILE_NAME = "patchbay.json";
    private static final String SHARED_FILE_NAME = ".mcp.json";

    private final Environment environment;

    public ConfigLocator(Environment surroundings) {
        this.environment = surroundings;
    }

    /**
     * The file to read: the chosen one, whether it exists or not, else the first that exists. None
     * means that the embedded default runs.
     */
    public Optional<Path> find(@Nullable Path chosen) {
        if (chosen != null) {
            return Optional.of(environment.workingDirectory().resolve(chosen));
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
        return findReplacedByImport(chosen).isPresent() ? file.resolveSibling(FILE_NAME) : file;
    }

    /** The list of the folder, if it is what is used and an import makes a file in its place. */
    public Optional<Path> findReplacedByImport(@Nullable Path chosen) {
        return find(chosen).filter(file -> chosen == null && file.equals(sharedFile()));
    }

    private Path sharedFile() {
        return environment.workingDirectory().resolve(SHARED_FILE_NAME);
    }

    /** The places looked at, in their order. */
    public List<Path> candidates() {
        return List.of(
                environment.workingDirectory().resolve(FILE_NAME),
                sharedFile(),
                environment.configDirectory().resolve(FILE_NAME));
    }
}
