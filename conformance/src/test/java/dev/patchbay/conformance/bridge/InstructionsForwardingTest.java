package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Instructions of servers reach clients of both eras. */
class InstructionsForwardingTest {
    private static final String JOINED_INSTRUCTIONS = "# new\n\n> Be brief.\n\n# old\n\n> Be kind.";

    @TempDir private Path folder;

    @Test
    void instructionsOfAllServersReachClientsOfBothErasFromTheSecondStart() throws Exception {
        var installation = new TestInstallation(folder);
        for (String[] server :
                new String[][] {{"old", "legacy", "Be kind."}, {"new", "modern", "Be brief."}}) {
            ServerScript script = ServerScript.named(server[0], folder).era(server[1]);
            installation.withServer(
                    server[0], script.withOption("instructions", server[2]).config());
        }
        installation.save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("old");
            host.awaitListed("new");
        }
        try (TestHost host = installation.start()) {
            assertThat(discoveredInstructions(host)).isEqualTo(JOINED_INSTRUCTIONS);
            String reported =
                    host.client().initialize("2025-11-25").at("result", "instructions").asText();
            assertThat(reported).isEqualTo(JOINED_INSTRUCTIONS);
        }
    }

    @Test
    void instructionsOfANeverConnectedServerAreAbsent() throws Exception {
        var installation = new TestInstallation(folder);
        ServerScript script = ServerScript.named("late", folder).withOption("fail-starts", 1);
        installation.withServer(
                "late", script.withOption("instructions", "Be kind.").config("\"maxRetries\":0"));
        installation.save();
        try (TestHost host = installation.start()) {
            JsonTree reported = host.client().initialize("2025-11-25").at("result");
            assertThat(reported.has("instructions")).isFalse();
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
