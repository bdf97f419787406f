package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.app.ProcessOpener;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.stdio.Janitor;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The example of docs/embedding.md, as a program would write it. */
class EmbeddingTest {
    @TempDir private Path folder;

    @Test
    void theExampleOfTheDocumentRuns() throws Exception {
        List<String> words = ServerScript.named("calc", folder).tools("add").command();
        String command = words.getFirst();
        List<String> args = words.subList(1, words.size());

        // docs/embedding.md begins
        var calc =
                new ServerSpec(
                        new ServerId("calc"),
                        new Transport.Stdio(command, args, Map.of(), null),
                        Options.DEFAULTS);
        try (var janitor = new Janitor();
                var gateway =
                        Gateway.open(
                                GatewaySettings.DEFAULTS,
                                new ProcessOpener(janitor),
                                InstantSource.system())) {
            gateway.register(calc);
            for (var row : gateway.discover(DiscoveryRequest.ALL).serverResults()) {
                assertThat(row.status()).isEqualTo(DiscoveryResult.Status.SUCCESS);
            }
            var call = Invocation.of("calc.add", Json.of("{\"a\":1,\"b\":2}"));
            InvocationResult result = gateway.invoke(call);
            switch (result.reply()) {
                case Reply.Answered(_, Json answer) -> assertThat(answer.toString()).contains("3");
                case Reply.Refused _, Reply.Failed _, Reply.Unfit _, Reply.Unresolved _ ->
                        throw new AssertionError(result.problem());
            }
        }
        // docs/embedding.md ends
    }
}
