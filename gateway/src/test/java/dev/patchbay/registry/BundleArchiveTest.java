package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A bundle is unpacked as a whole and inside of its folder, or nothing is left behind. */
class BundleArchiveTest {
    private static final BundleLimits SMALL = new BundleLimits(1 << 20, 10, 64 << 20, 100);

    @TempDir private Path folder;

    private Path bundles() {
        return folder.resolve("bundles");
    }

    private static TestBundle bundle() {
        return new TestBundle().add("manifest.json", "{}");
    }

    private Path unpack(TestBundle bundle) throws IOException, RegistryException {
        Path file = bundle.write(folder.resolve("x.mcpb"));
        return BundleArchive.open(file, null, SMALL).unpack(bundles());
    }

    private void assertRefused(TestBundle bundle, String reason) throws IOException {
        assertThatThrownBy(() -> unpack(bundle))
                .isInstanceOf(RegistryException.class)
                .hasMessageContaining(reason);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.filter(Files::isRegularFile).map(it -> it.getFileName().toString()))
                    .containsExactly("x.mcpb");
        }
        if (Files.exists(bundles())) {
            assertThat(bundles()).isEmptyDirectory();
        }
    }

    @Test
    void unpacksIntoAFolderNamedByTheDigest() throws Exception {
        TestBundle bundle =
                bundle().add("server/lib/", "")
                        .add("server/lib/a.js", "x".repeat(200_000))
                        .add("bin/run", "#!/bin/sh\n".getBytes(UTF_8), TestBundle.PROGRAM_MODE, -1);
        Path file = bundle.write(folder.resolve("x.mcpb"));
        BundleArchive archive = BundleArchive.open(file, null, SMALL);

        Path unpacked = archive.unpack(bundles());

        assertThat(unpacked).isEqualTo(bundles().resolve(archive.sha256()));
        assertThat(unpacked.resolve("server/lib/a.js")).hasSize(200_000);
        assertThat(unpacked.resolve("bin/run")).isExecutable();
        assertThat(Files.isExecutable(unpacked.resolve("server/lib/a.js"))).isFalse();
        assertThat(archive.manifest()).asString(UTF_8).isEqualTo("{}");
        assertThat(archive.unpack(bundles())).isEqualTo(unpacked);
        assertThat(BundleArchive.open(file, archive.sha256(), SMALL)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil",
                "a/../../evil",
                "/etc/evil",
                "a/./b",
                "..\\evil",
                "C:/evil",
                "a//b",
                "..",
                "a/..",
                "bad\nname",
                "a\u0000b"
            })
    void pathsThatLeadElsewhereAreRefused(String name) throws Exception {
        assertRefused(bundle().add(name, "x"), "forbidden path");
    }

    @Test
    void linksAreRefused() throws Exception {
        assertRefused(
                bundle().add("link", "/etc/passwd".getBytes(UTF_8), TestBundle.LINK_MODE, -1),
                "a link or a special file");
    }

    @Test
    void zipBombsAreRefused() throws Exception {
        byte[] zeros = new byte[32 << 20];
        assertRefused(bundle().add("bomb", zeros, TestBundle.FILE_MODE, -1), "zip bomb");
        assertRefused(bundle().add("bomb", zeros, TestBundle.FILE_MODE, 100), "zip bomb");
        var many = bundle();
        for (int i = 0; i < 10; i++) {
            many.add("f" + i, "");
        }
        assertRefused(many, "more than 10 files");
    }

    @Test
    void wrongDigestIsRefused() throws Exception {
        Path file = bundle().write(folder.resolve("x.mcpb"));
        assertThatThrownBy(() -> BundleArchive.open(file, "00".repeat(32), SMALL))
                .isInstanceOf(RegistryException.class)
                .hasMessageContaining("wrong digest");
        assertNothingIsLeft();
    }

    @Test
    void damagedFilesAreRefused() throws Exception {
        assertRefused(
                bundle().add("a", "text".getBytes(UTF_8), TestBundle.FILE_MODE, 9), "damaged");
        assertRefused(bundle().add("a", "1").add("a", "2"), "two files of the same name");
        assertRefused(bundle().add("a", "1").add("a/b", "2"), "");
        Path file = bundle().write(folder.resolve("x.mcpb"), 5);
        assertThatThrownBy(() -> BundleArchive.open(file, null, SMALL))
                .hasMessageContaining("damaged");
        for (byte[] bytes : List.of(new byte[0], "PK".getBytes(UTF_8), new byte[5000])) {
            Files.write(file, bytes);
            assertThatThrownBy(() -> BundleArchive.open(file, null, SMALL))
                    .hasMessageContaining("not a zip file");
        }
    }
}
