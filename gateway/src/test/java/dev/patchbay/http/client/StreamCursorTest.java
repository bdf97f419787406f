package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

class StreamCursorTest {
    /** Fault 38: what a server says of the time to come back is taken within bounds. */
    @ParameterizedTest
    @CsvSource({"0, 100", "99, 100", "2500, 2500", "999999999, 30000", "1e18, 1000", "-5, 1000"})
    void retryDelayIsBounded(String told, long pauseMillis) throws IOException {
        String text = "id: 1\nretry: " + told + "\ndata: x\n\n";
        var reader =
                new SseReader(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)), 1_000);
        assertThat(reader.next()).isNotNull();
        var resumption = new StreamCursor();
        resumption.countEvent(reader);
        assertThat(resumption.delayMillis()).isEqualTo(pauseMillis);
        assertThat(resumption.lastEventId()).isEqualTo("1");
    }
}
