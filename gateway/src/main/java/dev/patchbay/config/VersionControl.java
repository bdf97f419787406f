package dev.patchbay.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Recognises files that are in a version-controlled folder, which other people may get. */
public final class VersionControl {
    private static final List<String> MARKERS = List.of(".git", ".hg", ".svn", ".jj");

    private VersionControl() {}

    public static boolean isInWorkTree(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        while (folder != null) {
            for (String marker : MARKERS) {
                if (Files.exists(folder.resolve(marker))) {
                    return true;
                }
            }
            folder = folder.getParent();
        }
        return false;
    }
}
