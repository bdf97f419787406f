package dev.patchbay.app.wiring;

import dev.patchbay.history.LogEvent;
import dev.patchbay.history.StoredLineReader;
import dev.patchbay.history.StoredLineReader.Query;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The gateways that run, and the states of their servers, from the events that they have recorded.
 * Nothing is started or asked.
 */
public final class RecordedStates {
    private static final int EVENTS_MAX = 50_000;

    /** A process that was started later than this after its first event is another one. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    private static final Set<String> STATES =
            Set.of("connecting", "connected", "error", "disconnected", "disabled");

    /** A server that has been connecting for longer is in trouble, too. */
    private static final Duration CONNECTING_MAX = Duration.ofSeconds(10);

    private final List<RunningGateway> gateways;

    /**
     * A gateway of a process that runs.
     *
     * @param start its first event
     * @param host the program that started the process; empty if it is not known
     * @param servers the last event of each server, by its id
     */
    public record RunningGateway(LogEvent start, String host, Map<String, LogEvent> servers) {}

    private RecordedStates(List<RunningGateway> gateways) {
        this.gateways = List.copyOf(gateways);
    }

    /** Reads the events in the state folder of a configuration. */
    public static RecordedStates read(AppContext context, @Nullable Path chosen)
            throws IOException {
        return of(GatewayRecords.events(context, chosen));
    }

    private static RecordedStates of(StoredLineReader<LogEvent> reader) throws IOException {
        Map<String, LogEvent> starts = new LinkedHashMap<>();
        Map<String, Map<String, LogEvent>> servers = new LinkedHashMap<>();
        Query<LogEvent> states = new Query<>(RecordedStates::isState, null);
        for (LogEvent event : reader.newest(states, EVENTS_MAX)) {
            String gateway = event.pid() + " " + event.via();
            switch (event.event()) {
                case LogEvent.GATEWAY_STARTED -> starts.put(gateway, event);
                case LogEvent.GATEWAY_ENDED -> {
                    starts.remove(gateway);
                    servers.remove(gateway);
                }
                default ->
                        servers.computeIfAbsent(gateway, _ -> new TreeMap<>())
                                .put(event.server(), event);
            }
        }
        var running = new ArrayList<RunningGateway>();
        starts.forEach(
                (gateway, start) -> {
                    ProcessHandle process = process(start);
                    if (process != null) {
                        running.add(
                                new RunningGateway(
                                        start,
                                        host(process),
                                        servers.getOrDefault(gateway, Map.of())));
                    }
                });
        return new RecordedStates(running);
    }

    private static boolean isState(LogEvent event) {
        return event.event().startsWith("gateway-") || STATES.contains(event.event());
    }

    /** The process of a gateway; null if it has ended and another may have its number. */
    private static @Nullable ProcessHandle process(LogEvent start) {
        ProcessHandle process = ProcessHandle.of(start.pid()).orElse(null);
        if (process == null || !process.isAlive()) {
            return null;
        }
        Instant latest = start.at().plus(START_TOLERANCE);
        return process.info().startInstant().filter(latest::isBefore).isPresent() ? null : process;
    }

    /** The name of the program that started a process. */
    public static String host(ProcessHandle process) {
        return process.parent()
                .flatMap(parent -> parent.info().command())
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("");
    }

    public List<RunningGateway> gateways() {
        return gateways;
    }

    /** The servers that have failed or do not answer, each with its last event. */
    public List<LogEvent> failures(Instant now) {
        Map<String, LogEvent> failures = new TreeMap<>();
        for (RunningGateway gateway : gateways) {
            for (LogEvent event : gateway.servers.values()) {
                if (isFailure(event, now)) {
                    failures.merge(
                            event.server(),
                            event,
                            (one, other) -> one.at().isAfter(other.at()) ? one : other);
                }
            }
        }
        return List.copyOf(failures.values());
    }

    private static boolean isFailure(LogEvent event, Instant now) {
        return event.event().equals("error")
                || (event.event().equals("connecting")
                        && event.at().plus(CONNECTING_MAX).isBefore(now));
    }
}
