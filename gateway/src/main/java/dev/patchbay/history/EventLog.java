package dev.patchbay.history;

import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Records on disk what happens to a gateway and its servers, and what servers write to their
 * standard error.
 */
public final class EventLog implements GatewayListener, AutoCloseable {
    static final String PREFIX = "events";

    /** Nothing is written earlier, so that a start does not pay for it. */
    static final Duration START_DELAY = Duration.ofSeconds(1);

    private static final int PENDING_MAX = LineRecorder.RECORDS_MAX;
    private static final int MESSAGE_CHARS_MAX = 2_000;

    private final Settings settings;
    private final Supplier<SecretRedactor> redactor;
    private final InstantSource clock;
    private final Ticker ticker;
    private final Queue<Entry> pending = new ArrayDeque<>();
    private volatile @Nullable LineRecorder<Entry> recorder;
    private boolean isScheduled;
    private boolean isClosed;

    /**
     * Where and for whom to record.
     *
     * @param via how clients reach the gateway
     * @param config the configuration file; empty if there is none
     */
    public record Settings(Path folder, long bytesMax, String via, String config) {}

    /** An event that was not written yet. */
    private record Entry(
            Instant at, String level, String server, String event, String message, String reason) {}

    public EventLog(
            Settings settings,
            Supplier<SecretRedactor> redactor,
            InstantSource clock,
            Ticker ticker) {
        this.settings = settings;
        this.redactor = redactor;
        this.clock = clock;
        this.ticker = ticker;
    }

    /** Records that the gateway serves. */
    public void recordStart() {
        add("info", "", LogEvent.GATEWAY_STARTED, "", "");
    }

    /** Records a line that a server wrote to its standard error. */
    public void recordStderr(String server, String line) {
        add("info", server, LogEvent.STDERR, line, "");
    }

    @Override
    public void stateChanged(ServerId server, ServerState before, ServerState after) {
        Status status = after.status();
        ServerFailure failure = after.lastError();
        HandshakeResult handshake = after.handshake();
        String message = "";
        if (failure != null) {
            message = failure.message();
        } else if (handshake != null) {
            message =
                    handshake.serverInfo().name()
                            + " "
                            + handshake.serverInfo().version()
                            + ", MCP "
                            + handshake.version().text();
        }
        String level =
                switch (status) {
                    case ERROR -> "error";
                    case CONNECTING -> "debug";
                    case CONNECTED, DISCONNECTED, DISABLED -> "info";
                };
        add(
                level,
                server.value(),
                status.text(),
                message,
                failure == null ? "" : failure.reason().name());
    }

    @Override
    public void logged(ServerId server, Json params) {
        Json data = params.member("data");
        String text = data == null ? "" : data.isString() ? data.text() : data.toString();
        String level =
                switch (String.valueOf(params.memberText("level"))) {
                    case "debug" -> "debug";
                    case "info", "notice" -> "info";
                    case "warning" -> "warning";
                    default -> "error";
                };
        add(level, server.value(), LogEvent.MESSAGE, text, "");
    }

    private void add(String level, String server, String event, String message, String reason) {
        String text = CallErrorText.truncate(message, MESSAGE_CHARS_MAX);
        var entry = new Entry(now(), level, server, event, text, reason);
        LineRecorder<Entry> started = recorder;
        if (started == null) {
            addPending(entry);
        } else if (started.hasRoom()) {
            started.add(entry);
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private synchronized void addPending(Entry entry) {
        LineRecorder<Entry> started = recorder;
        if (started != null) {
            if (started.hasRoom()) {
                started.add(entry);
            }
            return;
        }
        if (pending.size() < PENDING_MAX) {
            pending.add(entry);
        }
        if (!isScheduled && !isClosed) {
            isScheduled = true;
            ticker.schedule(START_DELAY, () -> Thread.ofVirtual().start(this::begin));
        }
    }

    private synchronized void begin() {
        if (recorder == null && !pending.isEmpty()) {
            var store = new LineStore(settings.folder, PREFIX, settings.bytesMax);
            var started = new LineRecorder<>("events", store, new EventFormat(), ticker);
            pending.forEach(started::add);
            pending.clear();
            recorder = started;
        }
    }

    /** Records the end of the gateway, and writes what was recorded before. */
    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        add("info", "", LogEvent.GATEWAY_ENDED, "", "");
        begin();
        LineRecorder<Entry> open = recorder;
        if (open != null) {
            open.close();
        }
    }

    /** The lines of the file. */
    private final class EventFormat implements LineRecorder.Format<Entry> {
        private final long pid = ProcessHandle.current().pid();

        @Override
        public Json line(Entry entry) {
            var writer =
                    new JsonWriter()
                            .beginObject()
                            .member("at", entry.at.toString())
                            .member("level", entry.level)
                            .member("serverId", entry.server)
                            .member("event", entry.event)
                            .member("message", redactor.get().redact(entry.message))
                            .member("via", settings.via)
                            .member("pid", pid);
            if (!entry.reason.isEmpty()) {
                writer.member("reason", entry.reason);
            }
            if (entry.event.equals(LogEvent.GATEWAY_STARTED)) {
                writer.member("config", settings.config);
            }
            return writer.endObject().toJson();
        }

        @Override
        public Json gap(long count) {
            return new JsonWriter()
                    .beginObject()
                    .member("at", now().toString())
                    .member("level", "warning")
                    .member("serverId", "")
                    .member("event", "lost")
                    .member("message", count + " events were not recorded")
                    .member("via", settings.via)
                    .member("pid", pid)
                    .member("notRecorded", count)
                    .endObject()
                    .toJson();
        }
    }
}
