package dev.patchbay.app.wiring;

import dev.patchbay.config.PatchbaySettings;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How much is logged. Everything goes to standard error, and what the JDK logs stays as it is. */
final class LoggingSetup {
    private LoggingSetup() {}

    /** Made for who needs it: a start with the usual level touches no logger. */
    private static final class PatchbayLogger {
        /** Held, so that its level is not lost with it. */
        static final Logger LOGGER = Logger.getLogger("dev.patchbay");
    }

    /** Sets the level, if it is not the one that holds anyway. */
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
