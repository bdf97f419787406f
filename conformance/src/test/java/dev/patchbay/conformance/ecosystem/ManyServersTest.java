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
        var bench = new Workbench(folder);
        List<String> names = names("server-%02d", 50);
        names.forEach(name -> SmallServer.healthy(name).into(bench, ""));
        bench.save();
        try (Host host = bench.open()) {
            assertThat(host.toolNames()).isEqualTo(names.stream().map(it -> it + ".who").toList());
            for (String name : names) {
                assertThat(host.text(name + ".who", "{}")).isEqualTo(name);
            }
            assertThat(host.servers())
                    .hasSize(50)
                    .allMatch(server -> server.at("status").text().equals("connected"))
                    .allMatch(server -> server.at("attempts").integer() == 1);
        }
    }

    /** The healthy one is the last in the file; that somebody calls it brings it to the front. */
    @Test
    void threeHundredHungServersDoNotStarveAHealthyOne() throws Exception {
        var bench = new Workbench(folder);
        for (String name : names("hung-%03d", 300)) {
            bench.with(
                    name,
                    "{\"command\": \"sleep\", \"args\": [\"600\"], \"maxRetries\": 0,"
                            + " \"connectionTimeoutMs\": 12000}");
        }
        SmallServer.healthy("well").into(bench, "");
        Duration alone = firstCall();
        bench.save();
        try (Host host = bench.open()) {
            var begun = Stopwatch.start();
            assertThat(host.text("well.who", "{}")).isEqualTo("well");
            assertThat(begun.net()).isLessThan(alone.multipliedBy(3).plusSeconds(1));
            assertThat(host.status("well")).isEqualTo("connected");
            assertThat(hung(host)).as("all are hung at the same time").isEqualTo(300);
            for (int i = 0; i < 100; i++) {
                assertThat(host.text("well.who", "{}")).isEqualTo("well");
            }
            assertThat(host.toolNames()).containsExactly("well.who");
            assertThat(begun.net()).isLessThan(Duration.ofSeconds(25));
            assertThat(Host.await(Host.PATIENCE, () -> inError(host) == 300)).isTrue();
            assertThat(host.text("well.who", "{}")).isEqualTo("well");
        }
    }

    /** How long the first call takes where there is no other server. */
    private Duration firstCall() throws InterruptedException {
        var bench = new Workbench(folder);
        SmallServer.healthy("well").into(bench, "");
        bench.save();
        try (Host host = bench.open()) {
            var begun = Stopwatch.start();
            assertThat(host.text("well.who", "{}")).isEqualTo("well");
            return begun.net();
        }
    }

    private static long hung(Host host) throws InterruptedException {
        return host.servers().stream()
                .filter(server -> server.at("status").text().equals("connecting"))
                .count();
    }

    private static long inError(Host host) {
        try {
            List<JsonTree> servers = host.servers();
            return servers.stream()
                    .filter(server -> server.at("status").text().equals("error"))
                    .filter(it -> it.at("lastError").text().startsWith("CONNECTION_TIMEOUT"))
                    .count();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> names(String pattern, int count) {
        return IntStream.range(0, count).mapToObj(pattern::formatted).toList();
    }
}
