package dev.patchbay.text;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A failure as it is logged. Its stack trace is escaped and indented, so that a text of a server in
 * it cannot forge a log record or control the terminal, whatever writes the log.
 */
public final class LoggedFailure extends Throwable {
    private static final long serialVersionUID = 1L;

    private final String trace;

    public LoggedFailure(Throwable failure) {
        super(DisplayText.escape(String.valueOf(failure.getMessage())), null, false, false);
        this.trace = trace(failure);
    }

    private static String trace(Throwable failure) {
        var written = new StringWriter();
        failure.printStackTrace(new PrintWriter(written));
        var indented = new StringBuilder();
        for (String line : DisplayText.multiLine(written.toString()).split("\n", -1)) {
            if (!line.isEmpty()) {
                indented.append(line.startsWith("\t") ? "" : "\t").append(line).append('\n');
            }
        }
        return indented.toString();
    }

    @Override
    public void printStackTrace(PrintStream out) {
        out.print(trace);
    }

    @Override
    public void printStackTrace(PrintWriter out) {
        out.print(trace);
    }
}
