package dev.patchbay.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

class DaemonFilesTest {
    @TempDir Path folder;

    private DaemonFiles files() {
        return DaemonFiles.locate(Map.of("XDG_RUNTIME_DIR", folder.toString()), folder);
    }

    @Test
    void usesTheRuntimeDirectoryOfTheUser() {
        assertThat(files().socket()).isEqualTo(folder.resolve("patchbay/daemon.sock"));
    }

    @Test
    void usesTheStateDirectoryIfThereIsNoOther() {
        Path gone = folder.resolve("gone");
        var files = DaemonFiles.locate(Map.of("XDG_RUNTIME_DIR", gone.toString()), folder);
        assertThat(files.socket()).isEqualTo(folder.resolve("run/daemon.sock"));
    }

    @Test
    void createsPrivateDirectory() throws IOException {
        files().create();
        assertThatCode(() -> files().requirePrivate()).doesNotThrowAnyException();
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(files().directory())))
                .isEqualTo("rwx------");
    }

    @Test
    void refusesDirectoryThatOthersMayEnter() throws IOException {
        files().create();
        Files.setPosixFilePermissions(
                files().directory(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> files().requirePrivate()).hasMessageContaining("chmod 700");
    }

    @Test
    void refusesLink() throws IOException {
        Files.createSymbolicLink(files().directory(), Files.createDirectory(folder.resolve("x")));
        assertThatThrownBy(() -> files().requirePrivate()).hasMessageContaining("not a directory");
    }

    @Test
    void refusesPathThatIsTooLongForSocket() throws IOException {
        Path deep = Files.createDirectories(folder.resolve("d".repeat(100)));
        var files = DaemonFiles.locate(Map.of("XDG_RUNTIME_DIR", deep.toString()), folder);
        files.create();
        assertThatThrownBy(files::requirePrivate).hasMessageContaining("too long");
    }
}
