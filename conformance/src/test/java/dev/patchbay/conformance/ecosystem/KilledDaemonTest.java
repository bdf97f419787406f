package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The background gateway is killed again and again while clients call a tool. No client ends, each
 * request has one answer, no call is executed twice, and no server is left behind.
 */
class KilledDaemonTest {
    private static final boolean IS_LONG = Boolean.getBoolean("patchbay.long");
    private static final int CLIENTS = IS_LONG ? 8 : 4;
    private static final int KILLS = IS_LONG ? 50 : 4;

    /** A busy machine may take long to start a gateway and its server. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir private Path folder;

    private final AtomicInteger successes = new AtomicInteger();
    private final Map<String, String> outcomes = new ConcurrentHashMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private volatile boolean isOver;

    @Test
    void clientsGoOnAndNoCallIsExecutedTwice() throws Exception {
        try (var fixture = new DaemonFixture(folder)) {
            var hosts = new ArrayList<TestHost>();
            for (int i = 0; i < CLIENTS; i++) {
                hosts.add(fixture.connect());
            }
            List<Thread> callers = start(hosts);
            for (int i = 0; i < KILLS; i++) {
                awaitSuccesses();
                long pid = fixture.pid();
                ProcessInspector.signal(pid, "KILL");
                assertThat(Await.becomesTrue(() -> !ProcessInspector.isAlive(pid))).isTrue();
            }
            awaitSuccesses();
            isOver = true;
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(failures).isEmpty();
            hosts.forEach(TestHost::close);
            checkExecutions(fixture.executedCalls());
        }
    }

    private List<Thread> start(List<TestHost> hosts) {
        var callers = new ArrayList<Thread>();
        for (TestHost host : hosts) {
            int number = callers.size();
            callers.add(Thread.ofVirtual().start(() -> callUntilOver(host, number)));
        }
        return callers;
    }

    /** Every client has time for a few calls that succeed. */
    private void awaitSuccesses() {
        int before = successes.get();
        assertThat(Await.becomesTrue(() -> successes.get() > before + 3 * CLIENTS, PATIENCE))
                .isTrue();
    }

    private void callUntilOver(TestHost host, int client) {
        try {
            for (int i = 0; !isOver; i++) {
                String n = client + "-" + i;
                JsonTree result = host.callForResult("s.count", "{\"n\":\"" + n + "\"}");
                boolean failed = TestHost.isError(result);
                outcomes.put(
                        n,
                        failed
                                ? TestHost.failureDetails(result).at("execution").asText()
                                : "executed");
                if (!failed) {
                    successes.incrementAndGet();
                }
            }
        } catch (InterruptedException | AssertionError e) {
            synchronized (failures) {
                failures.add(e);
            }
        }
    }

    private void checkExecutions(List<String> executed) {
        assertThat(executed).doesNotHaveDuplicates();
        var known = new HashSet<>(executed);
        outcomes.forEach(
                (n, outcome) -> {
                    switch (outcome) {
                        case "executed" -> assertThat(known).contains(n);
                        case "not_sent" -> assertThat(known).doesNotContain(n);
                        default -> assertThat(outcome).isEqualTo("unknown");
                    }
                });
    }
}
