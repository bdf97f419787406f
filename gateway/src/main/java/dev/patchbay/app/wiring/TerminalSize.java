package dev.patchbay.app.wiring;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the terminal for its width. Shells do not export {@code COLUMNS}, so it is rarely set. */
final class TerminalSize {
    private static final File TERMINAL = new File("/dev/tty");
    private static final long SECONDS_MAX = 1;

    /** Rows and columns, as {@code stty size} prints them. */
    private static final Pattern SIZE = Pattern.compile("[0-9]+ ([1-9][0-9]{1,3})");

    private TerminalSize() {}

    /** The number of columns; 0 if the terminal does not report it. */
    static int columns() {
        if (!TERMINAL.exists()) {
            return 0;
        }
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(TERMINAL)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return 0;
            }
            byte[] output = stty.getInputStream().readAllBytes();
            return parse(new String(output, StandardCharsets.US_ASCII));
        } catch (IOException _) {
            return 0; // no stty, or no terminal
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    static int parse(String size) {
        Matcher matcher = SIZE.matcher(size.strip());
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
