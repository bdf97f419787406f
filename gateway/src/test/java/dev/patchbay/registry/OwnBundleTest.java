package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The bundle and the {@code server.json} that {@code dist/Bundle.java} makes of the program. */
class OwnBundleTest {
    private static final String TIME = "2026-01-31T10:00:00Z";

    @TempDir private Path folder;

    private Path make(String name) throws Exception {
        Path target = folder.resolve(name);
        Path image = target.resolve("patchbay-1.2.3-linux-x64");
        Path program = image.resolve("bin/patchbay");
        Files.createDirectories(image.resolve("bin"));
        Files.createDirectories(image.resolve("lib/app"));
        Files.writeString(program, "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Files.writeString(image.resolve("lib/app/patchbay.jar"), "jar");
        Files.createSymbolicLink(image.resolve("lib/LICENSE"), Path.of("app/patchbay.jar"));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                Path.of("../dist/Bundle.java").toString(),
                                target.toString(),
                                "1.2.3",
                                TIME)
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return target;
    }

    @Test
    void bundleStartsTheProgramAndServerJsonHasItsDigest() throws Exception {
        Path target = make("one");
        Json server = Json.of(Files.readString(target.resolve("server.json")));
        RegistryEntriesTest.assertFollowsTheSchema(server);
        RegistryEntry entry = RegistryEntry.read(server);
        var chosen = (LaunchSource.Bundle) LaunchChooser.choose(entry, null, _ -> true);
        Path file = target.resolve(Path.of(chosen.url()).getFileName().toString());
        var archive = BundleArchive.open(file, chosen.sha256(), BundleLimits.DEFAULTS);

        Path unpacked = archive.unpack(folder.resolve("bundles"));

        assertThat(unpacked.resolve("bin/patchbay")).isExecutable();
        assertThat(unpacked.resolve("lib/LICENSE")).isRegularFile().hasContent("jar");
        LaunchTemplate launch =
                BundleManifest.read(archive.manifest())
                        .launch(unpacked, TestEnvironments.linux(), _ -> true);
        ServerPlan plan =
                ServerPlanner.plan("p", "", launch, InputAnswers.parse(List.of(), List.of()));
        assertThat(plan.entry().definition().toString())
                .contains("\"" + unpacked.resolve("bin/patchbay") + "\"", "[\"stdio\"]");
        assertThat(make("again").resolve(file.getFileName())).hasSameBinaryContentAs(file);
    }
}
