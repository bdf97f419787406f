package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The launcher in the root of the project, as a user or a host program starts it. */
class LauncherTest {
    private static final long START_SECONDS_MAX = 60;
    private static final Path LAUNCHER =
            Path.of(System.getProperty("patchbay.launcher")).toAbsolutePath().normalize();
    private static final String VERSION =
            "patchbay " + System.getProperty("patchbay.version") + "\n";
    private static final String THIS_JDK = System.getProperty("java.home");

    @TempDir private Path folder;

    private record ProcessResult(int status, String out, String err) {}

    @Test
    void printsOnlyItsVersion() throws Exception {
        var outcome = start(Map.of("PATCHBAY_JAVA_HOME", THIS_JDK), LAUNCHER, "--version");
        assertThat(outcome).isEqualTo(new ProcessResult(0, VERSION, ""));
    }

    @Test
    void startsThroughSymlinksFromAnyFolder() throws Exception {
        var far = Files.createSymbolicLink(folder.resolve("far"), LAUNCHER);
        var near = Files.createSymbolicLink(folder.resolve("near"), far.getFileName());
        assertThat(start(Map.of("JAVA_HOME", THIS_JDK), near, "--version").out())
                .isEqualTo(VERSION);
    }

    @Test
    void startsInAFolderWithASpaceInItsName() throws Exception {
        var copy = copyProgram(folder.resolve("a b"));
        assertThat(start(Map.of("JAVA_HOME", THIS_JDK), copy, "--version"))
                .isEqualTo(new ProcessResult(0, VERSION, ""));
    }

    @Test
    void usesTheJdkThatMadeTheCache() throws Exception {
        var copy = copyProgram(folder.resolve("made"));
        var path = Map.of("PATH", pathTo(fakeJdk("JAVA_VERSION=\"99\"")));
        assertThat(start(path, copy, "--version").out()).isEqualTo(VERSION);
    }

    @Test
    void fallsBackToTheJdkOnThePathIfTheCacheJdkIsMissing() throws Exception {
        var copy = copyProgram(folder.resolve("gone"));
        Files.writeString(cacheJdkFile(copy), folder.resolve("no-jdk") + "\n");
        var path = Map.of("PATH", pathTo(Path.of(THIS_JDK)));
        assertThat(start(path, copy, "--version").out()).isEqualTo(VERSION);
    }

    @Test
    void findsTheJdkOnThePath() throws Exception {
        var copy = copyProgram(folder.resolve("searching"));
        Files.delete(cacheJdkFile(copy));
        var path = Map.of("PATH", pathTo(Path.of(THIS_JDK)));
        assertThat(start(path, copy, "--version").out()).isEqualTo(VERSION);
    }

    @Test
    void skipsAJdkThatIsTooOld() throws Exception {
        var old = fakeJdk("JAVA_VERSION=\"24.0.2\"");
        var copy = copyProgram(folder.resolve("passing"));
        Files.delete(cacheJdkFile(copy));
        var path = pathTo(Path.of(THIS_JDK));
        var environment = Map.of("JAVA_HOME", old.toString(), "PATH", path);
        assertThat(start(environment, copy, "--version").out()).isEqualTo(VERSION);
    }

    @Test
    void rejectsAChosenJdkThatIsTooOld() throws Exception {
        var old = fakeJdk("JAVA_VERSION=\"1.8.0_402\"");
        var outcome = start(Map.of("PATCHBAY_JAVA_HOME", old.toString()), LAUNCHER, "--version");
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("PATCHBAY_JAVA_HOME", old.toString(), "25 or later");
    }

    @Test
    void passesExtraJvmOptions() throws Exception {
        var environment = Map.of("JAVA_HOME", THIS_JDK, "PATCHBAY_JAVA_OPTS", "-Dx=* -showversion");
        var outcome = start(environment, LAUNCHER, "--version");
        assertThat(outcome.out()).isEqualTo(VERSION);
        assertThat(outcome.err()).contains(Runtime.version().toString());
    }

