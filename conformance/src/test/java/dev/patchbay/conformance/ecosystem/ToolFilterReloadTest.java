package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Changes of a tool filter while its server runs. */
class ToolFilterReloadTest {
    private static final String NO_WIPE = "\"tools\": {\"exclude\": [\"w*\"]}";
    private static final String WIPE_ONLY = "\"tools\": {\"include\": [\"wipe\"]}";

    @TempDir private Path folder;

    @Test
    void filterChangeTakesEffectWithoutServerRestart() throws Exception {
        var installation = new TestInstallation(folder);
        ServerScript a = installation.script("a").tools("read=echo", "wipe=echo");
        installation.withServer(a, NO_WIPE).save();
        try (TestHost host = installation.connect()) {
            host.awaitStatus("a", "connected");
            host.awaitListed("a");
            assertThat(host.toolNames()).containsExactly("a.read");
            assertRefused(host, "a.wipe");
            assertThat(host.callForText("patchbay.explain", "{\"name\":\"a.wipe\"}"))
                    .contains("filtered");

            installation.withServer(a, WIPE_ONLY).save();
            host.awaitTools(List.of("a.wipe")::equals);
            host.client().awaitMethod("notifications/tools/list_changed");
            assertThat(host.callForText("a.wipe", "{}")).isEqualTo("{}");
            assertRefused(host, "a.read");

            installation.withServer(a).save();
            host.awaitTools(List.of("a.read", "a.wipe")::equals);
            assertThat(a.recording().startCount()).isEqualTo(1);
            assertThat(a.recording().receivedCount("tools/list")).isEqualTo(1);
            assertThat(a.recording().callArguments("wipe")).hasSize(1);
        }
    }

    private static void assertRefused(TestHost host, String tool) throws InterruptedException {
        JsonTree error = host.client().callTool(tool, "{}").at("error");
        assertThat(error.at("code").asLong()).isEqualTo(-32602);
        assertThat(error.at("message").asText()).contains(tool + " is filtered");
        assertThat(error.at("data", "reason").asText()).isEqualTo("TOOL_NOT_FOUND");
    }
}
