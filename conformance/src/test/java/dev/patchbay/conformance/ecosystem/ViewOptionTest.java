package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** The option {@code --view} of {@code stdio} and {@code install}. */
class ViewOptionTest {
    private static final String VIEWS =
            """
            "views": {"work": {"servers": ["a"], "tools": {"exclude": ["a.wipe", "patchbay.*"]},
                               "rename": {"a.read": "open"}}}\
            """;

    @TempDir private Path folder;
    private TestInstallation installation;
    private ServerScript a;
    private ServerScript b;

    @BeforeEach
    void configure() {
        installation = new TestInstallation(folder);
        a = installation.script("a").tools("read=echo", "list=echo", "wipe=echo");
        b = installation.script("b").tools("send=echo");
        installation.withServer(a).withServer(b).settings(VIEWS).save();
    }

    private TestHost connect() throws InterruptedException {
        TestHost host =
                installation.start(
                        TestInstallation.program()
                                .launcherCommand(
                                        "stdio",
                                        "--config",
                                        installation.configFile().toString(),
                                        "--view",
                                        "work"));
        host.client().initialize("2025-11-25");
        return host;
    }

    @Test
    void clientOfViewSeesItsPartAndFollowsChanges() throws Exception {
        try (TestHost host = connect()) {
            host.awaitTools(List.of("open", "a.list")::equals);
            assertThat(host.callForText("open", "{\"x\":1}")).isEqualTo("{\"x\":1}");
            assertThat(host.client().callTool("a.wipe", "{}").at("error", "message").asText())
                    .isEqualTo("There is no tool 'a.wipe' of server a");
            assertThat(host.client().callTool("b.send", "{}").at("error", "message").asText())
                    .isEqualTo("There is no tool 'b.send'");
            assertThat(a.recording().callArguments("wipe")).isEmpty();
            assertThat(b.recording().startCount()).isZero();

            installation.save(installation.configText().replace("[\"a\"]", "[\"b\"]"));
            host.awaitTools(List.of("b.send")::equals);
            host.client().awaitMethod("notifications/tools/list_changed");
            assertThat(host.callForText("b.send", "{}")).isEqualTo("{}");
        }
    }

    @Test
    void unknownViewIsRefused() throws Exception {
        for (var command :
                List.of(
                        installation.run("stdio", "--view", "wrok"),
                        installation.run("install", "--view", "wrok", "--dry-run", "cursor"))) {
            assertThat(command.status()).isEqualTo(2);
            assertThat(command.err())
                    .contains(
                            "There is no view 'wrok' in "
                                    + installation.configFile()
                                    + ". Its views: work.");
        }
        assertThat(a.recording().startCount()).isZero();
    }

    @Test
    void installWritesTheView() throws Exception {
        var planned =
                installation.run("install", "--view", "work", "--dry-run", "--json", "cursor");
        assertThat(planned.status()).as(planned.err()).isZero();
        assertThat(planned.out())
                .contains("\"" + installation.configFile() + "\",\"--view\",\"work\"]");
    }
}
