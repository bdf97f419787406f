package dev.patchbay.app.wiring;

import org.jspecify.annotations.Nullable;

import java.io.Console;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Where a command writes: results to standard output, everything else to standard error. */
public final class Terminal {
    private static final int WIDTH_DEFAULT = 100;

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> env;

    private Terminal(PrintStream out, PrintStream err, Map<String, String> env) {
        this.out = out;
        this.err = err;
        this.env = env;
    }

    public static Terminal of(OutputStream out, Map<String, String> env) {
        return new Terminal(new PrintStream(out, false, StandardCharsets.UTF_8), System.err, env);
    }

    private static int width(@Nullable String columns) {
        return columns != null && columns.matches("[1-9][0-9]{1,3}")
                ? Integer.parseInt(columns)
                : WIDTH_DEFAULT;
    }

    /** Whether a person looks at it; a pipe gets plain text and no progress. */
    public boolean isInteractive() {
        // Asked for when needed: it costs a start several milliseconds.
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private boolean isColoured() {
        return isInteractive() && !env.containsKey("NO_COLOR") && !"dumb".equals(env.get("TERM"));
    }

    public int width() {
        return width(env.get("COLUMNS"));
    }

    public void print(String line) {
        out.print(line + "\n");
        out.flush();
    }

    /** Whether some of the output could not be written. */
    public boolean hasWriteError() {
        return out.checkError();
    }

    /** Something for the person, not for the next program. */
    public void printMessage(String line) {
        err.println(line);
    }

    /** A line that the next one replaces; nothing in a pipe. */
    void printProgress(String line) {
        if (isInteractive()) {
            err.print("\r\u001b[2K" + line);
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

    /** Text of a server, fit for a terminal: on one line, without control characters. */
    public static String sanitize(String text) {
        var plain = new StringBuilder(text.length());
        text.codePoints()
                .map(
                        c ->
                                Character.isISOControl(c)
                                                || Character.getType(c) == Character.FORMAT
                                        ? ' '
                                        : c)
                .forEach(plain::appendCodePoint);
        return plain.toString().strip();
    }
}
