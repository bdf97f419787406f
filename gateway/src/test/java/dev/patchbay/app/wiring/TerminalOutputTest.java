package dev.patchbay.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

class TerminalOutputTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Terminal terminal = Terminal.of(out, Map.of());

    private String printed(String line) {
        out.reset();
        terminal.print(line);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void foreignTextCannotControlTheTerminal() {
        assertThat(printed("\u001b]52;c;cm0=\u0007\u001b[2J\u001b[31mred\u001b[0m\rover\u202e"))
                .isEqualTo(
                        "\\u001b]52;c;cm0=\\u0007\\u001b[2J\\u001b[31mred\\u001b[0m\\r"
                                + "over\\u202e\n");
    }

    @Test
    void linesAndTabsStay() {
        assertThat(printed("a\n\tb é 😀")).isEqualTo("a\n\tb é 😀\n");
    }

    @Test
    void jsonKeepsItsMeaning() {
        Json json = Json.of("{\"a\":\"x\u009b2J\u202e\udb40\udc41 é\\n\u007f\"}");
        String line = printed(json.toString());
        assertThat(line).doesNotContain("\u009b", "\u202e", "\udb40\udc41", "\u007f");
        assertThat(Json.of(line).memberText("a")).isEqualTo(json.memberText("a"));
    }
}
