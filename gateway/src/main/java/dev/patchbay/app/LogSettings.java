package dev.patchbay.app;

import dev.patchbay.config.Settings;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How much is logged. Everything goes to standard error, and what the JDK logs stays as it is. */
final class LogSettings {
    private LogSettings() {}

    /** Made for who needs it: a start with the usual level touches no logger. */
    private static final class Ours {
        /** Held, so that its level is not lost with it. */
        static final Logger LOGGER = Logger.getLogger("dev.patchbay");
    }

    /** Sets the level, if it is not the one that holds anyway. */
    static void apply(Settings.LogLevel level) {
        if (level == Settings.LogLevel.INFO) {
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
        Ours.LOGGER.setLevel(chosen);
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setLevel(chosen);
        }
    }
}
