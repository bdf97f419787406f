package dev.patchbay.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.ProjectServers;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Nothing of a project's file is used unless the user has approved it as it is now. */
class ApprovedProjectTest {
    private static final String ENTRY = "\"command\": \"run\", \"args\": [\"${TOKEN}\"]";

    @TempDir Path folder;
    private Path project;
    private Path file;
    private TrustStore store;

    @BeforeEach
    void createProject() throws IOException {
        project = Files.createDirectory(folder.resolve("project"));
        Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rwxr-xr-x"));
        file = project.resolve(".mcp.json");
        store = new TrustStore(folder.resolve("state"));
    }

    @Test
    void unapprovedServerIsNotRead() throws IOException {
        write(ENTRY);
        assertThat(server().transport()).isInstanceOf(Transport.NotTrusted.class);
        assertThat(problem())
                .contains("is not approved", "patchbay trust " + file)
                .doesNotContain("secret");
        assertThat(read().findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.NOT_TRUSTED);
    }

    @Test
    void approvedServerIsUsed() throws IOException {
        write(ENTRY);
        approve();
        assertThat(server().transport())
                .isEqualTo(new Transport.Stdio("run", List.of("secret"), Map.of(), null));
        assertThat(read().findings()).noneMatch(it -> it.kind() == Finding.Kind.NOT_TRUSTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"command\": \"other\", \"args\": [\"${TOKEN}\"]",
                "\"command\": \"run\", \"args\": [\"${OTHER}\"]",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\", \"x\"]",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"env\": {\"A\": \"1\"}",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"cwd\": \"/\"",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"tools\": {\"exclude\": []}",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"description\": \"${TOKEN}\"",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"keyOfTheFuture\": true",
                "\"url\": \"https://example.com/${TOKEN}\"",
            })
    void changedServerMustBeApprovedAgain(String entry) throws IOException {
        write(ENTRY);
        approve();
        write(entry);
        assertThat(problem()).contains("changed after it was approved");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/* a comment */ \"args\": [\"${TOKEN}\"],\n\"command\": \"run\",",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"enabled\": false",
                "\"command\": \"run\", \"args\": [\"${TOKEN}\"], \"requestTimeoutMs\": 2000",
            })
    void layoutAndTimeoutsMayChange(String entry) throws IOException {
        write(ENTRY);
        approve();
        write(entry);
        assertThat(server().transport()).isInstanceOf(Transport.Stdio.class);
    }

    @Test
    void oneChangedServerDoesNotAffectTheOthers() throws IOException {
        Files.writeString(
                file,
                "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}}}");
        approve();
        Files.writeString(
                file,
                "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"z\"}}}");
        List<ServerSpec> servers = ((ConfigReadResult.Valid) read()).configuration().servers();
        assertThat(servers.getFirst().transport()).isInstanceOf(Transport.Stdio.class);
        assertThat(servers.getLast().transport()).isInstanceOf(Transport.NotTrusted.class);
    }

    @Test
    void approvalBelongsToOneFileAndOneKey() throws IOException {
        write(ENTRY);
        approve();
        Path other = Files.copy(file, project.resolve("patchbay.json"));
        assertThat(serverOf(other).transport()).isInstanceOf(Transport.NotTrusted.class);
        Files.writeString(file, "{\"mcpServers\": {\"a_\": {" + ENTRY + "}}}");
        assertThat(problem()).contains("is not approved");
    }

    @Test
    void revokedServerIsNotUsed() throws IOException {
        write(ENTRY);
        approve();
        assertThat(approvals().revoke()).isTrue();
        assertThat(approvals().revoke()).isFalse();
        assertThat(server().transport()).isInstanceOf(Transport.NotTrusted.class);
    }

    @ParameterizedTest
    @CsvSource({
        "rw-rw-rw-, rwxr-xr-x, mode 666",
        "rw-r--r--, rwxrwxrwx, is in a directory",
    })
    void fileThatOthersCanWriteIsRefused(String fileMode, String folderMode, String problem)
            throws IOException {
        write(ENTRY);
        approve();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(fileMode));
        Files.setPosixFilePermissions(project, PosixFilePermissions.fromString(folderMode));
        assertThat(problem()).contains(problem);
        assertThat(approvals().problem()).contains(problem);
    }

    @Test
    void fileOfAnotherUserIsRefused() throws IOException {
        write(ENTRY);
        approve();
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give files away");
        var other =
                file.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("nobody");
        Files.setOwner(file, other);
        assertThat(problem()).contains("belongs to another user (nobody)");
    }

    @Test
    void linkToAnotherDirectoryIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere")).resolve("x.json");
        write(ENTRY);
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);
        approve();
        assertThat(problem()).contains("is a link to " + elsewhere);
    }

    @Test
    void storeIsPrivateAndInvalidStoreApprovesNothing() throws IOException {
        write(ENTRY);
        approve();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store.file())))
                .isEqualTo("rw-------");
        Files.writeString(store.file(), "{\"files\": [");
        assertThat(server().transport()).isInstanceOf(Transport.NotTrusted.class);
    }

    @Test
    void settingsOfTheUserCannotBeChosenByAProject() throws IOException {
        Files.writeString(
                file,
                """
                {"mcpServers": {}, "patchbay": {"names": "safe", "stateDir": "/tmp/x",
                 "http": {"listen": "0.0.0.0:1", "allowedOrigins": ["https://evil.example"]},
                 "limits": {"pagesMax": 100000, "toolsPerServerMax": 7},
                 "history": {"enabled": false}}}
                """);
        PatchbaySettings settings = ((ConfigReadResult.Valid) read()).configuration().settings();
        assertThat(settings.stateDir()).isNull();
        assertThat(settings.http()).isEqualTo(PatchbaySettings.Http.DEFAULTS);
        assertThat(settings.limits().pagesMax())
                .isEqualTo(PatchbaySettings.Limits.DEFAULTS.pagesMax());
        assertThat(settings.limits().toolsPerServerMax()).isEqualTo(7);
        assertThat(settings.names()).isEqualTo(PatchbaySettings.Names.SAFE);
        assertThat(read().findings())
                .filteredOn(it -> it.kind() == Finding.Kind.IGNORED_SETTING)
                .extracting(Finding::path)
                .containsExactly(
                        "patchbay.stateDir",
                        "patchbay.http",
                        "patchbay.limits",
                        "patchbay.history");
        assertThat(settings.history()).isEqualTo(PatchbaySettings.History.DEFAULTS);
    }

    private void write(String entry) throws IOException {
        Files.writeString(file, "{\"mcpServers\": {\"a\": {" + entry + "}}}");
    }

    private ApprovedProject approvals() {
        return new ApprovedProject(file, folder, store);
    }

    private void approve() throws IOException {
        var fingerprints = new LinkedHashMap<String, String>();
        ProjectServers.read(Files.readString(file))
                .forEach(server -> fingerprints.put(server.key(), server.fingerprint()));
        approvals().approveOnly(fingerprints);
    }

    private ConfigReadResult read() {
        return new ConfigReader(Map.of("TOKEN", "secret", "OTHER", "secret2"), approvals())
                .read(file);
    }

    private ServerSpec server() {
        return ((ConfigReadResult.Valid) read()).configuration().servers().getFirst();
    }

    private ServerSpec serverOf(Path other) {
        var trust = new ApprovedProject(other, folder, store);
        var read = (ConfigReadResult.Valid) new ConfigReader(Map.of(), trust).read(other);
        return read.configuration().servers().getFirst();
    }

    private String problem() {
        return ((Transport.NotTrusted) server().transport()).problem();
    }
}
