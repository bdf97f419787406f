package dev.patchbay.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.client.wire.HttpSender;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.time.Duration;
import java.util.Map;

/** How long a server that asks for time is left alone. */
class RetryAfterTest {
    private static final String NOW = "Mon, 16 Nov 2026 10:00:00 GMT";

    private record ErrorResponse(Map<String, String> headers) implements HttpSender.Response {
        @Override
        public int status() {
            return 503;
        }

        @Override
        public @Nullable String header(String name) {
            return headers.get(name);
        }

        @Override
        public String joinedHeader(String name) {
            return headers.getOrDefault(name, "");
        }

        @Override
        public InputStream body() {
            return InputStream.nullInputStream();
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "1|1",
                "30|30",
                "31|30",
                "3600|30",
                "99999999999999999999|30",
                "-1|0",
                "soon|0",
                "''|0",
                "1.5|0",
                "Mon, 16 Nov 2026 10:00:07 GMT|7",
                "Mon, 16 Nov 2026 09:00:00 GMT|0",
                "Tue, 17 Nov 2026 10:00:00 GMT|30",
                "Mon, 16 Nov|0",
            })
    void delayIsHonoredWithinBound(String wish, int seconds) {
        var answer = new ErrorResponse(Map.of("Retry-After", wish, "Date", NOW));
        assertThat(RetryAfter.parse(answer)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5|5", "Mon, 16 Nov 2026 10:00:07 GMT|0"})
    void dateNeedsServerClock(String wish, int seconds) {
        var answer = new ErrorResponse(Map.of("Retry-After", wish));
        assertThat(RetryAfter.parse(answer)).isEqualTo(Duration.ofSeconds(seconds));
    }
}
