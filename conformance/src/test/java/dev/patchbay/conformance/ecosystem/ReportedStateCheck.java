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
 * Compares the server states that the gateway reports with the processes of the operating system. A
 * report may be at most one second late.
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

    /** Reports that have been false for too long. */
    List<String> falseReports() throws InterruptedException {
        long looked = System.nanoTime();
        for (ServerScript server : servers) {
            if (isAlive(server)) {
                deathTimes.remove(server.name());
            } else {
                deathTimes.putIfAbsent(server.name(), looked);
            }
        }
        var falseReports = new ArrayList<String>();
        for (JsonTree reported : host.servers()) {
            String id = reported.at("serverId").asText();
            String status = reported.at("status").asText();
            Long dead = deathTimes.get(id);
            boolean gone = dead != null && isSettled(dead, looked);
            if (gone && status.equals("connected") && !hasRestarted(id)) {
                falseReports.add("It has no process for a second: " + reported);
            }
            if (status.equals("connecting") && isInitialized(id, looked)) {
                falseReports.add("It is greeted for a second: " + reported);
            }
            if (status.equals("error") && !mismatch(reported).contains("Server " + id)) {
                falseReports.add("Its error does not name it: " + reported);
            }
            if (status.equals("connected") && mismatch(reported).startsWith("CONNECTION_")) {
                falseReports.add("Its error is from before: " + reported);
            }
        }
        return falseReports;
    }

    /** Whether a server that was seen dead has been restarted since. */
    private boolean hasRestarted(String id) {
        return servers.stream().anyMatch(it -> it.name().equals(id) && isAlive(it));
    }

    /** Waits until all reports are true, at most as long as allowed. */
    void assertReportsAreTrue() throws InterruptedException {
        var stopwatch = Stopwatch.start();
        List<String> errors = mismatches();
        while (!errors.isEmpty() && stopwatch.activeTime().compareTo(LAG_MAX) < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            errors = mismatches();
        }
        assertThat(errors).as("false reports").isEmpty();
    }

    /** False reports about servers whose state is stable. */
    private List<String> mismatches() throws InterruptedException {
        var errors = new ArrayList<String>();
        for (JsonTree reported : host.servers()) {
            String id = reported.at("serverId").asText();
            for (ServerScript server : servers) {
                if (server.name().equals(id)) {
                    boolean alive = isAlive(server);
                    boolean agrees =
                            switch (reported.at("status").asText()) {
                                case "connected" -> alive;
                                case "error", "disconnected", "disabled" -> !alive;
                                default -> true;
                            };
                    if (!agrees) {
                        errors.add((alive ? "Lives: " : "Is dead: ") + reported);
                    }
                }
            }
        }
        return errors;
    }

    /** Whether a process of a server is alive and completed its handshake long enough ago. */
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

    /** Whether a change was long enough ago that reports must reflect it. */
    private static boolean isSettled(long change, long looked) {
        return looked - change > LAG_MAX.toNanos()
                && Stopwatch.activeTime(change, looked).compareTo(LAG_MAX) > 0;
    }

    /**
     * The handshake ends with a client message in the legacy era, with a server message in the
     * modern one.
     */
    private static boolean endsHandshake(ServerRecording.Line line) {
        String last = line.received() ? "\"notifications/initialized\"" : "\"supportedVersions\"";
        return line.message().map(JsonTree::write).orElse("").contains(last);
    }

    private static String mismatch(JsonTree reported) {
        return reported.findAt("lastError").map(JsonTree::asText).orElse("");
    }

    private static boolean isAlive(ServerScript server) {
        List<Long> pids = server.recording().pids();
        return !pids.isEmpty() && ProcessInspector.isAlive(pids.getLast());
    }
}
