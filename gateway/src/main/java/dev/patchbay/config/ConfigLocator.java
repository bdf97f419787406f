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

    public ConfigLocator(Environment environment) {
        this.environment = environment;
    }

    /**
     * Finds the file to read: the chosen one, whether it exists or not, else the first that exists.
     * If there is none, the default configuration is used.
     */
    public Optional<Path> find(@Nullable Path chosen) {
        if (chosen != null) {
            Path file = environment.workingDirectory().resolve(chosen);
            // Installed hosts use the user's file, which may not exist yet.
            boolean isAbsent = file.normalize().equals(userFile()) && !exists(file);
            return isAbsent ? Optional.empty() : Optional.of(file);
        }
        // A dangling link is an error to report, so it is not skipped.
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

    /** The file to edit: the one that is read, else the user's file, which is then created. */
    public Path findForEditing(@Nullable Path chosen) {
        return find(chosen).orElseGet(this::userFile);
    }

    /**
     * The file to import servers into. It is never the project's {@code .mcp.json}, unless that was
     * chosen: that file is shared with other programs and people, and imports contain the user's
     * secrets. A new {@code patchbay.json} next to it is used instead.
     */
    public Path findForImport(@Nullable Path chosen) {
        Path file = findForEditing(chosen);
        return findReplacedByImport(chosen).isPresent() ? file.resolveSibling(FILE_NAME) : file;
    }

    /**
     * The project's {@code .mcp.json}, if it is used now and an import creates a file that replaces
     * it.
     */
    public Optional<Path> findReplacedByImport(@Nullable Path chosen) {
        return find(chosen).filter(file -> chosen == null && file.equals(sharedFile()));
    }

    private Path sharedFile() {
        return environment.workingDirectory().resolve(SHARED_FILE_NAME);
    }

    /** The candidates in order of precedence. */
    public List<Path> candidates() {
        return List.of(environment.workingDirectory().resolve(FILE_NAME), sharedFile(), userFile());
    }
}
