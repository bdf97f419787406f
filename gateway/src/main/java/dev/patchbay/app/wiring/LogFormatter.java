package dev.patchbay.app.wiring;

import dev.patchbay.text.DisplayText;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/**
 * Formats log records as the JDK does, with unsafe characters escaped: a name or an error that
 * comes from a server or a client cannot forge a record or control the terminal. Lines of a stack
 * trace are indented for the same reason.
 */
public final class LogFormatter extends SimpleFormatter {
    @Override
    public String format(LogRecord record) {
        Throwable thrown = record.getThrown();
        if (thrown == null) {
            return super.format(record);
        }
        record.setThrown(null);
        try {
            return super.format(record) + stackTrace(thrown);
        } finally {
            record.setThrown(thrown);
        }
    }

    @Override
    public String formatMessage(LogRecord record) {
        return DisplayText.escape(super.formatMessage(record));
    }

    private static String stackTrace(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        var indented = new StringBuilder();
        DisplayText.multiLine(trace.toString())
                .lines()
                .forEach(
                        line ->
                                indented.append(line.startsWith("\t") ? "" : "\t")
                                        .append(line)
                                        .append('\n'));
        return indented.toString();
    }
}
