package dev.patchbay.repl;

import dev.patchbay.repl.maven.DependencyTree;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    /** What a coordinate brings: its tree, and the files that are used. */
    record ResolvedTree(List<DependencyTree.Node> nodes, List<Path> files) {
        ResolvedTree {
            nodes = List.copyOf(nodes);
            files = List.copyOf(files);
        }
    }

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
        return run(coordinate, List.of("dependency:build-classpath"), project(coordinate)).files();
    }

    /** The jars of several coordinates together, in versions that go with each other. */
    List<Path> resolveAll(List<String> coordinates) throws ReplException, InterruptedException {
        return run(
                        String.join(" and ", coordinates),
                        List.of("dependency:build-classpath"),
                        project(coordinates.toArray(String[]::new)))
                .files();
    }

    /** All that a coordinate brings, also what is not used because of a conflict. */
    ResolvedTree tree(String coordinate) throws ReplException, InterruptedException {
        return run(
                coordinate,
                List.of("dependency:tree", "dependency:build-classpath", "-Dverbose"),
                project(coordinate));
    }

    private ResolvedTree run(String what, List<String> goals, String project)
            throws ReplException, InterruptedException {
        Path command = command();
        Path folder = null;
        try {
            folder = Files.createTempDirectory("patchbay-maven");
            Path file = Files.writeString(folder.resolve("pom.xml"), project);
            Path result = folder.resolve("classpath.txt");
            Path tree = folder.resolve("tree.txt");
            var words =
                    new ArrayList<>(
                            List.of(
                                    command.toString(),
                                    "--batch-mode",
                                    "--quiet",
                                    "--file",
                                    file.toString()));
            words.addAll(goals);
            words.add("-DincludeScope=runtime");
            words.add("-Dscope=runtime");
            words.add("-DoutputFile=" + tree);
            words.add("-Dmdep.outputFile=" + result);
            new BuildTool("Maven", timeout).run(what, words, folder, folder.resolve("output.txt"));
            List<DependencyTree.Node> nodes =
                    Files.exists(tree) ? DependencyTree.parse(Files.readString(tree)) : List.of();
            return new ResolvedTree(nodes, paths(Files.readString(result)));
        } catch (IOException e) {
            throw new ReplException("Maven could not be used: " + e.getMessage(), e);
        } finally {
            BuildTool.delete(folder);
        }
    }

    static List<Path> paths(String joined) {
        return Stream.of(joined.strip().split(File.pathSeparator, -1))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .toList();
    }

    Path command() throws ReplException {
        String name = BuildTool.isWindows() ? "mvn.cmd" : "mvn";
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

    private static String project(String... coordinates) {
        var dependencies = new StringBuilder();
        for (String coordinate : coordinates) {
            dependencies.append("<dependency>");
            appendDependency(coordinate, dependencies);
            dependencies.append("</dependency>");
        }
        return """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>session</groupId><artifactId>session</artifactId><version>1</version>
          <packaging>pom</packaging>
          <dependencies>%s</dependencies>
        </project>
        """
                .formatted(dependencies);
    }

    private static void appendDependency(String coordinate, StringBuilder target) {
        List<String> parts = List.of(coordinate.split(":", -1));
        appendElement("groupId", parts.get(0), target);
        appendElement("artifactId", parts.get(1), target);
        // As in group:artifact:type:classifier:version, the version stands last.
        appendElement("version", parts.size() > 2 ? parts.getLast() : "RELEASE", target);
        if (parts.size() > 3) {
            appendElement("type", parts.get(2), target);
        }
        if (parts.size() > 4) {
            appendElement("classifier", parts.get(3), target);
        }
    }

    private static void appendElement(String name, String value, StringBuilder target) {
        target.append('<').append(name).append('>').append(value);
        target.append("</").append(name).append('>');
    }
}
