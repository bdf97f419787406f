package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("INV-MCP-ECO-003")
class ServerIdTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "Z",
                "7",
                "a-b",
                "a-",
                "GitHub",
                "0123456789-0123456789-0123456789-0123456789-012345",
            })
    void acceptsLettersDigitsAndHyphens(String id) {
        assertThat(new ServerId(id)).hasToString(id);
    }

    /** An underscore or a dot would let two full names be one; the others are no ASCII at all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "a_b",
                "a.b",
                "a b",
                "a\n",
                "\na",
                "a\r\n",
                "a\u0000",
                "\u0130d",
                "\u0131d",
                "\u212Aey",
                "\uFF41",
                "\u0661",
                "0123456789-0123456789-0123456789-0123456789-0123456",
            })
    void rejectsEverythingElse(String id) {
        assertThat(ServerId.isValid(id)).isFalse();
        assertThatThrownBy(() -> new ServerId(id)).isInstanceOf(IllegalArgumentException.class);
    }
}
