package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lines of the standard error of a process. */
class StderrLinesTest {
    private final List<String> seen = new ArrayList<>();
    private final StderrLines lines = new StderrLines(seen::add);

    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        lines.add(bytes, bytes.length);
    }

    @Test
    void joinsPartsAndSplitsAtLineEnds() {
        add("one\ntw");
        add("o\r\n\nthree");
        lines.end();
        lines.end();

        assertThat(seen).containsExactly("one", "two", "three");
    }

    @Test
    void splitsLongLines() {
        add("x".repeat(StderrLines.LINE_BYTES_MAX + 5) + "\n");

        assertThat(seen).extracting(String::length).containsExactly(StderrLines.LINE_BYTES_MAX, 5);
    }
}
