package dev.patchbay.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The packaged program, found by walking up from the working directory to the folder that holds
 * {@code patchbay} and {@code pom.xml}; the system property {@code patchbay.root} names another.
 *
 * @param root the folder of the project
 */
public record PackagedProgram(Path root) {
    public static final String MISSING =
            "The program is not packaged: run mvn package first, or set -Dpatchbay.root";

    /** The program, if its launcher and its jar are there. */
    public static Optional<PackagedProgram> find() {
        String named = System.getProperty("patchbay.root", "");
        Path start = Path.of(named).toAbsolutePath();
        for (Path up = start; up != null; up = up.getParent()) {
            if (Files.exists(up.resolve("patchbay")) && Files.exists(up.resolve("pom.xml"))) {
                return Optional.of(new PackagedProgram(up))
                        .filter(found -> Files.exists(found.jar()));
            }
        }
        return Optional.empty();
    }

    /** The command that runs the launcher with these arguments. */
    public List<String> launcherCommand(String... arguments) {
        return append(List.of(root.resolve("patchbay").toString()), arguments);
    }

    /** The command that runs the program in this Java, without the launcher. */
    public List<String> javaCommand(String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return append(
                List.of(
                        java,
                        "-XX:+DisplayVMOutputToStderr",
                        "-Xlog:disable",
                        "-Xlog:all=warning:stderr",
                        "-jar",
                        jar().toString()),
                arguments);
    }

    /** The jar of the program, whose manifest names all others. */
    public Path jar() {
        return root.resolve("gateway").resolve("target/patchbay/lib/patchbay.jar");
    }

    private static List<String> append(List<String> start, String... arguments) {
        var command = new ArrayList<>(start);
        command.addAll(List.of(arguments));
        return command;
    }
}
