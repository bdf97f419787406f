package dev.patchbay.doctor;

import dev.patchbay.config.read.SpellingSuggestion;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Advice for a command that was not found. */
final class MissingProgramAdvice {
    /** Folders that often only a shell has in its PATH; a star matches any folder. */
    private static final List<String> HOME_FOLDERS =
            List.of(
                    ".local/bin",
                    ".nvm/versions/node/*/bin",
                    ".local/share/fnm/node-versions/*/installation/bin",
                    ".volta/bin",
                    ".bun/bin",
                    ".deno/bin",
                    ".cargo/bin",
                    ".pyenv/shims",
                    ".asdf/shims",
                    ".local/share/mise/shims");

    private static final List<String> SYSTEM_FOLDERS =
            List.of(
                    "/usr/local/bin",
                    "/opt/homebrew/bin",
                    "/home/linuxbrew/.linuxbrew/bin",
                    "/snap/bin");

    private static final Set<String> COMMON_PROGRAMS =
            Set.of(
                    "bun", "bunx", "deno", "docker", "java", "node", "npm", "npx", "pipx", "pnpm",
                    "podman", "python", "python3", "uv", "uvx", "yarn");

    /** Additional evidence, and what to do. */
    record Advice(String evidence, String nextStep) {}

    private final String command;
    private final Path file;
    private final Path home;

    /**
     * @param file the command as a path
     */
    MissingProgramAdvice(String command, Path file, Path home) {
        this.command = command;
        this.file = file;
        this.home = home;
    }

    Advice advice() {
        if (command.startsWith("~")) {
            return new Advice(
                    "~ is not expanded, because the command is not run by a shell",
                    "Write ${HOME}%s as command.".formatted(command.substring(1)));
        }
        if (command.strip().matches(".*\\s.*") && !Files.exists(file)) {
            return adviceForCommandLine();
        }
        return command.indexOf('/') >= 0 ? adviceForPath() : adviceForName();
    }

    private Advice adviceForCommandLine() {
        String first = command.strip().split("\\s+", 2)[0];
        return new Advice(
                "command contains spaces, but must be the name of one program",
                "Write \"command\": \"%s\" and the other words as args.".formatted(first));
    }

    private Advice adviceForPath() {
        if (Files.isDirectory(file)) {
            return new Advice(file + " is a folder", "Write the path of a program in it.");
        }
        String link = linkTarget().map(to -> file + " is a link to " + to).orElse("");
        Optional<Path> environment = virtualEnvironment();
        return new Advice(
                link,
                environment.isPresent()
                        ? "Create the virtual environment again: python3 -m venv --clear %s; then"
                                        .formatted(environment.get())
                                + " install the packages of the server into it."
                        : "Correct the path, or install the program there.");
    }

    private Optional<Path> linkTarget() {
        try {
            return Files.isSymbolicLink(file)
                    ? Optional.of(file.resolveSibling(Files.readSymbolicLink(file)))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The Python virtual environment that contains, or should contain, the program. */
    private Optional<Path> virtualEnvironment() {
        Path bin = file.getParent();
        Path root = bin == null ? null : bin.getParent();
        if (root == null || root.getFileName() == null) {
            return Optional.empty();
        }
        String name = root.getFileName().toString();
        boolean usual = name.equals(".venv") || name.equals("venv") || name.equals("env");
        return usual || Files.exists(root.resolve("pyvenv.cfg"))
                ? Optional.of(root)
                : Optional.empty();
    }

    private Advice adviceForName() {
        List<Path> found = findOutsidePath();
        if (found.isEmpty()) {
            String near = SpellingSuggestion.closest(command, COMMON_PROGRAMS);
            return new Advice(
                    near == null ? "" : "Did you mean " + near + "?",
                    "Install %s, or write its full path as command. A program that your shell"
                                    .formatted(command)
                            + " finds may be in a PATH that only your shell sets.");
        }
        Path there = found.getLast();
        return new Advice(
                "There is one at " + there,
                "Write \"command\": \"%s\", and \"env\": {\"PATH\": \"%s:${PATH}\"} for what it"
                                .formatted(there, there.getParent())
                        + " starts itself.");
    }

    /** Files with this name outside of PATH, the newest version last. */
    private List<Path> findOutsidePath() {
        var found = new ArrayList<Path>();
        for (String folder : SYSTEM_FOLDERS) {
            found.add(Path.of(folder, command));
        }
        for (String pattern : HOME_FOLDERS) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                found.add(home.resolve(pattern).resolve(command));
            } else {
                Path rest = Path.of(pattern.substring(star + 2)).resolve(command);
                subfolders(home.resolve(pattern.substring(0, star)))
                        .forEach(folder -> found.add(folder.resolve(rest)));
            }
        }
        found.removeIf(file -> !Files.isRegularFile(file) || !Files.isExecutable(file));
        return found;
    }

    private static List<Path> subfolders(Path parent) {
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, Files::isDirectory)) {
            all.forEach(found::add);
        } catch (IOException _) {
            return List.of();
        }
        // v9 is older than v22.
        found.sort(Comparator.comparing(MissingProgramAdvice::versionSortKey));
        return found;
    }

    private static String versionSortKey(Path folder) {
        var padded = new StringBuilder();
        for (String part : String.valueOf(folder.getFileName()).split("\\D+", -1)) {
            padded.append(".").append("0".repeat(Math.max(0, 9 - part.length()))).append(part);
        }
        return padded.toString();
    }
}
