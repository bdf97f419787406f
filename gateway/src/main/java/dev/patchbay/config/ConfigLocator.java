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
            Path file = environment.workingDirectory().resolve(chosen);
            // Hosts are told to use the user's file, whether there is one yet or not.
            boolean isAbsent = file.normalize().equals(userFile()) && !exists(file);
            return isAbsent ? Optional.empty() : Optional.of(file);
        }
        // A link that leads nowhere is a fault to report, not a file to pass over.
        return candidates().stream().filter(ConfigLocator::exists).findFirst();
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Whether a project supplies the file: it was found in the working directory, and neither
     * chosen by the user nor the user's own.
     */
    public boolean isProjectFile(Path file, @Nullable Path chosen) {
        return chosen == null && !file.normalize().equals(userFile());
    }

    /** Whether the file would be found in its directory without being chosen. */
    public boolean mayBeProjectFile(Path file) {
        String name = String.valueOf(file.getFileName());
        boolean isFound = name.equals(FILE_NAME) || name.equals(SHARED_FILE_NAME);
        return isFound && !file.normalize().equals(userFile());
    }

    /** The file in the user's configuration directory. */
    public Path userFile() {
        return environment.configDirectory().resolve(FILE_NAME).normalize();
    }

    /** The file to edit: the one to read, else the user's own, which is then made. */
    public Path findForEditing(@Nullable Path chosen) {
        return find(chosen).orElseGet(this::userFile);
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
        return List.of(environment.workingDirectory().resolve(FILE_NAME), sharedFile(), userFile());
    }
}
