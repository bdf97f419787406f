package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Which tools of a server clients get, as the configuration says now. */
class FilteredToolsTest {
    private static final String NO_WIPE = "\"tools\": {\"exclude\": [\"w*\"]}";
    private static final String WIPE_ONLY = "\"tools\": {\"include\": [\"wipe\"]}";

    @TempDir private Path folder;

    @Test
    void aFilterTakesEffectWhileItsServerRunsOn() throws Exception {
        var bench = new Workbench(folder);
        ServerScript a = bench.script("a").tools("read=echo", "wipe=echo");
        bench.with(a, NO_WIPE).save();
        try (Host host = bench.open()) {
            host.awaitStatus("a", "connected");
            host.awaitListed("a");
            assertThat(host.toolNames()).containsExactly("a.read");
            refused(host, "a.wipe");
            assertThat(host.text("patchbay.explain", "{\"name\":\"a.wipe\"}")).contains("filtered");

            bench.with(a, WIPE_ONLY).save();
            host.awaitTools(List.of("a.wipe")::equals);
            host.client().awaitMethod("notifications/tools/list_changed");
            assertThat(host.text("a.wipe", "{}")).isEqualTo("{}");
            refused(host, "a.read");

            bench.with(a).save();
            host.awaitTools(List.of("a.read", "a.wipe")::equals);
            assertThat(a.record().starts()).isEqualTo(1);
            assertThat(a.record().count("tools/list")).isEqualTo(1);
            assertThat(a.record().calls("wipe")).hasSize(1);
        }
    }

    private static void refused(Host host, String tool) throws InterruptedException {
        JsonTree error = host.client().call(tool, "{}").at("error");
        assertThat(error.at("code").integer()).isEqualTo(-32602);
        assertThat(error.at("message").text()).contains(tool + " is filtered");
        assertThat(error.at("data", "reason").text()).isEqualTo("TOOL_NOT_FOUND");
    }
}
