package dev.patchbay.app.wiring;

import dev.patchbay.config.PatchbaySettings;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets the log level of Patchbay. The level of the JDK's own messages does not change. */
final class LoggingSetup {
    private LoggingSetup() {}

    /** Loaded on demand: a start with the default level creates no logger. */
    private static final class PatchbayLogger {
        /** A reference, so that the logger and its level are not garbage collected. */
        static final Logger LOGGER = Logger.getLogger("dev.patchbay");
    }

    /** Sets the level, unless it is the default. */
    static void apply(PatchbaySettings.LogLevel level) {
        if (level == PatchbaySettings.LogLevel.INFO) {
            return;
        }
        Level chosen =
                switch (level) {
                    case ERROR -> Level.SEVERE;
                    case WARNING -> Level.WARNING;
                    case INFO -> Level.INFO;
                    case DEBUG -> Level.FINE;
                    case TRACE -> Level.FINER;
                };
        PatchbayLogger.LOGGER.setLevel(chosen);
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setLevel(chosen);
        }
    }
}
