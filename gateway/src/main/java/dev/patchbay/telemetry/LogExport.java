package dev.patchbay.telemetry;

import dev.patchbay.text.DisplayText;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.LoggerProvider;
import io.opentelemetry.api.logs.Severity;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Exports what the gateway logs, besides printing it. */
final class LogExport extends Handler {
    private static final AttributeKey<String> EXCEPTION_TYPE =
            AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> EXCEPTION_MESSAGE =
            AttributeKey.stringKey("exception.message");

    /** A reference, so that the logger and its handler are not garbage collected. */
    private static final Logger GATEWAY_LOGGER = Logger.getLogger("dev.patchbay");

    private static final String OWN_PREFIX = LogExport.class.getPackageName();

    private final LoggerProvider loggers;
    private final SimpleFormatter formatter = new SimpleFormatter();

    private LogExport(LoggerProvider loggers) {
        this.loggers = loggers;
    }

    /** Starts to export; the result ends that. */
    static Runnable start(LoggerProvider loggers) {
        var handler = new LogExport(loggers);
        GATEWAY_LOGGER.addHandler(handler);
        return () -> GATEWAY_LOGGER.removeHandler(handler);
    }

    @Override
    public void publish(LogRecord logged) {
        String name = String.valueOf(logged.getLoggerName());
        if (name.startsWith(OWN_PREFIX)) {
            return; // a failed export would cause the next one
        }
        LogRecordBuilder builder =
                loggers.get(name)
                        .logRecordBuilder()
                        .setTimestamp(logged.getInstant())
                        .setSeverity(severity(logged.getLevel()))
                        .setSeverityText(logged.getLevel().getName())
                        .setBody(DisplayText.escape(formatter.formatMessage(logged)));
        Throwable thrown = logged.getThrown();
        if (thrown != null) {
            builder.setAttribute(EXCEPTION_TYPE, thrown.getClass().getName())
                    .setAttribute(
                            EXCEPTION_MESSAGE,
                            DisplayText.escape(String.valueOf(thrown.getMessage())));
        }
        builder.emit();
    }

    private static Severity severity(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return Severity.ERROR;
        }
        if (value >= Level.WARNING.intValue()) {
            return Severity.WARN;
        }
        if (value >= Level.INFO.intValue()) {
            return Severity.INFO;
        }
        return value >= Level.FINE.intValue() ? Severity.DEBUG : Severity.TRACE;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
