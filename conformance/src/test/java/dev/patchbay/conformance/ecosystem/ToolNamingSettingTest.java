package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Arrays;

/** The names that a client sees, by the setting and the name of the client. */
class ToolNamingSettingTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "auto,   my-agent,        hub__create_issue github__create_issue github__search",
        "auto,   claude-code,     hub.create_issue github.create_issue github.search",
        "auto,   claude-ai,       hub__create_issue github__create_issue github__search",
        "dotted, claude-ai,       hub.create_issue github.create_issue github.search",
        "safe,   my-agent,        hub__create_issue github__create_issue github__search",
        "bare,   my-agent,        hub.create_issue github.create_issue search",
    })
    void namesFollowTheSettingAndTheClient(String setting, String client, String names)
            throws Exception {
        var installation = new TestInstallation(folder).settings("\"names\": \"" + setting + "\"");
        installation.withServer(installation.script("hub").tools("create_issue=echo"));
        installation
                .withServer(installation.script("github").tools("create_issue=echo", "search=echo"))
                .save();
        try (TestHost host = installation.start()) {
            host.client()
                    .request(
                            "initialize",
                            """
                            {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":\
                            {"name":%s,"version":"1"}}\
                            """
                                    .formatted(StrictJson.quote(client)));
            host.client().sendNotification("notifications/initialized", "");
            host.awaitListed("hub");
            host.awaitListed("github");
            assertThat(host.toolNames().stream().filter(it -> !it.startsWith("patchbay__")))
                    .containsExactlyInAnyOrderElementsOf(Arrays.asList(names.split(" ", -1)));
            for (String name : names.split(" ", -1)) {
                assertThat(host.callForText(name, "{}")).isEqualTo("{}");
            }
            assertThat(host.callForText("github.search", "{}")).as("the full name").isEqualTo("{}");
            assertThat(host.callForText("search", "{}")).as("the bare one").isEqualTo("{}");
        }
    }
}
