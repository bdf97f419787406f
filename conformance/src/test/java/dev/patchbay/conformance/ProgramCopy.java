package dev.patchbay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A copy of the built program, which can be built again while it runs. */
public final class ProgramCopy {
    private static final long BUILD_SECONDS_MAX = 60;
    private static final Path ROOT =
            Path.of(System.getProperty("patchbay.launcher"))
                    .toAbsolutePath()
                    .normalize()
                    .getParent();

    private final Path folder;

    private ProgramCopy(Path folder) {
        this.folder = folder;
    }

    /** Copies the program with its caches. */
    public static ProgramCopy to(Path folder) throws IOException {
        for (var part : List.of("patchbay", "build", "gateway/target/patchbay")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
                for (var file : (Iterable<Path>) files::iterator) {
                    copy(file, folder.resolve(ROOT.relativize(file)));
                }
            }
        }
        return new ProgramCopy(folder);
    }

    /** Copies a file with its times and rights, or creates a folder. */
    public static void copy(Path from, Path to) throws IOException {
        if (Files.isDirectory(from)) {
            Files.createDirectories(to);
        } else {
            Files.createDirectories(to.getParent());
            Files.copy(from, to, COPY_ATTRIBUTES);
        }
    }

    public Path launcher() {
        return folder.resolve("patchbay");
    }

    public Path product() {
        return folder.resolve("gateway/target/patchbay");
    }

    /** Builds it again as Maven does: the jars are written in place, then they are published. */
    public void rebuild(String change) throws IOException, InterruptedException {
        Path lib = product().resolve("lib");
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.toList()) {
                byte[] content = Files.readAllBytes(jar);
                Files.write(jar, new byte[content.length]);
                Files.write(jar, content);
            }
        }
        try (FileSystem jar = FileSystems.newFileSystem(lib.resolve("patchbay.jar"))) {
            Files.writeString(jar.getPath("change.txt"), change);
        }
        Process build =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                folder.resolve("build/Publish.java").toString(),
                                product().toString())
                        .inheritIO()
                        .start();
        assertThat(build.waitFor(BUILD_SECONDS_MAX, SECONDS)).isTrue();
        assertThat(build.exitValue()).isZero();
    }
}