    @Test
    void usesTheCacheMadeByTheBuild() throws Exception {
        assertThat(optionsUsedBy(LAUNCHER)).anyMatch(option -> option.contains("AOTCache="));
    }

    @Test
    void eachKindOfStartUsesItsOwnCache() throws Exception {
        assertThat(optionsUsedBy(LAUNCHER, "stdio"))
                .noneMatch(option -> option.endsWith("-serve.aot"))
                .noneMatch(option -> option.endsWith("-command.aot"))
                .doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(optionsUsedBy(LAUNCHER, "serve"))
                .anyMatch(option -> option.endsWith("-serve.aot"))
                .doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(optionsUsedBy(LAUNCHER, "servers"))
                .anyMatch(option -> option.endsWith("-command.aot"))
                .contains("-XX:TieredStopAtLevel=1");
    }

    /** A class that is not in the cache says which jar it was loaded from. */
    @Test
    void cacheOfCommandsHoldsTheCommandLineLibrary() throws Exception {
        var environment =
                Map.of("JAVA_HOME", THIS_JDK, "PATCHBAY_JAVA_OPTS", "-Xlog:class+load:stderr");
        var outcome = start(environment, LAUNCHER, "servers", "--help");
        assertThat(outcome.err())
                .contains("picocli.CommandLine source: shared objects file")
                .doesNotContain("picocli.CommandLine source: file:");
    }

    @Test
    void serveGetsALargerHeapUnlessTheUserSetsOne() throws Exception {
        assertThat(optionsUsedBy(LAUNCHER, "stdio")).doesNotContain("-Xmn16m");
        assertThat(optionsUsedBy(LAUNCHER, "serve")).containsSubsequence("-Xmn16m", "-Dx=1");
    }

    /** A JVM would run the old code out of the cache. */
    @Test
    void ignoresTheCacheOfAnotherBuild() throws Exception {
        var copy = ProgramCopy.to(folder.resolve("changed"));
        assertThat(optionsUsedBy(copy.launcher())).anyMatch(option -> option.contains("AOTCache="));
        copy.rebuild("another");
        assertThat(optionsUsedBy(copy.launcher()))
                .noneMatch(option -> option.contains("AOTCache="));
    }

    /** On a terminal, which the {@code script} program is. */
    @Test
    void saysThatTheSourcesAreNewerThanTheProgram() throws Exception {
        var copy = copyProgram(folder.resolve("stale"));
        var jdk = fakeJdk("JAVA_VERSION=\"25\"").toString();
        var source = copy.resolveSibling("gateway/src/main/java/New.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class New {}");
        var current = copy.resolveSibling("gateway/target/patchbay/builds/current");
        var environment = Map.of("PATCHBAY_JAVA_HOME", jdk, "TERM", "dumb");
        String[] words = {"-qec", copy + " servers", "/dev/null"};
        Path script = Path.of("/usr/bin/script");

        Files.setLastModifiedTime(source, FileTime.fromMillis(1_000));
        assertThat(start(environment, script, words).out()).doesNotContain("sources are newer");
        Files.setLastModifiedTime(current, FileTime.fromMillis(500));
        assertThat(start(environment, script, words).out()).contains("sources are newer");
    }

    @Test
    void startsWithABrokenCache() throws Exception {
        var copy = copyProgram(folder.resolve("broken"));
        try (var caches =
                Files.newDirectoryStream(
                        copy.resolveSibling("gateway/target/patchbay/aot"), "*.aot")) {
            for (var cache : caches) {
                Files.write(cache, new byte[1000]);
            }
        }
        assertThat(start(Map.of("JAVA_HOME", THIS_JDK), copy, "--version"))
                .isEqualTo(new ProcessResult(0, VERSION, ""));
    }

