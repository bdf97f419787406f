package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Host;
import dev.patchbay.conformance.ecosystem.Workbench;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What servers tell whoever uses them reaches clients of both eras. */
class InstructionsTest {
    private static final String JOINED = "# new\n\nBe brief.\n\n# old\n\nBe kind.";

    @TempDir private Path folder;

    @Test
    void ofAllServersReachClientsOfBothErasAtOnceFromTheSecondStartOn() throws Exception {
        var bench = new Workbench(folder);
        for (String[] server :
                new String[][] {{"old", "legacy", "Be kind."}, {"new", "modern", "Be brief."}}) {
            ServerScript script = ServerScript.named(server[0], folder).era(server[1]);
            bench.with(server[0], script.with("instructions", server[2]).config());
        }
        bench.save();
        try (Host host = bench.open()) {
            host.awaitListed("old");
            host.awaitListed("new");
        }
        try (Host host = bench.start()) {
            assertThat(discovered(host)).isEqualTo(JOINED);
            String told =
                    host.client().initialize("2025-11-25").at("result", "instructions").text();
            assertThat(told).isEqualTo(JOINED);
        }
    }

    @Test
    void ofAServerThatWasNeverReachedAreNotKnown() throws Exception {
        var bench = new Workbench(folder);
        ServerScript script = ServerScript.named("late", folder).with("fail-starts", 1);
        bench.with("late", script.with("instructions", "Be kind.").config("\"maxRetries\":0"));
        bench.save();
        try (Host host = bench.start()) {
            JsonTree told = host.client().initialize("2025-11-25").at("result");
            assertThat(told.has("instructions")).isFalse();
            host.awaitStatus("late", "error");
            assertThat(host.text("late.echo", "{}")).isEqualTo("{}");
            assertThat(discovered(host)).contains("Be kind.");
        }
    }

    private static String discovered(Host host) throws InterruptedException {
        return host.client().modern("server/discover", "{}").at("result", "instructions").text();
    }
}
