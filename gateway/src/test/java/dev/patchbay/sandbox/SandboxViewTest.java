package dev.patchbay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.server.PermanentOpenException;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxPolicy.Standard;
import dev.patchbay.server.SandboxPolicy.Strict;
import dev.patchbay.server.SandboxUnavailableException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;

/** Which files a confined program sees. */
class SandboxViewTest {
    private static final Standard STANDARD = new Standard(List.of(), List.of());

    @TempDir private Path root;
    private Path home;
    private Path project;

    @BeforeEach
    void createHome() throws Exception {
        home = Files.createDirectory(root.resolve("home"));
        project = Files.createDirectory(home.resolve("project"));
        Files.writeString(project.resolve("patchbay.json"), "secret");
        Files.writeString(project.resolve("notes"), "notes");
        Files.createDirectory(home.resolve(".npm"));
        Files.createDirectory(home.resolve(".kube"));
        Files.writeString(home.resolve(".kube/config"), "secret");
        Files.createDirectory(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/id"), "secret");
        Files.writeString(home.resolve(".ssh/known_hosts"), "hosts");
        Files.writeString(home.resolve("letter"), "letter");
    }

    private SandboxHost host(String mechanism) {
        var variables = new HashMap<>(System.getenv());
        variables.remove("XDG_CACHE_HOME");
        variables.put(ServerSandbox.MECHANISM_VARIABLE, mechanism);
        return new SandboxHost(
                variables, home, root.resolve("state"), List.of(project.resolve("patchbay.json")));
    }

    private String run(String mechanism, SandboxPolicy policy, Path folder, String script)
            throws Exception {
        assumeTrue(SandboxTrial.isAvailable(mechanism), mechanism + " does not work here");
        List<String> lines =
                SandboxTrial.lines(
                        host(mechanism), policy, List.of("/bin/sh", "-c", script), folder);
        return String.join("\n", lines.subList(0, lines.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void standardShowsFilesAndHidesCredentials(String mechanism) throws Exception {
        String seen =
                run(
                        mechanism,
                        STANDARD,
                        project,
                        "cat notes ../letter ../.ssh/id ../.kube/config patchbay.json 2>/dev/null");
        assertThat(seen).isEqualTo("notesletter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void standardLetsWriteToTheProjectAndCachesOnly(String mechanism) throws Exception {
        Files.delete(project.resolve("patchbay.json"));
        run(
                mechanism,
                STANDARD,
                project,
                "echo 1 >made; echo 1 >../.npm/made; echo 1 >../made; echo 1 >$TMPDIR/x; cat"
                        + " $TMPDIR/x");
        assertThat(project.resolve("made")).exists();
        assertThat(home.resolve(".npm/made")).exists();
        assertThat(home.resolve("made")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void homeFolderIsNotWritableAsWorkingDirectory(String mechanism) throws Exception {
        run(mechanism, STANDARD, home, "echo 1 >.profile; echo 1 >letter");
        assertThat(home.resolve(".profile")).doesNotExist();
        assertThat(home.resolve("letter")).hasContent("letter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void pathsThatTheUserNamesAreVisible(String mechanism) throws Exception {
        var policy =
                new Standard(
                        List.of("~/.kube", home.resolve(".ssh/known_hosts").toString()),
                        List.of("~/letter"));
        String seen =
                run(
                        mechanism,
                        policy,
                        project,
                        "cat ../.kube/config ../.ssh/known_hosts; cat ../.ssh/id; echo new"
                                + " >../letter");
        assertThat(seen).startsWith("secrethosts").doesNotContain("secrethostssecret");
        assertThat(home.resolve("letter")).hasContent("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void readingTheHomeFolderDoesNotRevealCredentials(String mechanism) throws Exception {
        String seen =
                run(
                        mechanism,
                        new Strict(List.of("~"), List.of(), List.of()),
                        project,
                        "cat ../letter ../.ssh/id ../.kube/config 2>/dev/null");
        assertThat(seen).isEqualTo("letter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bubblewrap", "landlock"})
    void strictShowsOnlyWhatIsListed(String mechanism) throws Exception {
        var policy =
                new Strict(List.of("notes"), List.of(home.resolve(".npm").toString()), List.of());
        String seen =
                run(
                        mechanism,
                        policy,
                        project,
                        "cat notes ../letter /etc/hostname 2>/dev/null; echo 1 >made; echo 1"
                                + " >../.npm/made");
        assertThat(seen).startsWith("notes").doesNotContain("letter");
        assertThat(project.resolve("made")).doesNotExist();
        assertThat(home.resolve(".npm/made")).exists();
    }

    @Test
    void linkOutOfAWritableFolderIsRefused() throws Exception {
        Files.createSymbolicLink(project.resolve("data"), home.resolve("letter"));
        var views = new SandboxViewFactory(host("landlock"));
        var policy = new Strict(List.of("data"), List.of("."), List.of());
        assertThatThrownBy(() -> views.strict(policy, Path.of("/bin/sh"), project))
                .isInstanceOf(PermanentOpenException.class)
                .hasMessageContaining("link out of a folder");
    }

    @Test
    void linkToCredentialsIsRefused() throws Exception {
        Files.createSymbolicLink(home.resolve("data"), home.resolve(".ssh"));
        var views = new SandboxViewFactory(host("landlock"));
        var policy = new Strict(List.of("~/data"), List.of(), List.of());
        assertThatThrownBy(() -> views.strict(policy, Path.of("/bin/sh"), project))
                .isInstanceOf(PermanentOpenException.class)
                .hasMessageContaining("hidden");
    }

    @Test
    void pathThatDoesNotExistIsRefused() {
        var views = new SandboxViewFactory(host("landlock"));
        var policy = new Strict(List.of("~/absent"), List.of(), List.of());
        assertThatThrownBy(() -> views.strict(policy, Path.of("/bin/sh"), project))
                .isInstanceOf(PermanentOpenException.class)
                .hasMessageContaining("sandbox.read: no such file: " + home.resolve("absent"));
    }

    @Test
    void npmSettingsAreHiddenIfTheyHoldAToken() throws Exception {
        Path settings = Files.writeString(home.resolve(".npmrc"), "registry=https://r.example/\n");
        assertThat(CredentialPaths.existing(List.of(home))).doesNotContain(settings.toRealPath());
        Files.writeString(settings, "//r.example/:_authToken=x\n");
        assertThat(CredentialPaths.existing(List.of(home))).contains(settings.toRealPath());
    }

    @Test
    void hostsWithoutBubblewrapAreRefused() throws Exception {
        assumeTrue(SeccompFilter.Architecture.current() != null);
        var endpoint = new SandboxPolicy.Endpoint("api.example.com", 443);
        var policy = new Strict(List.of(), List.of(), List.of(endpoint));
        try (var sandbox = new ServerSandbox(() -> host("landlock"))) {
            var launcher = sandbox.launcher("one", policy);
            var builder = new ProcessBuilder("/bin/true").directory(project.toFile());
            assertThatThrownBy(() -> launcher.launch(builder))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("needs bubblewrap")
                    .hasMessageContaining("Install bubblewrap");
        }
    }
}
