package dev.patchbay.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.logging.Level;
import java.util.logging.LogRecord;

class LogFormatterTest {
    private static final String FORGED = "x\nNov 18, 2026 4:00:00 AM dev.patchbay run\nSEVERE: y";

    @Test
    void foreignTextCannotForgeRecord() {
        var record = new LogRecord(Level.WARNING, "Server {0} sent {1}");
        record.setParameters(new Object[] {"files", FORGED + "\u001b[2J\r\u202e"});
        assertThat(new LogFormatter().format(record).lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("WARNING: Server files sent x\\nNov 18")
                .endsWith("SEVERE: y\\u001b[2J\\r\\u202e");
    }

    @Test
    void foreignTextInExceptionCannotForgeRecord() {
        var record = new LogRecord(Level.SEVERE, "It failed");
        var thrown = new IllegalStateException(FORGED + "\u001b]52;c;eA==\u0007");
        record.setThrown(thrown);
        String text = new LogFormatter().format(record);
        assertThat(text.lines().skip(2)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text)
                .contains("SEVERE: It failed\n\tjava.lang.IllegalStateException: x\n")
                .doesNotContain("\u001b", "\u0007");
        assertThat(record.getThrown()).isSameAs(thrown);
    }
}
