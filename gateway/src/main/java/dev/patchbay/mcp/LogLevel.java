package dev.patchbay.mcp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The log levels, which are those of syslog. */
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

    public static boolean isValid(String level) {
        return LEVELS.contains(level);
    }

    /** Whether messages at {@code level} pass a threshold. Without a threshold none does. */
    public static boolean includes(@Nullable String threshold, @Nullable String level) {
        return threshold != null
                && level != null
                && LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
    }
}
