package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderValueCodecTest {
    /** Threat A6: an argument that goes into a header is no way to write another one. */
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nEvil: 1", "a\nEvil: 1", "a\rb", "\u0000", "a\u000bb", "\u2028"})
    void argumentCannotInjectHeader(String value) {
        String header = HeaderValueCodec.encode(value);
        assertThat(header).matches("[\\x20-\\x7e]+");
        assertThat(HeaderValueCodec.decode(header)).isEqualTo(value);
    }
}
