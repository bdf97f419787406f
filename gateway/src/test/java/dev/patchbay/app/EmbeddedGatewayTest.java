package dev.patchbay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.testkit.OverHttp;
import dev.patchbay.testkit.Processes;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The gateway as a part of another program. */
class EmbeddedGatewayTest {
    @TempDir private Path folder;

    @Test
    void reachesServersInEveryWayAndLeavesNoneBehind() throws Exception {
        ServerScript near = ServerScript.named("near", folder).tools("add");
        ServerScript far = ServerScript.named("far", folder).tools("add");
        List<String> words = near.command();
        List<String> args = words.subList(1, words.size());
        try (var http = OverHttp.start(far, "modern");
                var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            var program = new Transport.Stdio(words.getFirst(), args, Map.of(), null);
            var url = new Transport.Http(http.url(), Map.of());
            gateway.register(List.of(spec("near", program), spec("far", url)));
            assertThat(gateway.discover(DiscoveryRequest.ALL).serverResults())
                    .hasSize(2)
                    .allMatch(it -> it.status() == DiscoveryResult.Status.SUCCESS);
            for (String tool : List.of("near.add", "far.add")) {
                var call = Invocation.of(tool, Json.of("{\"a\":1,\"b\":2}"));
                assertThat(gateway.invoke(call).isSuccess()).as(tool).isTrue();
            }
        }
        assertThat(Supervision.comesTrue(() -> !Processes.alive(near.record().pids().getFirst())))
                .isTrue();
    }

    private static ServerSpec spec(String id, Transport transport) {
        return new ServerSpec(new ServerId(id), transport, Options.DEFAULTS);
    }
}
