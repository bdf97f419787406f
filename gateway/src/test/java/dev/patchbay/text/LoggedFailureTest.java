package dev.patchbay.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

class LoggedFailureTest {
    private static final Pattern RAW_FAILURE =
            Pattern.compile(
                    "\\.log\\(\\s*[A-Za-z.]*(ERROR|WARNING|INFO|DEBUG), [^;]*,\\s*"
                            + "(e|failure|cause|thrown)\\);");

    @Test
    void textOfAServerCannotForgeARecordOrControlTheTerminal() {
        var failure = new IOException("x\n2026 WARNING: forged\u001b[2J");
        var written = new StringWriter();
        new LoggedFailure(failure).printStackTrace(new PrintWriter(written, true));
        assertThat(written.toString().lines()).isNotEmpty().allMatch(it -> it.startsWith("\t"));
        assertThat(written.toString())
                .contains("forged", "LoggedFailureTest")
                .doesNotContain("\u001b");
    }

    /** The HTTP server is not part of stdio, and its log has a formatter that escapes. */
    @Test
    void everyFailureIsLoggedEscaped() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                if (!file.toString().contains("http/server")) {
                    assertThat(RAW_FAILURE.matcher(Files.readString(file)).find())
                            .as(file.toString())
                            .isFalse();
                }
            }
        }
    }
}
