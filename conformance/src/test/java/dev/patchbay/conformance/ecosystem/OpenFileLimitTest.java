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

/** A gateway with a low limit of open files starts fewer servers and otherwise works. */
class OpenFileLimitTest {
    private static final List<String> NAMES =
            IntStream.range(0, 41).mapToObj("server-%02d"::formatted).toList();

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {64, 120})
    void serversBeyondTheOpenFileLimitAreReportedByName(int files) throws Exception {
        var installation =
                new TestInstallation(folder).wrapCommands(command -> withFileLimit(files, command));
        try (var gateway = new GatewayWithFaultyServer(installation);
                HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            TestHost host = gateway.host();
            NAMES.forEach(
                    name -> ShellServer.healthy(name).addTo(installation, "\"maxRetries\": 0"));
            installation.save();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> isSettled(host))).isTrue();
            List<String> refused = idsWithStatus("error", host.servers());
            List<String> connected = idsWithStatus("connected", host.servers());
            assertThat(refused).isNotEmpty();
            assertThat(connected).isNotEmpty();
            assertThat(runningServers(host)).containsExactlyInAnyOrderElementsOf(connected);
            for (String name : refused) {
                assertThat(host.lastError(name)).contains(name, "too many open files");
            }
            for (String name : connected) {
                assertThat(host.callForText(name + ".who", "{}")).isEqualTo(name);
            }
            connected.forEach(installation::withoutServer);
            installation.save();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> !host.hasServer(connected.getLast())))
                    .isTrue();
            String next = refused.getFirst();
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> answersCall(host, next)))
                    .as("Room again, but: %s", host.lastError(next))
                    .isTrue();
        }
    }

    /** The servers that have a process, according to the operating system. */
    private static List<String> runningServers(TestHost host) {
        return host.descendants().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> process.info().arguments().stream())
                .flatMap(arguments -> NAMES.stream().filter(List.of(arguments)::contains))
                .toList();
    }

    private static List<String> withFileLimit(int files, List<String> command) {
        String limit = "ulimit -n " + files + "; exec \"$@\"";
        var words = new ArrayList<>(List.of("/bin/sh", "-c", limit, "few-files"));
        words.addAll(command);
        return words;
    }

    private static boolean isSettled(TestHost host) {
        try {
            List<JsonTree> all = host.servers();
            return idsWithStatus("error", all).size() + idsWithStatus("connected", all).size()
                    == NAMES.size();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean answersCall(TestHost host, String name) {
        try {
            return !TestHost.isError(host.callForResult(name + ".who", "{}"));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> idsWithStatus(String status, List<JsonTree> servers) {
        return servers.stream()
                .filter(server -> server.at("status").asText().equals(status))
                .map(server -> server.at("serverId").asText())
                .filter(NAMES::contains)
                .toList();
    }
}
