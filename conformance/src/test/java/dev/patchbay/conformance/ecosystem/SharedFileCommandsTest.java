package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Commands in a repository keep the user's secrets out of it, and its servers out of the user's.
 */
class SharedFileCommandsTest {
    private static final String SECRET = "s3cret-of-the-user-4711";

    @TempDir private Path folder;

    private Path home;
    private Path repository;
    private Path file;
    private TestInstallation user;

    @BeforeEach
    void createRepository() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        repository = Files.createDirectory(folder.resolve("repository"));
        file = repository.resolve(".mcp.json");
        user = new TestInstallation(repository).env("HOME", home.toString());
    }

    @Test
    void secretIsNotWrittenToTheFileOfARepository() throws Exception {
        Files.writeString(file, "{\"mcpServers\": {\"a\": {\"command\": \"true\"}}}");
        String before = Files.readString(file);
        CommandResult refused =
                user.runWithoutConfig(
                        "add", "mine", "--env", "GITHUB_TOKEN=" + SECRET, "--", "true");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err())
                .contains("--env 'GITHUB_TOKEN=${GITHUB_TOKEN}'")
                .doesNotContain(SECRET);
        assertThat(file).hasContent(before);
        CommandResult named =
                user.runWithoutConfig(
                        "add",
                        "mine",
                        "--no-try",
                        "--env",
                        "GITHUB_TOKEN=${GITHUB_TOKEN}",
                        "--",
                        "true");
        assertThat(named.status()).as(named.err()).isZero();
    }

    @Test
    void importTakesOnlyTheServersOfTheUser() throws Exception {
        Files.createDirectories(repository.resolve(".cursor"));
        Files.createDirectories(home.resolve(".cursor"));
        Files.writeString(
                repository.resolve(".cursor/mcp.json"),
                "{\"mcpServers\": {\"build\": {\"command\": \"true\"}}}");
        Files.writeString(
                home.resolve(".cursor/mcp.json"),
                "{\"mcpServers\": {\"mine\": {\"command\": \"true\"}}}");
        assertThat(user.runWithoutConfig("import", "cursor").status()).isZero();
        assertThat(Files.readString(home.resolve(".config/patchbay/patchbay.json")))
                .contains("mine")
                .doesNotContain("build");
    }
}