    /** With a Maven that only puts the program where the real one would, and counts. */
    @Test
    void onlyTheFirstStartBuildsTheProgram() throws Exception {
        var built = copyProgram(folder.resolve("built"));
        var clone = Files.createDirectories(folder.resolve("clone"));
        var launcher = clone.resolve("patchbay");
        ProgramCopy.copy(built, launcher);
        Files.move(built.resolveSibling("build"), clone.resolve("build"));
        var environment = Map.of("JAVA_HOME", THIS_JDK, "PATH", folder + ":/usr/bin:/bin");

        var without =
                start(Map.of("JAVA_HOME", THIS_JDK, "PATH", pathWithoutMaven()), launcher, "stdio");
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("not built yet", "Install Maven 3.8 or later");

        writeScript(
                folder.resolve("mvn"),
                "echo \"$@\" >>%s/runs; mv %s/gateway %s/gateway"
                        .formatted(folder, folder.resolve("built"), clone));
        var first = start(environment, launcher, "--version");
        assertThat(first.out()).isEqualTo(VERSION);
        assertThat(first.err()).contains("building the program, this once");
        assertThat(start(environment, launcher, "--version"))
                .isEqualTo(new ProcessResult(0, VERSION, ""));
        assertThat(Files.readAllLines(folder.resolve("runs")))
                .singleElement()
                .asString()
                .contains("-pl repl -am package");
    }

    /** The real one would download Maven. */
    @Test
    void buildsWithTheWrapperIfThereIsNoMaven() throws Exception {
        var built = copyProgram(folder.resolve("built"));
        var clone = Files.createDirectories(folder.resolve("clone"));
        var launcher = clone.resolve("patchbay");
        ProgramCopy.copy(built, launcher);
        Files.move(built.resolveSibling("build"), clone.resolve("build"));
        writeScript(
                clone.resolve("mvnw"),
                "/bin/mv %s/gateway %s/gateway".formatted(folder.resolve("built"), clone));
        var environment = Map.of("JAVA_HOME", THIS_JDK, "PATH", pathWithoutMaven());
        assertThat(start(environment, launcher, "--version").out()).isEqualTo(VERSION);
    }

    /** A folder with the few programs that the launcher needs, and no Maven. */
    private String pathWithoutMaven() throws IOException {
        var tools = Files.createDirectories(folder.resolve("tools"));
        for (var name : List.of("mkdir", "rm", "stat", "readlink", "sleep")) {
            Files.createSymbolicLink(tools.resolve(name), Path.of("/usr/bin", name));
        }
        return tools.toString();
    }

    /** The arguments that the launcher hands to java, from a java that only prints them. */
    private List<String> optionsUsedBy(Path launcher, String... arguments) throws Exception {
        var jdk = fakeJdk("JAVA_VERSION=\"25\"").toString();
        var environment = Map.of("PATCHBAY_JAVA_HOME", jdk, "PATCHBAY_JAVA_OPTS", "-Dx=1");
        return start(environment, launcher, arguments).out().lines().toList();
    }

    /** A folder that looks like a JDK to the launcher, and whose java prints its arguments. */
    private Path fakeJdk(String release) throws IOException {
        var jdk = Files.createDirectories(folder.resolve("jdk"));
        var bin = Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"X\"\n" + release + "\n");
        for (var name : List.of("java", "javac")) {
            writeScript(bin.resolve(name), "printf '%s\\n' \"$@\"");
        }
        return jdk;
    }

    /** The file that names the JDK with which the cache was made. */
    private static Path cacheJdkFile(Path program) {
        return program.resolveSibling("gateway/target/patchbay/aot/jdk");
    }

    private static String pathTo(Path jdk) {
        return jdk.resolve("bin") + ":/usr/bin:/bin";
    }

    private static void writeScript(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static Path copyProgram(Path target) throws IOException {
        return ProgramCopy.to(target).launcher();
    }

    private ProcessResult start(Map<String, String> environment, Path program, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        try {
            assertThat(process.waitFor(START_SECONDS_MAX, SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new ProcessResult(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
