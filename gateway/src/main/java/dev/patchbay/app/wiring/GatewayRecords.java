package dev.patchbay.app.wiring;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.embedding.EmbeddedGateway;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.history.CallHistory;
import dev.patchbay.history.CurrentRedactor;
import dev.patchbay.history.EventLog;
import dev.patchbay.history.LogEvent;
import dev.patchbay.history.RecordedCall;
import dev.patchbay.history.StoredLineReader;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What a gateway records in the state folder while it is open: the calls of its clients, and what
 * happens to its servers.
 */
public final class GatewayRecords implements AutoCloseable {
    private static final String CALLS_FOLDER = "history";
    private static final String EVENTS_FOLDER = "logs";
    private static final long EVENT_BYTES_MAX = 20_000_000;

    private final @Nullable CallHistory calls;
    private final @Nullable EventLog events;

    private GatewayRecords(@Nullable CallHistory calls, @Nullable EventLog events) {
        this.calls = calls;
        this.events = events;
    }

    /** Who records: what its events belong to, and how clients reach it. */
    record Source(EmbeddedGateway embedded, @Nullable Path config, String via) {}

    /** Records the calls of a command, which shows everything else itself. */
    static GatewayRecords ofCommand(ConfiguredGateway configured) {
        return new GatewayRecords(recordCalls(configured, "command"), null);
    }

    /** Records the calls and the events of a gateway that serves clients. */
    static GatewayRecords ofService(ConfiguredGateway configured, Source source) {
        return new GatewayRecords(
                recordCalls(configured, source.via), recordEvents(configured, source));
    }

    private static @Nullable CallHistory recordCalls(ConfiguredGateway configured, String via) {
        PatchbaySettings.History settings = configured.settings().history();
        Gateway gateway = configured.gateway();
        Path stateDir = gateway.settings().stateDir();
        if (!settings.isEnabled() || stateDir == null) {
            return null;
        }
        var history =
                new CallHistory(
                        new CallHistory.Settings(
                                stateDir.resolve(CALLS_FOLDER),
                                settings.bytesMax(),
                                arguments(settings.arguments()),
                                via),
                        redactor(configured),
                        InstantSource.system(),
                        Ticker.system());
        gateway.observe(history);
        return history;
    }

    private static CallHistory.Arguments arguments(PatchbaySettings.HistoryArguments chosen) {
        return switch (chosen) {
            case NONE -> CallHistory.Arguments.NONE;
            case REDACTED -> CallHistory.Arguments.REDACTED;
            case FULL -> CallHistory.Arguments.FULL;
        };
    }

    private static CurrentRedactor redactor(ConfiguredGateway configured) {
        return new CurrentRedactor(configured.gateway(), configured.secrets()::valuesRead);
    }

    private static @Nullable EventLog recordEvents(ConfiguredGateway configured, Source source) {
        Path stateDir = configured.gateway().settings().stateDir();
        if (!configured.settings().history().isEnabled() || stateDir == null) {
            return null;
        }
        String config = source.config == null ? "" : source.config.toAbsolutePath().toString();
        var events =
                new EventLog(
                        new EventLog.Settings(
                                stateDir.resolve(EVENTS_FOLDER),
                                EVENT_BYTES_MAX,
                                source.via,
                                config),
                        redactor(configured),
                        InstantSource.system(),
                        Ticker.system());
        configured.gateway().addListener(events);
        source.embedded.listenToStderr(events::recordStderr);
        events.recordStart();
        return events;
    }

    @Override
    public void close() {
        if (calls != null) {
            calls.close();
        }
        if (events != null) {
            events.close();
        }
    }

    /** A reader of the calls in the state folder of a configuration. */
    public static StoredLineReader<RecordedCall> calls(AppContext context, @Nullable Path chosen) {
        return StoredLineReader.ofCalls(folder(context, chosen).resolve(CALLS_FOLDER));
    }

    /** A reader of the events in the state folder of a configuration. */
    public static StoredLineReader<LogEvent> events(AppContext context, @Nullable Path chosen) {
        return StoredLineReader.ofEvents(folder(context, chosen).resolve(EVENTS_FOLDER));
    }

    private static Path folder(AppContext context, @Nullable Path chosen) {
        return ConfiguredGateway.stateDir(context, settings(context, chosen).stateDir());
    }

    /** Whether calls and events of this configuration are recorded. */
    public static boolean isEnabled(AppContext context, @Nullable Path chosen) {
        return settings(context, chosen).history().isEnabled();
    }

    /** The settings of a configuration; the defaults if there is none or it is not valid. */
    private static PatchbaySettings settings(AppContext context, @Nullable Path chosen) {
        ConfigSource source = ConfigSource.find(context, chosen);
        Path file = source.file().orElse(null);
        if (file == null) {
            return PatchbaySettings.DEFAULTS;
        }
        if (!Files.exists(file)) {
            throw new CommandFailedException(ExitCode.WRONG_USAGE, "No such file: " + file);
        }
        return source.read() instanceof ConfigReadResult.Valid(Configuration configuration, _)
                ? configuration.settings()
                : PatchbaySettings.DEFAULTS;
    }
}
