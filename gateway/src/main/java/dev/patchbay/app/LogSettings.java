package dev.patchbay.app;

import dev.patchbay.config.Settings;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How much is logged. Everything goes to standard error. */
final class LogSettings {
    private LogSettings() {}

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
        Logger root = Logger.getLogger("");
        root.setLevel(chosen);
        for (Handler handler : root.getHandlers()) {
            handler.setLevel(chosen);
        }
    }
}
