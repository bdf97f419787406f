package dev.patchbay.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;

/** Which calls of the history are wanted. */
class CallFilterTest {
    private static final RecordedCall CALL =
            parse(
                    """
                    {"at":"2026-11-18T09:00:00Z","client":"Claude Code","principal":"ci",\
                    "serverId":"files","method":"tools/call","target":"read","outcome":"ok",\
                    "isError":false,"arguments":"{\\"path\\":\\"/notes.txt\\"}"}\
                    """);

    private static RecordedCall parse(String line) {
        return new RecordedCall(
                Objects.requireNonNull(StoredLine.parse(line.getBytes(StandardCharsets.UTF_8))));
    }

    private static boolean fits(String server, String tool, String client, String text) {
        return new CallFilter(server, tool, client, text, false, null).fits(CALL);
    }

    @Test
    void findsByServerToolClientAndText() {
        assertThat(CallFilter.ALL.fits(CALL)).isTrue();
        assertThat(fits("files", "", "", "")).isTrue();
        assertThat(fits("file", "", "", "")).isFalse();
        assertThat(fits("", "read", "", "")).isTrue();
        assertThat(fits("", "files.read", "", "")).isTrue();
        assertThat(fits("", "rea", "", "")).isFalse();
        assertThat(fits("", "", "claude", "")).isTrue();
        assertThat(fits("", "", "CI", "")).isTrue();
        assertThat(fits("", "", "cursor", "")).isFalse();
        assertThat(fits("", "", "", "Notes")).isTrue();
        assertThat(fits("", "", "", "absent")).isFalse();
    }

    @Test
    void findsByTimeAndOutcome() {
        Instant since = Instant.parse("2026-11-18T09:00:00Z");

        assertThat(new CallFilter("", "", "", "", false, since).query().since()).isEqualTo(since);
        assertThat(new CallFilter("", "", "", "", true, null).fits(CALL)).isFalse();
    }

    @Test
    void namesOtherMethodsWithTheirTarget() {
        RecordedCall read =
                parse(
                        "{\"at\":\"2026-11-18T09:00:00Z\",\"serverId\":\"web\","
                                + "\"method\":\"resources/read\",\"target\":\"web://x\"}");

        assertThat(read.subject()).isEqualTo("resources/read web web://x");
        assertThat(StoredLine.parse("{}".getBytes(StandardCharsets.UTF_8))).isNull();
    }
}
