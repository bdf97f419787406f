package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ten healthy servers and a faulty one: after the first start, nothing waits for the faulty one.
 */
class SlowServerTest {
    private static final Duration ANSWER_MAX = Duration.ofMillis(250);
    private static final int TRIES_MAX = 8;
    private static final List<String> HEALTHY_IDS =
            IntStream.rangeClosed(1, 10).mapToObj("healthy-%d"::formatted).toList();

    @TempDir private static Path healthyFolder;
    private static TestInstallation healthyInstallation;

    @TempDir private Path folder;

    /** The time to the responses, from the start of the program and from the request. */
    private record ResponseTimes(Duration initialize, Duration list) {}

    /** A start with the faulty server, and one without it just before as the baseline. */
    private record StartComparison(ResponseTimes healthy, ResponseTimes withFaulty) {
        boolean isInTime() {
            return withFaulty.initialize().compareTo(timeLimit(healthy.initialize())) <= 0
                    && withFaulty.list().compareTo(timeLimit(healthy.list())) <= 0;
        }

        /** 250 ms, or on a slow machine twice the baseline. */
        private static Duration timeLimit(Duration healthy) {
            return maxOf(ANSWER_MAX, healthy.multipliedBy(2));
        }
    }

    @BeforeAll
    static void startHealthyServersAlone() throws Exception {
        healthyInstallation = newInstallation(healthyFolder);
        start(healthyInstallation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "list", "page", "flood"})
    void faultyServerDelaysNothingFromTheSecondStart(String fault) throws Exception {
        TestInstallation installation = newInstallation(folder);
        new ShellServer("sick", fault).addTo(installation, "\"connectionTimeoutMs\": 3000");
        installation.save();
        start(installation);
        var tries = new ArrayList<StartComparison>();
        do {
            tries.add(new StartComparison(start(healthyInstallation), start(installation)));
        } while (!tries.getLast().isInTime() && tries.size() < TRIES_MAX);
        assertThat(tries).anyMatch(StartComparison::isInTime);
    }

    private static Duration maxOf(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static TestInstallation newInstallation(Path where) {
        var installation = new TestInstallation(where);
        HEALTHY_IDS.forEach(name -> ShellServer.healthy(name).addTo(installation, ""));
        return installation.save();
    }

    /** Starts the gateway, lists the tools of the healthy servers, and calls each. */
    private static ResponseTimes start(TestInstallation installation) throws InterruptedException {
        var begun = Stopwatch.start();
        try (TestHost host = installation.connect()) {
            Duration initialize = begun.activeTime();
            begun = Stopwatch.start();
            List<String> listed = host.toolNames();
            Duration list = begun.activeTime();
            assertThat(listed).containsAll(HEALTHY_IDS.stream().map(it -> it + ".who").toList());
            var ids = new ArrayList<String>();
            for (String name : HEALTHY_IDS) {
                String params = ClientMessages.callParams(name + ".who", "{}");
                ids.add(host.client().sendRequest("tools/call", params));
            }
            for (int i = 0; i < HEALTHY_IDS.size(); i++) {
                var answer = host.client().awaitResponse(ids.get(i));
                assertThat(answer.at("result", "content", 0, "text").asText())
                        .isEqualTo(HEALTHY_IDS.get(i));
            }
            return new ResponseTimes(initialize, list);
        }
    }
}
