package dev.patchbay.repl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The class path of a project folder, as its own build tool tells it.
 *
 * @param maven finds Maven, and says how long a build tool may take
 */
record ProjectClasspath(MavenResolver maven) {
    private static final String MARK = "PATCHBAY-CLASSPATH ";
    private static final Pattern MODULE = Pattern.compile("<module>\\s*([^<>]+?)\\s*</module>");

    /** Asks each project for the class path of its tests or of its program. */
    private static final String GRADLE_SCRIPT =
            """
            allprojects {
                tasks.register("patchbayClasspath") {
                    doLast {
                        def sets = project.extensions.findByName("sourceSets")
                        if (sets != null && project.projectDir == project.file(FOLDER)) {
                            sets.getByName("SOURCE_SET").runtimeClasspath.files.each {
                                println("MARK" + it)
                            }
                        }
                    }
                }
            }
            """;

    /** What a project has on its class path, and what of it is not there yet. */
    record Result(String tool, List<Path> entries, List<Path> missing) {
        Result {
            entries = List.copyOf(entries);
            missing = List.copyOf(missing);
        }
    }

    /** The class path of a Maven or Gradle project, with that of its tests if wanted. */
    Result of(Path folder, boolean tests) throws ReplException, InterruptedException {
        if (!Files.isDirectory(folder)) {
            throw new ReplException("There is no folder " + folder.toAbsolutePath());
        }
        Path place = folder.toAbsolutePath().normalize();
        try {
            if (Files.isRegularFile(place.resolve("pom.xml"))) {
                return split("Maven", ofMaven(place, tests));
            }
            boolean isGradle =
                    Stream.of("build.gradle", "build.gradle.kts")
                            .anyMatch(name -> Files.isRegularFile(place.resolve(name)));
            if (isGradle) {
                return split("Gradle", ofGradle(place, tests));
            }
        } catch (IOException e) {
            throw new ReplException("The project cannot be read: " + e.getMessage(), e);
        }
        throw new ReplException(
                place + " has no pom.xml and no build.gradle: name the folder of a project");
    }

    private static Result split(String tool, List<Path> all) {
        List<Path> missing = all.stream().filter(it -> !Files.exists(it)).toList();
        return new Result(tool, all.stream().filter(Files::exists).toList(), missing);
    }

    private List<Path> ofMaven(Path folder, boolean tests)
            throws IOException, ReplException, InterruptedException {
        List<String> modules = modules(Files.readString(folder.resolve("pom.xml")));
        if (!modules.isEmpty()) {
            throw new ReplException(
                    "%s has modules: name the folder of one, such as %s"
                            .formatted(folder, folder.resolve(modules.getFirst())));
        }
        Path temporary = Files.createTempDirectory("patchbay-project");
        try {
            Path result = temporary.resolve("classpath.txt");
            new BuildTool("Maven", maven.timeout())
                    .run(
                            "the class path of " + folder,
                            List.of(
                                    maven.command().toString(),
                                    "--batch-mode",
                                    "--quiet",
                                    "dependency:build-classpath",
                                    "-DincludeScope=" + (tests ? "test" : "runtime"),
                                    "-Dmdep.outputFile=" + result),
                            folder,
                            temporary.resolve("output.txt"));
            var all = new ArrayList<Path>();
            if (tests) {
                all.add(folder.resolve("target", "test-classes"));
            }
            all.add(folder.resolve("target", "classes"));
            all.addAll(MavenResolver.paths(Files.readString(result)));
            return all;
        } finally {
            BuildTool.delete(temporary);
        }
    }

    private static List<String> modules(String project) {
        return MODULE.matcher(project).results().map(it -> it.group(1)).toList();
    }

    private List<Path> ofGradle(Path folder, boolean tests)
            throws IOException, ReplException, InterruptedException {
        Path temporary = Files.createTempDirectory("patchbay-project");
        try {
            Path script = temporary.resolve("classpath.gradle");
            String path = "'" + folder.toString().replace("\\", "\\\\").replace("'", "\\'") + "'";
            Files.writeString(
                    script,
                    GRADLE_SCRIPT
                            .replace("MARK", MARK)
                            .replace("SOURCE_SET", tests ? "test" : "main")
                            .replace("FOLDER", path));
            Path output = temporary.resolve("output.txt");
            new BuildTool("Gradle", maven.timeout())
                    .run(
                            "the class path of " + folder,
                            List.of(
                                    gradle(folder).toString(),
                                    "--quiet",
                                    "--init-script",
                                    script.toString(),
                                    "patchbayClasspath"),
                            folder,
                            output);
            return Files.readAllLines(output).stream()
                    .filter(line -> line.startsWith(MARK))
                    .map(line -> Path.of(line.substring(MARK.length()).strip()))
                    .toList();
        } finally {
            BuildTool.delete(temporary);
        }
    }

    /** The wrapper of the project or of a folder above it, else the one on the PATH. */
    private Path gradle(Path folder) throws ReplException {
        String wrapper = BuildTool.isWindows() ? "gradlew.bat" : "gradlew";
        for (Path place = folder; place != null; place = place.getParent()) {
            if (Files.isExecutable(place.resolve(wrapper))) {
                return place.resolve(wrapper);
            }
        }
        String name = BuildTool.isWindows() ? "gradle.bat" : "gradle";
        return maven.searchPath().stream()
                .map(place -> place.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () ->
                                new ReplException(
                                        "The project has no %s, and there is no %s on the PATH"
                                                .formatted(wrapper, name)));
    }
}
