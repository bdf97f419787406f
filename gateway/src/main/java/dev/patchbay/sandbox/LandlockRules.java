package dev.patchbay.sandbox;

import dev.patchbay.sandbox.SandboxView.Place;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The access rights that Landlock grants for a view. Landlock can only allow, also what is below a
 * path; so where something is hidden, everything beside it is allowed one by one.
 */
final class LandlockRules {
    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1L << 1;
    private static final long READ_FILE = 1L << 2;
    private static final long READ_DIR = 1L << 3;
    private static final long MAKE_CHARACTER_DEVICE = 1L << 6;
    private static final long MAKE_BLOCK_DEVICE = 1L << 11;
    private static final long TRUNCATE = 1L << 14;
    private static final long DEVICE_CONTROL = 1L << 15;

    /** All rights that Landlock version 5 and later know. */
    static final long ALL = (1L << 16) - 1;

    private static final long READ = EXECUTE | READ_FILE | READ_DIR;
    private static final long WRITE = ALL & ~(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE);
    private static final long ON_FILES =
            EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL;
    private static final int RULES_MAX = 20_000;

    private static final List<String> DEVICES =
            List.of(
                    "/dev/null",
                    "/dev/zero",
                    "/dev/full",
                    "/dev/random",
                    "/dev/urandom",
                    "/dev/tty",
                    "/dev/ptmx",
                    "/dev/pts");
    private static final Path DEVICE_FOLDER = Path.of("/dev");
    private static final Path PROCESS_FOLDER = Path.of("/proc");

    private final SandboxView view;
    private final Map<Path, Long> rules = new LinkedHashMap<>();

    private LandlockRules(SandboxView view) {
        this.view = view;
    }

    /**
     * The paths with their rights.
     *
     * @param scratch a private folder that the process may write to
     * @param needed what the start of a process needs
     */
    static Map<Path, Long> of(SandboxView view, Path scratch, List<Path> needed)
            throws IOException {
        var made = new LandlockRules(view);
        for (Path path : view.base()) {
            made.allowTree(path.toRealPath(), READ);
        }
        for (Place place : view.places()) {
            made.allowTree(place.real(), place.isWritable() ? WRITE : READ);
        }
        for (Path path : needed) {
            made.add(path.toRealPath(), READ);
        }
        made.add(PROCESS_FOLDER, READ);
        made.add(scratch, WRITE);
        for (String device : DEVICES) {
            if (Files.exists(Path.of(device))) {
                made.add(Path.of(device), WRITE);
            }
        }
        return made.rules;
    }

    /** Allows a path and what is below it, except for what is hidden. */
    private void allowTree(Path path, long access) throws IOException {
        boolean isMeant = view.places().stream().anyMatch(it -> it.real().equals(path));
        if (!isMeant && (isClosed(path) || view.isHidden(path))) {
            return;
        }
        boolean hidesSomething =
                Stream.concat(view.hidden().stream(), closedFolders())
                        .anyMatch(it -> it.startsWith(path) && !it.equals(path));
        if (!hidesSomething || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            add(path, access);
            return;
        }
        add(path, READ_DIR); // names below it can be listed, also hidden ones
        try (Stream<Path> children = Files.list(path)) {
            for (Path child : (Iterable<Path>) children::iterator) {
                if (!Files.isSymbolicLink(child)) {
                    allowTree(child, access);
                }
            }
        } catch (AccessDeniedException _) {
            // The program could not list it either.
        }
    }

    private Stream<Path> closedFolders() {
        return Stream.concat(view.scratch().stream(), Stream.of(DEVICE_FOLDER, PROCESS_FOLDER));
    }

    /** Whether a path belongs to a folder that is replaced, or whose files are chosen. */
    private boolean isClosed(Path path) {
        boolean isInPlace = view.places().stream().anyMatch(it -> path.startsWith(it.real()));
        return !isInPlace && closedFolders().anyMatch(path::startsWith);
    }

    private void add(Path path, long access) throws IOException {
        boolean isFolder = Files.isDirectory(path);
        rules.merge(path, isFolder ? access : access & ON_FILES, (a, b) -> a | b);
        if (rules.size() > RULES_MAX) {
            throw new IOException("more than " + RULES_MAX + " files beside hidden ones");
        }
    }
}
