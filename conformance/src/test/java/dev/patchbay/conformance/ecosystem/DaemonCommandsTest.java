package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Commands that the background gateway of their configuration answers. */
class DaemonCommandsTest {
    @TempDir private Path folder;

    @Test
    void commandsUseTheServersOfTheBackgroundGateway() throws Exception {
        try (var fixture = new DaemonFixture(folder);
                TestHost host = fixture.connect()) {
            TestInstallation installation = fixture.installation();
            long server = DaemonFixture.call(host, "a");
            CommandResult call = installation.run("call", "s.count", "n=b");
            assertThat(call.out().strip()).isEqualTo(Long.toString(server));
            assertThat(call.err()).isEmpty();
            JsonTree shown = array(installation.run("servers", "--json")).getFirst();
            assertThat(shown.at("status").asText()).isEqualTo("connected");
            assertThat(installation.run("tools").out()).contains("s.count");
            CommandResult doctor = installation.run("doctor");
            assertThat(doctor.status()).as(doctor.out() + doctor.err()).isEqualTo(0);
            assertThat(fixture.executedCalls()).containsExactly("a", "b");
            assertThat(fixture.serverPids()).containsExactly(server);

            String own = installation.run("call", "s.count", "n=c", "--standalone").out();
            assertThat(own.strip()).isNotEqualTo(Long.toString(server));
            assertThat(fixture.serverPids()).hasSize(2);
        }
    }

    @Test
    void commandSeesAChangeOfTheFileAtOnce() throws Exception {
        try (var fixture = new DaemonFixture(folder);
                TestHost host = fixture.connect()) {
            long server = DaemonFixture.call(host, "a");
            TestInstallation installation = fixture.installation();
            installation.withServer("off", "{\"command\": \"x\", \"enabled\": false}");
            installation.save();
            List<JsonTree> servers = array(installation.run("servers", "--json"));
            assertThat(servers).hasSize(2);
            installation.save("{\"mcpServers\": 7}");
            CommandResult wrong = installation.run("tools");
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err()).contains("patchbay.json:1:");
            assertThat(fixture.serverPids()).containsExactly(server);
        }
    }

    private static List<JsonTree> array(CommandResult result) {
        assertThat(result.err()).isEmpty();
        return StrictJson.parse(result.out()).asList();
    }
}
