package dev.patchbay.app.wiring;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Configures the JDK's logging when the first record is logged: records of level INFO and above go
 * to standard error, formatted by {@link LogFormatter}. The JDK creates it by its name.
 */
public final class LogConfiguration {
    private static final String PROPERTIES =
            """
            handlers = java.util.logging.ConsoleHandler
            .level = INFO
            java.util.logging.ConsoleHandler.level = INFO
            java.util.logging.ConsoleHandler.formatter=\
            """;

    /** Called by the JDK. */
    public LogConfiguration() throws IOException {
        String text = PROPERTIES + LogFormatter.class.getName();
        byte[] properties = text.getBytes(StandardCharsets.ISO_8859_1);
        LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(properties));
    }

    /**
     * Selects this configuration, unless the user has configured logging. Loads no logging class.
     */
    public static void install() {
        if (System.getProperty("java.util.logging.config.file") == null
                && System.getProperty("java.util.logging.config.class") == null) {
            System.setProperty("java.util.logging.config.class", LogConfiguration.class.getName());
        }
    }
}
