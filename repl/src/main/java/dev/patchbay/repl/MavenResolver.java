package dev.patchbay.repl;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The user's own Maven, asked for the files of a coordinate and of all that it needs: so the
 * repositories, mirrors, proxies and passwords are those that the user set up.
 *
 * @param searchPath the folders in which {@code mvn} is looked for
 * @param timeout how long it may take, downloads included
 */
record MavenResolver(List<Path> searchPath, Duration timeout) {
    private static final Pattern COORDINATE = Pattern.compile("[\\w.-]+:[\\w.-]+(:[\\w.-]+){0,3}");

    /** Colours, labels, Maven's advice on how to use Maven, and the JVM's to its developers. */
    private static final Pattern IGNORED_OUTPUT =
            Pattern.compile(
                    "\u001b\\[[0-9;]*m|\\[(ERROR|WARNING)\\]"
                            + "|WARNING: .*"
                            + "|(To see the full stack|Re-run Maven|For more information).*"
                            + "|(-> )?\\[Help \\d+\\].*");

    private static final int ERROR_LINES_MAX = 8;
    private static final int OUTPUT_CHARS_MAX = 20_000;

    MavenResolver {
        searchPath = List.copyOf(searchPath);
    }

    /** The Maven that a shell would start. */
    static MavenResolver fromEnvironment() {
        String path = System.getenv().getOrDefault("PATH", "");
        var folders = new ArrayList<Path>();
        for (String variable : List.of("MAVEN_HOME", "M2_HOME")) {
            String home = System.getenv(variable);
            if (home != null && !home.isEmpty()) {
                folders.add(Path.of(home, "bin"));
            }
        }
        Stream.of(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .forEach(folder -> folders.add(Path.of(folder)));
        return new MavenResolver(folders, Duration.ofMinutes(3));
    }

    static boolean isCoordinate(String text) {
        return COORDINATE.matcher(text).matches() && !Files.exists(Path.of(text));
    }

    /** The jars of group:artifact, with a version, and a classifier or a type, if wanted. */
    List<Path> resolve(String coordinate) throws ReplException, InterruptedException {
        Path command = command();
        Path folder = null;
        try {
            folder = Files.createTempDirectory("patchbay-maven");
            Path project = folder.resolve("pom.xml");
            Path result = folder.resolve("classpath.txt");
            Files.writeString(project, project(coordinate));
            run(
                    coordinate,
                    List.of(
                            command.toString(),
                            "--batch-mode",
                            "--quiet",
                            "--file",
                            project.toString(),
                            "dependency:build-classpath",
                            "-DincludeScope=runtime",
                            "-Dmdep.outputFile=" + result),
                    folder.resolve("output.txt"));
            String paths = Files.readString(result).strip();
            return Stream.of(paths.split(File.pathSeparator, -1))
                    .filter(path -> !path.isEmpty())
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw new ReplException("Maven could not be used: " + e.getMessage(), e);
        } finally {
            delete(folder);
        }
    }

    private Path command() throws ReplException {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
        String name = windows ? "mvn.cmd" : "mvn";
        for (Path folder : searchPath) {
            if (Files.isExecutable(folder.resolve(name))) {
                return folder.resolve(name);
            }
        }
        throw new ReplException(
                "There is no "
                        + name
                        + " on the PATH. Install Maven, or give the path of a jar instead of a"
                        + " coordinate.");
    }

    private static String project(String coordinate) {
        List<String> parts = List.of(coordinate.split(":", -1));
        var dependency = new StringBuilder();
        appendElement("groupId", parts.get(0), dependency);
        appendElement("artifactId", parts.get(1), dependency);
        // As in group:artifact:type:classifier:version, the version stands last.
        appendElement("version", parts.size() > 2 ? parts.getLast() : "RELEASE", dependency);
        if (parts.size() > 3) {
            appendElement("type", parts.get(2), dependency);
        }
        if (parts.size() > 4) {
            appendElement("classifier", parts.get(3), dependency);
        }
        return """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>session</groupId><artifactId>session</artifactId><version>1</version>
          <packaging>pom</packaging>
          <dependencies><dependency>%s</dependency></dependencies>
        </project>
        """
                .formatted(dependency);
    }

    private static void appendElement(String name, String value, StringBuilder target) {
        target.append('<').append(name).append('>').append(value);
        target.append("</").append(name).append('>');
    }

    private void run(String coordinate, List<String> command, Path output)
            throws IOException, ReplException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ReplException(
                        "Maven did not resolve %s within %d s"
                                .formatted(coordinate, timeout.toSeconds()));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new ReplException(
                    "Maven could not resolve " + coordinate + ":\n" + errorOutput(output));
        }
    }

    private static String errorOutput(Path output) throws IOException {
        byte[] bytes;
        try (var content = Files.newInputStream(output)) {
            bytes = content.readNBytes(OUTPUT_CHARS_MAX);
        }
        return new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .map(line -> IGNORED_OUTPUT.matcher(line).replaceAll("").strip())
                .filter(line -> !line.isBlank())
                .limit(ERROR_LINES_MAX)
                .reduce("", (text, line) -> text + line + "\n")
                .strip();
    }

    private static void delete(@org.jspecify.annotations.Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A file in the folder for temporary ones stays until the system removes it.
            return;
        }
    }
}
