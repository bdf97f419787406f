package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Many servers at once, on a machine with few cores. */
class ManyServersTest {
    @TempDir private Path folder;

    @Test
    void fiftyServersStartAndAreListed() throws Exception {
        var installation = new TestInstallation(folder);
        List<String> names = names("server-%02d", 50);
        names.forEach(name -> ShellServer.healthy(name).addTo(installation, ""));
        installation.save();
        try (TestHost host = installation.connect()) {
            assertThat(host.toolNames()).isEqualTo(names.stream().map(it -> it + ".who").toList());
            for (String name : names) {
                assertThat(host.callForText(name + ".who", "{}")).isEqualTo(name);
            }
            assertThat(host.servers())
                    .hasSize(50)
                    .allMatch(server -> server.at("status").asText().equals("connected"))
                    .allMatch(server -> server.at("attempts").asLong() == 1);
        }
    }

    /** The healthy server is the last in the file; a call gives it priority. */
    @Test
    void threeHundredHungServersDoNotStarveAHealthyOne() throws Exception {
        var installation = new TestInstallation(folder);
        for (String name : names("hung-%03d", 300)) {
            installation.withServer(
                    name,
                    "{\"command\": \"sleep\", \"args\": [\"600\"], \"maxRetries\": 0,"
                            + " \"connectionTimeoutMs\": 12000}");
        }
        ShellServer.healthy("well").addTo(installation, "");
        Duration alone = firstCallDuration();
        installation.save();
        try (TestHost host = installation.connect()) {
            var begun = Stopwatch.start();
            assertThat(host.callForText("well.who", "{}")).isEqualTo("well");
            assertThat(begun.activeTime()).isLessThan(alone.multipliedBy(3).plusSeconds(1));
            assertThat(host.status("well")).isEqualTo("connected");
            assertThat(hungCount(host)).as("all are hung at the same time").isEqualTo(300);
            for (int i = 0; i < 100; i++) {
                assertThat(host.callForText("well.who", "{}")).isEqualTo("well");
            }
            assertThat(host.toolNames()).containsExactly("well.who");
            assertThat(begun.activeTime()).isLessThan(Duration.ofSeconds(25));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> errorCount(host) == 300)).isTrue();
            assertThat(host.callForText("well.who", "{}")).isEqualTo("well");
        }
    }

    /** The duration of the first call without other servers. */
    private Duration firstCallDuration() throws InterruptedException {
        var installation = new TestInstallation(folder);
        ShellServer.healthy("well").addTo(installation, "");
        installation.save();
        try (TestHost host = installation.connect()) {
            var begun = Stopwatch.start();
            assertThat(host.callForText("well.who", "{}")).isEqualTo("well");
            return begun.activeTime();
        }
    }

    private static long hungCount(TestHost host) throws InterruptedException {
        return host.servers().stream()
                .filter(server -> server.at("status").asText().equals("connecting"))
                .count();
    }

    private static long errorCount(TestHost host) {
        try {
            List<JsonTree> servers = host.servers();
            return servers.stream()
                    .filter(server -> server.at("status").asText().equals("error"))
                    .filter(it -> it.at("lastError").asText().startsWith("CONNECTION_TIMEOUT"))
                    .count();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> names(String pattern, int count) {
        return IntStream.range(0, count).mapToObj(pattern::formatted).toList();
    }
}
