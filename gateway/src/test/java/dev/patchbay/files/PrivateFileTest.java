package dev.patchbay.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

@DisabledOnOs(OS.WINDOWS)
class PrivateFileTest {
    private static final byte[] CONTENT = "secret".getBytes(StandardCharsets.US_ASCII);

    @TempDir Path folder;
    private Path file;
    private Path victim;

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("state");
        victim = Files.writeString(folder.resolve("victim"), "untouched");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(it -> it.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void replacesTheFileAsAWhole() throws IOException {
        PrivateFile.replace(file, CONTENT);
        assertThat(file).hasBinaryContent(CONTENT);
        assertThat(permissions(file)).isEqualTo("rw-------");
        Object before = Files.getAttribute(file, "unix:ino");
        PrivateFile.replace(file, new byte[] {1});
        assertThat(file).hasBinaryContent(new byte[] {1});
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(before);
        assertThat(names()).containsExactly("state", "victim");
    }

    @Test
    void plantedLinkIsReplacedNotFollowed() throws IOException {
        Files.createSymbolicLink(file, victim);
        PrivateFile.replace(file, CONTENT);
        assertThat(victim).hasContent("untouched");
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(file).hasBinaryContent(CONTENT);
    }

    @Test
    void creationNeverFollowsALink() throws IOException {
        Files.createSymbolicLink(file, victim);
        assertThatThrownBy(() -> PrivateFile.create(file, CONTENT))
                .isInstanceOf(FileAlreadyExistsException.class);
        Files.delete(file);
        Path dangling = folder.resolve("dangling");
        Files.createSymbolicLink(file, dangling);
        assertThatThrownBy(() -> PrivateFile.create(file, CONTENT)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PrivateFile.open(file)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PrivateFile.loadOrCreate(file, _ -> false, () -> CONTENT))
                .isInstanceOf(IOException.class);
        assertThat(dangling).doesNotExist();
        assertThat(victim).hasContent("untouched");
    }

    @Test
    void temporaryFilesAreForTheOwnerAndHaveDifferentNames() throws IOException {
        var seen = new HashSet<Path>();
        for (int i = 0; i < 100; i++) {
            Path temporary = PrivateFile.createTemporary(folder, ".x-");
            assertThat(seen.add(temporary)).isTrue();
            assertThat(permissions(temporary)).isEqualTo("rw-------");
        }
    }

    @Test
    void foldersAreForTheOwner() throws IOException {
        Path inner = folder.resolve("a").resolve("b");
        PrivateFile.createFolder(inner);
        PrivateFile.createFolder(inner);
        assertThat(permissions(inner)).isEqualTo("rwx------");
        assertThat(permissions(inner.getParent())).isEqualTo("rwx------");
    }

    @Test
    void failedReplacementKeepsTheOldContent() throws IOException {
        Files.createDirectory(file);
        Files.writeString(file.resolve("inside"), "x");
        assertThatThrownBy(() -> PrivateFile.replace(file, CONTENT))
                .isInstanceOf(IOException.class);
        assertThat(file.resolve("inside")).hasContent("x");
        assertThat(names()).containsExactly("state", "victim");
    }

    @Test
    void concurrentCreatorsGetTheSameContent() throws Exception {
        var generated = new AtomicInteger();
        Callable<byte[]> load =
                () ->
                        PrivateFile.loadOrCreate(
                                file,
                                bytes -> bytes.length == 4,
                                () ->
                                        "%04d"
                                                .formatted(generated.incrementAndGet())
                                                .getBytes(StandardCharsets.US_ASCII));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result : threads.invokeAll(Stream.generate(() -> load).limit(16).toList())) {
                assertThat(result.get()).isEqualTo("0001".getBytes(StandardCharsets.US_ASCII));
            }
        }
        assertThat(generated).hasValue(1);
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    void invalidContentIsReplaced() throws IOException {
        Files.writeString(file, "half of a long secret");
        byte[] loaded = PrivateFile.loadOrCreate(file, bytes -> bytes.length == 6, () -> CONTENT);
        assertThat(loaded).isEqualTo(CONTENT);
        assertThat(file).hasBinaryContent(CONTENT);
    }

    @Test
    void validContentNeedsNoRightToWrite() throws IOException {
        Files.write(file, CONTENT);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assertThat(PrivateFile.loadOrCreate(file, bytes -> bytes.length == 6, () -> new byte[0]))
                .isEqualTo(CONTENT);
    }
}
