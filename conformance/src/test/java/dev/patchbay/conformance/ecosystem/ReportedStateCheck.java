package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares what the gateway says of servers with what their processes show, which it learns from
 * the system and not from the gateway. A second after a change nothing else may be said.
 */
final class ReportedStateCheck {
    private static final Duration LAG_MAX = Duration.ofSeconds(1);
    private static final long POLL_NANOS = 20_000_000;

    private final TestHost host;
    private final List<ServerScript> servers;
    private final Map<String, Long> deathTimes = new ConcurrentHashMap<>();

    ReportedStateCheck(TestHost host, List<ServerScript> servers) {
        this.host = host;
        this.servers = servers;
    }

    /** What is said now and has not been so for longer than it may. */
    List<String> falseReports() throws InterruptedException {
        long looked = System.nanoTime();
        for (ServerScript server : servers) {
            if (isAlive(server)) {
                deathTimes.remove(server.name());
            } else {
                deathTimes.putIfAbsent(server.name(), looked);
            }
        }
        var lies = new ArrayList<String>();
        for (JsonTree told : host.servers()) {
            String id = told.at("serverId").asText();
            String status = told.at("status").asText();
            Long dead = deathTimes.get(id);
            boolean gone = dead != null && isSettled(dead, looked);
            if (gone && status.equals("connected") && !hasRestarted(id)) {
                lies.add("It has no process for a second: " + told);
            }
            if (status.equals("connecting") && isInitialized(id, looked)) {
                lies.add("It is greeted for a second: " + told);
            }
            if (status.equals("error") && !mismatch(told).contains("Server " + id)) {
                lies.add("Its error does not name it: " + told);
            }
            if (status.equals("connected") && mismatch(told).startsWith("CONNECTION_")) {
                lies.add("Its error is from before: " + told);
            }
        }
        return lies;
    }

    /** Whether a server that was seen dead has been started before it was spoken of. */
    private boolean hasRestarted(String id) {
        return servers.stream().anyMatch(it -> it.name().equals(id) && isAlive(it));
    }

    /** Waits until nothing is said that is not so, at most as long as that may take. */
    void assertReportsAreTrue() throws InterruptedException {
        var watch = Stopwatch.start();
        List<String> errors = mismatches();
        while (!errors.isEmpty() && watch.activeTime().compareTo(LAG_MAX) < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            errors = mismatches();
        }
        assertThat(errors).as("said and not so").isEmpty();
    }

    /** What is said now of servers that have come to rest, and is not so. */
    private List<String> mismatches() throws InterruptedException {
        var errors = new ArrayList<String>();
        for (JsonTree told : host.servers()) {
            String id = told.at("serverId").asText();
            for (ServerScript server : servers) {
                if (server.name().equals(id)) {
                    boolean alive = isAlive(server);
                    boolean agrees =
                            switch (told.at("status").asText()) {
                                case "connected" -> alive;
                                case "error", "disconnected", "disabled" -> !alive;
                                default -> true;
                            };
                    if (!agrees) {
                        errors.add((alive ? "Lives: " : "Is dead: ") + told);
                    }
                }
            }
        }
        return errors;
    }

    /** Whether a process of a server lives whose greeting has been over for longer than it may. */
    private boolean isInitialized(String id, long looked) {
        for (ServerScript server : servers) {
            if (server.name().equals(id) && isAlive(server)) {
                long pid = server.recording().pids().getLast();
                return server.recording().lines().stream()
                        .filter(line -> line.pid() == pid && endsHandshake(line))
                        .anyMatch(line -> isSettled(line.nanoTime(), looked));
            }
        }
        return false;
    }

    /** Whether what is said now must be so, as the change was long enough ago. */
    private static boolean isSettled(long change, long looked) {
        return looked - change > LAG_MAX.toNanos()
                && Stopwatch.activeTime(change, looked).compareTo(LAG_MAX) > 0;
    }

    /** In the legacy era the client has the last word, in the modern one the server. */
    private static boolean endsHandshake(ServerRecording.Line line) {
        String last = line.received() ? "\"notifications/initialized\"" : "\"supportedVersions\"";
        return line.message().map(JsonTree::write).orElse("").contains(last);
    }

    private static String mismatch(JsonTree told) {
        return told.findAt("lastError").map(JsonTree::asText).orElse("");
    }

    private static boolean isAlive(ServerScript server) {
        List<Long> pids = server.recording().pids();
        return !pids.isEmpty() && ProcessInspector.isAlive(pids.getLast());
    }
}
