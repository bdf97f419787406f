package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A gateway that may open few files has fewer servers, and is well otherwise. */
class FewFilesTest {
    private static final List<String> NAMES =
            IntStream.range(0, 41).mapToObj("server-%02d"::formatted).toList();

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {64, 120})
    void serversBeyondTheLimitOfOpenFilesAreErrorsByName(int files) throws Exception {
        var bench = new Workbench(folder).through(command -> limited(files, command));
        try (var around = new Neighbourhood(bench);
                Watch _ = around.watch()) {
            Host host = around.host();
            NAMES.forEach(name -> SmallServer.healthy(name).into(bench, "\"maxRetries\": 0"));
            bench.save();
            assertThat(Host.await(Host.PATIENCE, () -> settled(host))).isTrue();
            List<String> refused = with("error", host.servers());
            List<String> connected = with("connected", host.servers());
            assertThat(refused).isNotEmpty();
            assertThat(connected).isNotEmpty();
            assertThat(running(host)).containsExactlyInAnyOrderElementsOf(connected);
            for (String name : refused) {
                assertThat(host.lastError(name)).contains(name, "Too many files are open");
            }
            for (String name : connected) {
                assertThat(host.text(name + ".who", "{}")).isEqualTo(name);
            }
            connected.forEach(bench::without);
            bench.save();
            assertThat(Host.await(Host.PATIENCE, () -> !host.knows(connected.getLast()))).isTrue();
            String next = refused.getFirst();
            assertThat(Host.await(Host.PATIENCE, () -> answers(host, next)))
                    .as("Room again, but: %s", host.lastError(next))
                    .isTrue();
        }
    }

    /** The servers that have a process, as the system tells. */
    private static List<String> running(Host host) {
        return host.descendants().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> process.info().arguments().stream())
                .flatMap(arguments -> NAMES.stream().filter(List.of(arguments)::contains))
                .toList();
    }

    private static List<String> limited(int files, List<String> command) {
        String limit = "ulimit -n " + files + "; exec \"$@\"";
        var words = new ArrayList<>(List.of("/bin/sh", "-c", limit, "few-files"));
        words.addAll(command);
        return words;
    }

    private static boolean settled(Host host) {
        try {
            List<JsonTree> all = host.servers();
            return with("error", all).size() + with("connected", all).size() == NAMES.size();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean answers(Host host, String name) {
        try {
            return !Host.isError(host.result(name + ".who", "{}"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> with(String status, List<JsonTree> servers) {
        return servers.stream()
                .filter(server -> server.at("status").text().equals(status))
                .map(server -> server.at("serverId").text())
                .filter(NAMES::contains)
                .toList();
    }
}
