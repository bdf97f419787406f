package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.VersionControl;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/** Recognizes configuration files that other people are likely to read. */
final class SharedFiles {
    private SharedFiles() {}

    /**
     * Whether the file belongs to a project: it is in a version-controlled folder, or it was found
     * in the working directory and is not the user's own.
     *
     * @param chosen the file that the user named; null if it was looked for
     */
    static boolean isShared(AppContext context, Path file, @Nullable Path chosen) {
        var locator = new ConfigLocator(context.environment());
        Path path = file.toAbsolutePath().normalize();
        return !path.equals(locator.userFile())
                && (locator.isProjectFile(path, chosen) || VersionControl.isInWorkTree(path));
    }
}
