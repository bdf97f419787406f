package dev.patchbay.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalSizeTest {
    @Test
    void readsTheColumnsOfStty() {
        assertThat(TerminalSize.parse("50 213\n")).isEqualTo(213);
    }

    @Test
    void knowsNoWidthIfTheTerminalReportsNone() {
        assertThat(TerminalSize.parse("0 0\n")).isZero();
        assertThat(TerminalSize.parse("")).isZero();
    }
}
