package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.PackagedProgram;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a release publishes besides its packages, made of small archives; and the npm package, which
 * downloads such an archive and runs it.
 */
class NpmPackageTest {
    private static final Path ROOT = PackagedProgram.find().orElseThrow().root();
    private static final String NAME = "patchbay-1.2.3-linux-x64";
    private static final List<String> OTHERS =
            List.of("linux-arm64", "macos-x64", "macos-arm64", "windows-x64");

    @TempDir private Path folder;
    private Path packages;
    private Path release;

    @BeforeEach
    void makeRelease() throws Exception {
        packages = Files.createDirectory(folder.resolve("packages"));
        Path program = folder.resolve(NAME + "/bin/patchbay");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\necho \"$@\"\nexit 7\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String archive = packages.resolve(NAME + ".tar.gz").toString();
        run(Map.of(), "tar", "-czf", archive, "-C", folder.toString(), NAME);
        for (String other : OTHERS) {
            Files.writeString(packages.resolve("patchbay-1.2.3-" + other + ".tar.gz"), other);
        }
        release = folder.resolve("release");
        CommandResult made =
                run(
                        Map.of(),
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        ROOT.resolve("dist/Release.java").toString(),
                        packages.toString(),
                        release.toString(),
                        "1.2.3",
                        "2026-01-31T10:00:00Z");
        assertThat(made.status()).as(made.err()).isZero();
    }

    private CommandResult run(Map<String, String> environment, String... words) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        var builder = new ProcessBuilder(words).redirectOutput(out.toFile());
        builder.redirectError(err.toFile()).environment().putAll(environment);
        builder.environment().remove("XDG_CACHE_HOME");
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(90, SECONDS)).isTrue();
        return new CommandResult(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private CommandResult npx(String... arguments) throws Exception {
        var words = new ArrayList<>(List.of("node", release.resolve("npm/patchbay.js").toString()));
        words.addAll(List.of(arguments));
        return run(
                Map.of("HOME", folder.toString(), "PATCHBAY_DOWNLOAD_URL", packages.toString()),
                words.toArray(String[]::new));
    }

    private static void requireNode() {
        boolean hasNode =
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(it -> Files.isExecutable(Path.of(it, "node")));
        assumeTrue(hasNode, "there is no Node.js");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the archive is for x64");
    }

    @Test
    void npmPackageDownloadsTheProgramOnceAndRunsIt() throws Exception {
        requireNode();
        CommandResult first = npx("call", "a b");
        assertThat(first).isEqualTo(new CommandResult(7, "call a b\n", first.err()));
        assertThat(first.err()).contains("downloading Patchbay 1.2.3, this once");
        Files.delete(packages.resolve(NAME + ".tar.gz"));
        assertThat(npx("again")).isEqualTo(new CommandResult(7, "again\n", ""));
    }

    @Test
    void archiveWithAnotherDigestIsRefused() throws Exception {
        requireNode();
        Files.writeString(packages.resolve(NAME + ".tar.gz"), "something else");
        CommandResult refused = npx("--version");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains("the digest of", "Nothing was installed");
        try (Stream<Path> left = Files.list(folder.resolve(".cache/patchbay"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void formulaAndManifestNameEveryArchiveWithItsDigest() throws IOException {
        String sums = Files.readString(release.resolve("SHA256SUMS"));
        assertThat(sums.lines()).hasSize(5);
        String formula = Files.readString(release.resolve("homebrew/patchbay.rb"));
        String scoop = Files.readString(release.resolve("scoop/patchbay.json"));
        for (String line : sums.lines().toList()) {
            String digest = line.substring(0, line.indexOf(' '));
            String manifest = line.contains("windows") ? scoop : formula;
            assertThat(manifest).contains(digest, line.substring(line.indexOf("patchbay")));
        }
        assertThat(formula + scoop).doesNotContain("@VERSION@", "@URL", "@SHA256");
    }
}
