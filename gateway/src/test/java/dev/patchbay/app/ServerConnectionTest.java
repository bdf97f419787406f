package dev.patchbay.app;

import static dev.patchbay.app.Supervision.PATIENCE;
import static dev.patchbay.app.Supervision.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.CallOptions;
import dev.patchbay.server.Link;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Connecting real processes: eras, timeouts, retries. */
class ServerConnectionTest {
    @TempDir Path folder;
    private final Supervision supervision = new Supervision();

    @AfterEach
    void endEverything() {
        supervision.close();
    }

    @Test
    @Tag("INV-MCP-ECO-200")
    void connectsALegacyServerAndCallsIt() throws Exception {
        var script = ServerScript.named("alpha", folder);
        var supervisor = supervision.of(script, limits(10_000, 0));
        Link link = supervisor.link(PATIENCE);
        assertThat(link.facts().version()).isEqualTo(ProtocolVersion.V2025_11_25);
        assertThat(link.facts().offers("tools")).isTrue();
        var outcome = call(link, "echo", "{\"n\":0.1000,\"big\":12345678901234567890}");
        assertThat(outcome).isInstanceOf(CallOutcome.Result.class);
        assertThat(script.record().calls("echo"))
                .containsExactly("{\"n\":0.1000,\"big\":12345678901234567890}");
        assertThat(supervision.seen).containsExactly(Status.CONNECTING, Status.CONNECTED);
        assertThat(supervisor.state().lastConnectedAt()).isNotNull();
        assertThat(script.record().violations()).isEmpty();
    }

    private static CallOutcome call(Link link, String tool, String arguments)
            throws InterruptedException {
        Json params = Json.of("{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
        return link.call("tools/call", params, CallOptions.own(Duration.ofSeconds(10)));
    }
}
