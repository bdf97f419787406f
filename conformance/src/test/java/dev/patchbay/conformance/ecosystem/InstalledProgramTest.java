package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.patchbay.conformance.ProgramCopy;
import dev.patchbay.testkit.PackagedProgram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program as packages install it, in an environment without Java. The run time is that of the
 * test; {@code dist/check} does the same with the real packages.
 */
class InstalledProgramTest {
    private static final long WALK_SECONDS_MAX = 120;
    private static final Path ROOT = PackagedProgram.find().orElseThrow().root();

    @TempDir private Path folder;

    /** A folder like that of {@code dist/Image.java}, with a link to this run time. */
    private Path install() throws IOException {
        Path image = folder.resolve("patch bay");
        Path app = Files.createDirectories(image.resolve("lib/app"));
        Files.createSymbolicLink(
                image.resolve("lib/runtime"), Path.of(System.getProperty("java.home")));
        try (Stream<Path> jars = Files.list(ROOT.resolve("gateway/target/patchbay/lib"))) {
            for (Path jar : jars.toList()) {
                ProgramCopy.copy(jar, app.resolve(jar.getFileName()));
            }
        }
        ProgramCopy.copy(ROOT.resolve("build/jvm.options"), app.resolve("jvm.options"));
        Path launcher = image.resolve("bin/patchbay");
        ProgramCopy.copy(ROOT.resolve("dist/image/patchbay"), launcher);
        return launcher;
    }

    @Test
    void newUserAdoptsAHostFindsABrokenServerAndUndoesEverything() throws Exception {
        Path log = folder.resolve("walk.log");
        Process walk =
                new ProcessBuilder(
                                List.of(
                                        ROOT.resolve("dist/walk").toString(),
                                        install().toString(),
                                        folder.resolve("home").toString()))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            assertThat(walk.waitFor(WALK_SECONDS_MAX, SECONDS)).isTrue();
        } finally {
            walk.descendants().forEach(ProcessHandle::destroyForcibly);
            walk.destroyForcibly();
        }
        assertThat(walk.exitValue()).as(Files.readString(log)).isZero();
    }
}
