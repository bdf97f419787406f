package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** A server that answers calls it has not read delays only itself. */
class UnreadCallAnswersTest {
    /** Far more than a pipe holds. */
    private static final int CALLS = 60;

    private static final String ARGUMENTS = "{\"text\":\"" + "x".repeat(3000) + "\"}";

    @TempDir private Path folder;

    @Test
    void serverIsDetectedAndStoppedWhileOthersAreCalled() throws Exception {
        var installation = new TestInstallation(folder);
        ShellServer.healthy("calm").addTo(installation, "");
        new ShellServer("liar", "lie").addTo(installation, "");
        try (TestHost host = installation.save().connect()) {
            host.awaitStatus("liar", "connected");
            for (int i = 0; i < CALLS; i++) {
                String params = ClientMessages.callParams("liar.who", ARGUMENTS);
                String lie = host.client().sendRequest("tools/call", params);
                // A call has 60 s by default; the test client waits no longer than half of that.
                assertThat(host.callForText("calm.who", "{}")).isEqualTo("calm");
                host.client().awaitResponse(lie);
            }
            assertThat(Files.readAllLines(folder.resolve("liar.lies")))
                    .as("each time that it began to lie, after it was ended and started again")
                    .hasSizeGreaterThan(1);
        }
    }
}
