package dev.patchbay.mcp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The levels of log messages, as syslog has them. */
public final class LogLevel {
    private static final List<String> LEVELS =
            List.of(
                    "debug",
                    "info",
                    "notice",
                    "warning",
                    "error",
                    "critical",
                    "alert",
                    "emergency");

    private LogLevel() {}

    public static boolean isOne(String level) {
        return LEVELS.contains(level);
    }

    /** Whether someone who wants messages from a level on wants one of the other level. */
    public static boolean admits(@Nullable String wanted, @Nullable String level) {
        return wanted != null && level != null && LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
    }
}
