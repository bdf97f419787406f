package dev.patchbay.app.wiring;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.history.CallHistory;
import dev.patchbay.history.CurrentRedactor;
import dev.patchbay.history.HistoryReader;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** The history of calls in the state folder: who writes it, and who reads it. */
public final class HistoryFiles {
    private static final String FOLDER = "history";

    private HistoryFiles() {}

    /** Records the calls of a gateway; null if the settings say otherwise. */
    static @Nullable CallHistory record(ConfiguredGateway configured, String via) {
        PatchbaySettings.History settings = configured.settings().history();
        Gateway gateway = configured.gateway();
        Path stateDir = gateway.settings().stateDir();
        if (!settings.isEnabled() || stateDir == null) {
            return null;
        }
        var history =
                new CallHistory(
                        new CallHistory.Settings(
                                stateDir.resolve(FOLDER),
                                settings.bytesMax(),
                                arguments(settings.arguments()),
                                via),
                        new CurrentRedactor(gateway, configured.secrets()::valuesRead),
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

    /** A reader of the history in the state folder of a configuration. */
    public static HistoryReader reader(AppContext context, @Nullable Path chosen) {
        String stateDir = settings(context, chosen).stateDir();
        return new HistoryReader(ConfiguredGateway.stateDir(context, stateDir).resolve(FOLDER));
    }

    /** Whether the calls of this configuration are recorded. */
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
