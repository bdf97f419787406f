package dev.patchbay.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Secrets are kept in the chosen store, found by name, and readable by their owner only. */
class SecretVaultTest {
    @TempDir private Path home;

    private SecretVault vault(Map<String, String> environment) {
        return SecretVault.open(home.resolve("config"), environment, false);
    }

    private SecretVault fileVault() {
        return vault(Map.of("HOME", home.toString(), "PATH", "/nowhere"));
    }

    @Test
    void fileStoreKeepsSecretsAcrossInstances() throws Exception {
        assertThat(fileVault().write("github", "s3cret\nß", null).store()).isEqualTo("file");
        assertThat(fileVault().read("github")).isEqualTo("s3cret\nß");
        assertThat(fileVault().list()).containsExactly(new SecretVault.Location("github", "file"));
    }

    @Test
    void fileIsReadableByItsOwnerOnly() throws Exception {
        fileVault().write("github", "s3cret", null);
        Path file = home.resolve("config/secrets.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void unknownSecretIsAbsent() throws Exception {
        assertThat(fileVault().read("github")).isNull();
        assertThat(fileVault().remove("github")).isFalse();
    }

    @Test
    void removedSecretIsGone() throws Exception {
        fileVault().write("github", "s3cret", null);
        assertThat(fileVault().remove("github")).isTrue();
        assertThat(fileVault().read("github")).isNull();
        assertThat(Files.readString(home.resolve("config/secrets.json"))).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "../x", "-x", "a/b", "a\nb", "ä"})
    void rejectsNamesThatOtherProgramsCouldMisread(String name) {
        assertThat(SecretVault.isValidName(name)).isFalse();
        assertThatThrownBy(() -> fileVault().write(name, "v", null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void damagedIndexIsReportedAndNotOverwritten() throws Exception {
        Path file = Files.createDirectories(home.resolve("config")).resolve("secrets.json");
        Files.writeString(file, "{broken");
        assertThatThrownBy(() -> fileVault().write("a", "v", null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not valid JSON");
        assertThat(Files.readString(file)).isEqualTo("{broken");
    }

    @Test
    void concurrentWritersLoseNothing() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = new ArrayList<Future<?>>();
            for (int i = 0; i < 16; i++) {
                String name = "name" + i;
                done.add(threads.submit(() -> fileVault().write(name, "value", null)));
            }
            for (Future<?> future : done) {
                future.get();
            }
        }
        assertThat(fileVault().list()).hasSize(16);
    }

    @Test
    void passIsPreferredWhereItIsSetUpAndGetsTheValueOnItsStandardInput() throws Exception {
        SecretVault vault = vaultWithPass();
        assertThat(vault.availableStores()).containsExactly("pass", "file");
        assertThat(vault.write("github", "s3cret\nsecond line", null).store()).isEqualTo("pass");
        assertThat(vault.read("github")).isEqualTo("s3cret\nsecond line");
        assertThat(Files.readString(home.resolve("calls"))).doesNotContain("s3cret");
        assertThat(Files.readString(home.resolve("config/secrets.json"))).doesNotContain("s3cret");
    }

    @Test
    void secretThatMovesToAnotherStoreLeavesTheFirst() throws Exception {
        SecretVault vault = vaultWithPass();
        vault.write("github", "s3cret", "pass");
        vault.write("github", "s3cret", "file");
        assertThat(vault.list()).containsExactly(new SecretVault.Location("github", "file"));
        assertThat(Files.exists(home.resolve("kept/patchbay/github"))).isFalse();
    }

    /** A stand-in for pass that keeps plain files and records its arguments. */
    private SecretVault vaultWithPass() throws IOException {
        Path bin = Files.createDirectories(home.resolve("bin"));
        Path script =
                Files.writeString(
                        bin.resolve("pass"),
                        """
                        #!/bin/sh
                        echo "$@" >> "$HOME/calls"
                        for last; do :; done
                        file="$HOME/kept/$last"
                        case "$1" in
                            show) cat "$file" ;;
                            insert) mkdir -p "$HOME/kept/patchbay" && cat > "$file" ;;
                            rm) rm "$file" ;;
                        esac
                        """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Path store = Files.createDirectories(home.resolve(".password-store"));
        Files.writeString(store.resolve(".gpg-id"), "key");
        String path = String.join(":", List.of(bin.toString(), "/usr/bin", "/bin"));
        return vault(Map.of("HOME", home.toString(), "PATH", path));
    }
}
