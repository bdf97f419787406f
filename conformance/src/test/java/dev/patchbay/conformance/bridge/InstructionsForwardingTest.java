package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What servers tell whoever uses them reaches clients of both eras. */
class InstructionsForwardingTest {
    private static final String JOINED_INSTRUCTIONS = "# new\n\nBe brief.\n\n# old\n\nBe kind.";

    @TempDir private Path folder;

    @Test
    void instructionsOfAllServersReachClientsOfBothErasFromTheSecondStart() throws Exception {
        var bench = new TestInstallation(folder);
        for (String[] server :
                new String[][] {{"old", "legacy", "Be kind."}, {"new", "modern", "Be brief."}}) {
            ServerScript script = ServerScript.named(server[0], folder).era(server[1]);
            bench.withServer(server[0], script.withOption("instructions", server[2]).config());
        }
        bench.save();
        try (TestHost host = bench.connect()) {
            host.awaitListed("old");
            host.awaitListed("new");
        }
        try (TestHost host = bench.start()) {
            assertThat(discoveredInstructions(host)).isEqualTo(JOINED_INSTRUCTIONS);
            String told =
                    host.client().initialize("2025-11-25").at("result", "instructions").asText();
            assertThat(told).isEqualTo(JOINED_INSTRUCTIONS);
        }
    }

    @Test
    void instructionsOfANeverConnectedServerAreAbsent() throws Exception {
        var bench = new TestInstallation(folder);
        ServerScript script = ServerScript.named("late", folder).withOption("fail-starts", 1);
        bench.withServer(
                "late", script.withOption("instructions", "Be kind.").config("\"maxRetries\":0"));
        bench.save();
        try (TestHost host = bench.start()) {
            JsonTree told = host.client().initialize("2025-11-25").at("result");
            assertThat(told.has("instructions")).isFalse();
            host.awaitStatus("late", "error");
            assertThat(host.callForText("late.echo", "{}")).isEqualTo("{}");
            assertThat(discoveredInstructions(host)).contains("Be kind.");
        }
    }

    private static String discoveredInstructions(TestHost host) throws InterruptedException {
        return host.client()
                .modernRequest("server/discover", "{}")
                .at("result", "instructions")
                .asText();
    }
}
