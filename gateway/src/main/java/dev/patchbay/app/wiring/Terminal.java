package dev.patchbay.app.wiring;

import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.daemon.GatewayProvider;
import dev.patchbay.text.DisplayText;

import java.io.Console;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The output of a command: results go to standard output, everything else to standard error. */
public final class Terminal {
    private static final int WIDTH_DEFAULT = 100;
    private static final char ESCAPE = '\u001b';
    private static final List<String> STYLES =
            List.of(
                    "\u001b[0m",
                    "\u001b[1m",
                    "\u001b[2m",
                    "\u001b[31m",
                    "\u001b[32m",
                    "\u001b[33m");

    private final TrackedOutput rawOut;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> env;
    private final Kind kind;
    private volatile int width;

    /** What the output of a command is. */
    private enum Kind {
        /** The console of this process, if it has one. */
        OWN,
        /** The terminal of another process. */
        REMOTE,
        PLAIN
    }

    private Terminal(
            OutputStream out, PrintStream err, Map<String, String> env, Kind kind, int width) {
        this.rawOut = new TrackedOutput(out);
        this.out = new PrintStream(rawOut, false, StandardCharsets.UTF_8);
        this.err = err;
        this.env = env;
        this.kind = kind;
        this.width = width;
    }

    public static Terminal of(OutputStream out, Map<String, String> env) {
        return new Terminal(out, System.err, env, Kind.OWN, 0);
    }

    /** The output of a command that runs in the daemon for another process. */
    static Terminal ofRemote(GatewayProvider.Command command) {
        DaemonRequest.Run request = command.request();
        return new Terminal(
                command.out(),
                new PrintStream(command.messages(), true, StandardCharsets.UTF_8),
                request.client().variables(),
                request.isInteractive() ? Kind.REMOTE : Kind.PLAIN,
                request.width());
    }

    /** A terminal whose messages go to a stream, and that shows nothing else. */
    static Terminal ofMessages(PrintStream messages) {
        return new Terminal(
                OutputStream.nullOutputStream(), messages, Map.of(), Kind.PLAIN, WIDTH_DEFAULT);
    }

    /** Whether the output is a terminal; other outputs get plain text and no progress. */
    public boolean isInteractive() {
        return switch (kind) {
            case OWN -> console().isPresent();
            case REMOTE -> true;
            case PLAIN -> false;
        };
    }

    /** The console, if the user can be asked. */
    public Optional<Console> console() {
        // Created on demand: it takes several milliseconds.
        return kind == Kind.OWN
                ? Optional.ofNullable(System.console()).filter(Console::isTerminal)
                : Optional.empty();
    }

    private boolean isColoured() {
        return isInteractive() && !env.containsKey("NO_COLOR") && !"dumb".equals(env.get("TERM"));
    }

    /** The width in characters: of {@code COLUMNS}, or of the terminal. */
    public int width() {
        int known = width;
        if (known == 0) {
            known = findWidth();
            width = known;
        }
        return known;
    }

    private int findWidth() {
        String columns = env.getOrDefault("COLUMNS", "");
        if (columns.matches("[1-9][0-9]{1,3}")) {
            return Integer.parseInt(columns);
        }
        int reported = isInteractive() ? TerminalSize.columns() : 0;
        return reported == 0 ? WIDTH_DEFAULT : reported;
    }

    public void print(String line) {
        out.print(safe(line) + "\n");
        out.flush();
    }

    /** A writer to standard output. */
    public PrintWriter writer() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    /** A writer to standard error. */
    public PrintWriter errorWriter() {
        return new PrintWriter(err, true, StandardCharsets.UTF_8);
    }

    /** Prints what the daemon has printed for this process. It is safe already. */
    void passOn(String text) {
        out.print(text);
        out.flush();
    }

    void passOnMessage(String text) {
        err.print(text);
        err.flush();
    }

    /** Whether the program that reads standard output has ended. */
    public boolean isReaderGone() {
        return rawOut.isReaderGone();
    }

    /** Whether some of the output could not be written. */
    public boolean hasWriteError() {
        return out.checkError();
    }

    /** Prints a message to standard error. */
    public void printMessage(String line) {
        err.println(safe(line));
    }

    /** Prints a line that the next one replaces, on a terminal only. */
    void printProgress(String line) {
        if (isInteractive()) {
            err.print("\r\u001b[2K" + DisplayText.oneLine(line));
            err.flush();
        }
    }

    void clearProgress() {
        printProgress("");
    }

    public String bold(String text) {
        return styled("1", text);
    }

    public String dim(String text) {
        return styled("2", text);
    }

    public String success(String text) {
        return styled("32", text);
    }

    public String error(String text) {
        return styled("31", text);
    }

    public String warning(String text) {
        return styled("33", text);
    }

    private String styled(String code, String text) {
        return isColoured() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /**
     * Escapes text of servers and files, so that it cannot control the terminal. Only the styles of
     * this class are kept.
     */
    private String safe(String text) {
        if (text.indexOf(ESCAPE) < 0 || !isColoured()) {
            return DisplayText.multiLine(text);
        }
        var safe = new StringBuilder(text.length());
        int from = 0;
        for (int at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at + 1)) {
            String style = styleAt(text, at);
            if (!style.isEmpty()) {
                safe.append(DisplayText.multiLine(text.substring(from, at))).append(style);
                from = at + style.length();
            }
        }
        return safe.append(DisplayText.multiLine(text.substring(from))).toString();
    }

    private static String styleAt(String text, int at) {
        for (String style : STYLES) {
            if (text.startsWith(style, at)) {
                return style;
            }
        }
        return "";
    }
}
