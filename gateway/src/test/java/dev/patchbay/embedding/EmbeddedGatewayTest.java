package dev.patchbay.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ScriptedHttpServer;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The gateway as a part of another program. */
class EmbeddedGatewayTest {
    @TempDir private Path folder;

    @Test
    void connectsOverEveryTransportAndLeavesNoProcessBehind() throws Exception {
        ServerScript near = ServerScript.named("near", folder).tools("add");
        ServerScript far = ServerScript.named("far", folder).tools("add");
        try (var http = ScriptedHttpServer.start(far, "modern");
                var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            var url = new Transport.Http(http.url(), Map.of());
            gateway.register(List.of(spec("near", transport(near)), spec("far", url)));
            assertThat(gateway.discover(DiscoveryRequest.ALL).serverResults())
                    .hasSize(2)
                    .allMatch(it -> it.status() == DiscoveryResult.DiscoveryStatus.SUCCESS);
            for (String tool : List.of("near.add", "far.add")) {
                var call = Invocation.of(tool, Json.of("{\"a\":1,\"b\":2}"));
                assertThat(gateway.invoke(call).isSuccess()).as(tool).isTrue();
            }
            Catalog held = gateway.catalog();
            gateway.disable(new ServerId("far"));
            assertThat(gateway.catalog().tools()).hasSize(1);
            assertThat(held.tools()).as("a snapshot").hasSize(2);
        }
        assertThat(
                        SupervisorFixture.becomesTrue(
                                () ->
                                        !ProcessInspector.isAlive(
                                                near.recording().pids().getFirst())))
                .isTrue();
    }

    /** The server says nothing for as long as the test lasts. */
    @Test
    void queriesReturnKnownStateWithoutWaiting() {
        ServerScript mute = ServerScript.named("mute", folder).at("initialize=hang");
        try (var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            gateway.register(spec("mute", transport(mute)));
            var watch = Stopwatch.start();
            assertThat(gateway.catalog().tools()).isEmpty();
            assertThat(gateway.tools()).isEmpty();
            assertThat(gateway.lookup("mute.echo")).isInstanceOf(LookupResult.NotFound.class);
            assertThat(gateway.servers()).hasSize(1);
            assertThat(watch.activeTime()).isLessThan(Duration.ofMillis(500));
        }
    }

    @Test
    void listenerReceivesEventsUntilRemoved() throws Exception {
        var heard = new CopyOnWriteArrayList<String>();
        var listener =
                new GatewayListener() {
                    @Override
                    public void stateChanged(ServerId id, ServerState before, ServerState after) {
                        heard.add(id + " " + after.status().text());
                    }

                    @Override
                    public void listChanged(String list) {
                        heard.add(list);
                    }
                };
        try (var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            gateway.addListener(listener);
            gateway.register(spec("a", transport(ServerScript.named("a", folder))));
            gateway.discover(DiscoveryRequest.ALL);
            assertThat(SupervisorFixture.becomesTrue(() -> heard.contains("tools"))).isTrue();
            assertThat(heard).containsSubsequence("a connecting", "a connected");
            gateway.removeListener(listener);
            heard.clear();
            gateway.disable(new ServerId("a"));
            gateway.register(spec("b", transport(ServerScript.named("b", folder))));
            gateway.discover(DiscoveryRequest.ALL);
            assertThat(heard).isEmpty();
        }
    }

    private static Transport transport(ServerScript script) {
        List<String> words = script.command();
        List<String> args = words.subList(1, words.size());
        return new Transport.Stdio(words.getFirst(), args, Map.of(), null);
    }

    private static ServerSpec spec(String id, Transport transport) {
        return new ServerSpec(new ServerId(id), transport, Options.DEFAULTS);
    }
}
