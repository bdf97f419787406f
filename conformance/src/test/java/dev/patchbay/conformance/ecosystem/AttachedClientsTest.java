package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Clients that attach to the background gateway of the user. */
class AttachedClientsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir private Path folder;

    @Test
    void clientsThatStartAtTheSameInstantShareOneGatewayAndItsServers() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            var hosts = new ArrayList<TestHost>();
            for (int i = 0; i < 3; i++) {
                hosts.add(fixture.start());
            }
            Set<Long> servers = new HashSet<>();
            for (TestHost host : hosts) {
                host.client().initialize("2025-11-25");
                servers.add(DaemonFixture.call(host, "a"));
            }
            assertThat(servers).hasSize(1);
            assertThat(fixture.serverPids()).hasSize(1);
            assertThat(fixture.status().at("clients").asList()).hasSize(3);
            hosts.forEach(TestHost::close);
            assertThat(Await.becomesTrue(() -> fixture.status().at("clients").asList().isEmpty()))
                    .isTrue();
            assertThat(fixture.installation().runWithoutConfig("daemon", "status").out())
                    .contains("Running: process " + fixture.pid(), "s  connected");
        }
    }

    @Test
    void socketOfAKilledDaemonIsReplaced() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            Files.createDirectories(
                    fixture.socketDirectory(),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                left.bind(
                        UnixDomainSocketAddress.of(
                                fixture.socketDirectory().resolve("daemon.sock")));
            }
            try (TestHost host = fixture.connect()) {
                DaemonFixture.call(host, "a");
                assertThat(fixture.status().at("clients").asList()).hasSize(1);
                assertThat(host.client().stderr()).isEmpty();
            }
        }
    }

    @Test
    void servesAloneIfOthersMayEnterTheDirectory() throws Exception {
        var fixture = new DaemonFixture(folder);
        Files.createDirectories(fixture.socketDirectory());
        Files.setPosixFilePermissions(
                fixture.socketDirectory(), PosixFilePermissions.fromString("rwxrwxrwx"));
        TestHost host = fixture.connect();
        DaemonFixture.call(host, "a");
        host.close();
        assertThat(host.client().stderr())
                .containsOnlyOnce("The background gateway cannot be used")
                .contains("chmod 700", "serves alone");
        assertThat(fixture.hasDaemon()).isFalse();
        fixture.assertNoServerLeft();
    }

    @Test
    void attachOnlyFailsIfTheDirectoryCannotBeCreated() throws Exception {
        var fixture = new DaemonFixture(folder);
        Files.createDirectories(fixture.socketDirectory().getParent());
        Files.writeString(fixture.socketDirectory(), "a file in the place of the directory");
        TestHost host = fixture.start("--attach-only");
        assertThat(host.client().exitCode(TIMEOUT)).isEqualTo(1);
        assertThat(host.client().stderr()).contains("The background gateway cannot be used");
        host.client().close();
    }

    @Test
    void wrongConfigurationIsReportedToTheClientThatHasIt() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            try (TestHost host = fixture.connect()) {
                DaemonFixture.call(host, "a");
                fixture.installation().save("{\"mcpServers\": {\"daemon\": 7}, \"x\": ");
                TestHost other = fixture.start("--attach-only");
                assertThat(other.client().exitCode(TIMEOUT)).isEqualTo(2);
                assertThat(other.client().stderr()).contains("patchbay.json:1:");
                other.client().close();
                DaemonFixture.call(host, "b");
            }
        }
    }

    @Test
    void clientsOfViewsShareTheGatewayAndSeeTheirPart() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            fixture.installation()
                    .settings(
                            "\"views\": {\"work\": {\"rename\": {\"s.count\": \"add\"}},"
                                    + " \"none\": {\"servers\": []}}")
                    .save();
            try (TestHost whole = fixture.connect();
                    TestHost work = fixture.start("--view", "work");
                    TestHost none = fixture.start("--attach-only", "--view", "none")) {
                work.client().initialize("2025-11-25");
                none.client().initialize("2025-11-25");
                long server = DaemonFixture.call(whole, "a");
                assertThat(work.callForText("add", "{\"n\":\"b\"}"))
                        .isEqualTo(Long.toString(server));
                assertThat(none.client().callTool("s.count", "{}").at("error", "message").asText())
                        .isEqualTo("There is no tool 's.count'");
                assertThat(fixture.serverPids()).hasSize(1);
            }
            TestHost unknown = fixture.start("--view", "wrok");
            assertThat(unknown.client().exitCode(TIMEOUT)).isEqualTo(2);
            assertThat(unknown.client().stderr()).contains("There is no view 'wrok'");
            unknown.client().close();
        }
    }

    @Test
    void clientsContinueAfterStop() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            try (TestHost host = fixture.connect()) {
                long server = DaemonFixture.call(host, "a");
                long daemon = fixture.pid();
                fixture.ask("{\"patchbay\":1,\"request\":\"stop\"}");
                assertThat(Await.becomesTrue(() -> !ProcessInspector.isAlive(daemon))).isTrue();
                fixture.assertNoServerLeft();
                assertThat(DaemonFixture.call(host, "b")).isNotEqualTo(server);
            }
        }
    }

    /** A call that began before the upgrade ends at the old gateway; later ones use the new. */
    @Test
    void upgradeDoesNotBreakClients() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            try (TestHost host = fixture.connect()) {
                long server = DaemonFixture.call(host, "a");
                long daemon = fixture.pid();
                String slow =
                        host.client()
                                .sendRequest(
                                        "tools/call",
                                        "{\"name\":\"s.count\",\"arguments\":"
                                                + "{\"n\":\"slow\",\"wait\":true}}");
                assertThat(Await.becomesTrue(() -> fixture.executedCalls().contains("slow")))
                        .isTrue();
                JsonTree refused = fixture.ask(attachRequest(folder));
                assertThat(refused.at("reason").asText()).isEqualTo("ending");
                assertThat(Await.becomesTrue(() -> fixture.hasDaemon() && fixture.pid() != daemon))
                        .isTrue();
                assertThat(DaemonFixture.call(host, "b")).isNotEqualTo(server);
                Files.createFile(folder.resolve("go"));
                assertThat(
                                host.client()
                                        .awaitResponse(slow)
                                        .at("result", "content", 0, "text")
                                        .asText())
                        .isEqualTo(Long.toString(server));
                assertThat(Await.becomesTrue(() -> !ProcessInspector.isAlive(daemon))).isTrue();
            }
            assertThat(fixture.executedCalls()).containsExactly("a", "slow", "b");
        }
    }

    /** What a client of a later version sends when it starts. */
    private static String attachRequest(Path folder) throws IOException {
        String path = StrictJson.quote(folder.toRealPath().toString());
        return ("{\"patchbay\":1,\"request\":\"attach\",\"version\":\"999.0\",\"build\":\"b\","
                        + "\"launcher\":\"l\",\"new\":true,\"pid\":1,\"workingDirectory\":%s,"
                        + "\"home\":%s,\"questionIdMin\":0,\"environment\":{}}")
                .formatted(path, path);
    }

    @Test
    void daemonEndsSomeTimeAfterItsLastClient() throws Exception {
        var fixture = new DaemonFixture(folder);
        fixture.installation().save(fixture.installation().configText().replace("600000", "200"));
        TestHost host = fixture.connect();
        DaemonFixture.call(host, "a");
        long daemon = fixture.pid();
        host.close();
        assertThat(Await.becomesTrue(() -> !ProcessInspector.isAlive(daemon))).isTrue();
        assertThat(fixture.hasDaemon()).isFalse();
        fixture.assertNoServerLeft();
        assertThat(List.of(fixture.installation().runWithoutConfig("daemon", "status").status()))
                .containsExactly(1);
    }
}
