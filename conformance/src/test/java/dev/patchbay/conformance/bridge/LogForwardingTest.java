package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/** Each client gets the log messages of its own calls, from its own level. */
class LogForwardingTest {
    private static final String LOG_MESSAGE = "notifications/message";
    private static final String LEVEL_KEY = "io.modelcontextprotocol/logLevel";

    @TempDir private Path folder;

    private BridgeFixture newFixture(String era, boolean http) {
        return new BridgeFixture(folder)
                .withServer("s", era, http, script -> script.tools("log", "slow", "echo"));
    }

    @ParameterizedTest
    @CsvSource({"legacy, false", "legacy, true", "modern, false", "modern, true"})
    void requestedLogLevelIsApplied(String era, boolean http) throws Exception {
        try (BridgeFixture fixture = newFixture(era, http)) {
            EraClient legacy = fixture.connectClient(false, true);
            EraClient modern = fixture.connectClient(true, true);
            assertThat(legacy.request("logging/setLevel", "{\"level\":\"warning\"}").has("result"))
                    .isTrue();
            log(legacy, "info", "legacy");
            log(legacy, "error", "legacy");
            modern.withMeta("\"" + LEVEL_KEY + "\":\"info\"");
            log(modern, "debug", "modern");
            log(modern, "info", "modern");
            modern.withMeta("");
            log(modern, "error", "silent");
            log(legacy, "alert", "legacy");
            assertThat(EraClient.await(() -> receivedLogTexts(legacy).size() == 2)).isTrue();
            assertThat(receivedLogTexts(legacy))
                    .containsExactly("error legacy 1", "alert legacy 1");
            assertThat(EraClient.await(() -> receivedLogTexts(modern).size() == 1)).isTrue();
            assertThat(receivedLogTexts(modern)).containsExactly("info modern 1");
        }
    }

    /** A modern server then gets no level and must not log. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void legacyClientWithoutLevelGetsInfoAndAbove(boolean http) throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", http)) {
            EraClient client = fixture.connectClient(false, true);
            for (String level : List.of("debug", "info", "notice")) {
                log(client, level, "unset");
            }
            assertThat(EraClient.await(() -> receivedLogTexts(client).size() == 2)).isTrue();
            assertThat(receivedLogTexts(client)).containsExactly("info unset 1", "notice unset 1");
        }
    }

    @Test
    void legacyServerIsSetToTheLowestRequestedLevel() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient one = fixture.connectClient(false, true);
            EraClient two = fixture.connectClient(false, true);
            one.request("logging/setLevel", "{\"level\":\"error\"}");
            two.request("logging/setLevel", "{\"level\":\"info\"}");
            one.request("logging/setLevel", "{\"level\":\"warning\"}");
            assertThat(receivedLevels(fixture)).containsExactly("error", "info");
            two.close();
            assertThat(EraClient.await(() -> receivedLevels(fixture).size() == 3)).isTrue();
            EraClient modern =
                    fixture.connectClient(true, true).withMeta("\"" + LEVEL_KEY + "\":\"debug\"");
            log(modern, "debug", "seen");
            assertThat(EraClient.await(() -> receivedLogTexts(modern).size() == 1)).isTrue();
            log(one, "notice", "not seen");
            assertThat(receivedLevels(fixture))
                    .containsExactly("error", "info", "warning", "debug");
            assertThat(receivedLogTexts(one)).isEmpty();
        }
    }

    @Test
    void requestToModernServerCarriesTheLogLevelOfItsClient() throws Exception {
        try (BridgeFixture fixture = newFixture("modern", false)) {
            EraClient legacy = fixture.connectClient(false, false);
            legacy.callForText("s.echo", "{}");
            legacy.request("logging/setLevel", "{\"level\":\"notice\"}");
            legacy.callForText("s.echo", "{}");
            assertThat(fixture.record("s").received("tools/call"))
                    .extracting(
                            call ->
                                    call.findAt("params", "_meta", LEVEL_KEY)
                                            .map(Object::toString)
                                            .orElse(""))
                    .containsExactly("", "\"notice\"");
            assertThat(fixture.record("s").receivedCount("logging/setLevel")).isZero();
        }
    }

    @Test
    void messageOfAnAmbiguousClientIsNotForwarded() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient one = fixture.connectClient(false, true);
            EraClient two = fixture.connectClient(false, true);
            one.request("logging/setLevel", "{\"level\":\"debug\"}");
            two.request("logging/setLevel", "{\"level\":\"debug\"}");
            String slow = one.send("tools/call", call("s.slow", "{\"ms\":60000}"));
            assertThat(EraClient.await(() -> fixture.record("s").callArguments("slow").size() == 1))
                    .isTrue();
            log(two, "error", "secret");
            one.transport().cancel(slow);
            assertThat(EraClient.await(() -> !fixture.record("s").cancelledIds().isEmpty()))
                    .isTrue();
            // The server is notified just before the call is no longer in flight.
            assertThat(EraClient.await(() -> isLogReceived(two, "own"))).isTrue();
            assertThat(receivedLogTexts(two)).containsExactly("error own 1");
            assertThat(receivedLogTexts(one)).isEmpty();
        }
    }

    /** Logs a message; whether the client got it before the response to the call. */
    private static boolean isLogReceived(EraClient client, String text) {
        log(client, "error", text);
        return !receivedLogTexts(client).isEmpty();
    }

    private static void log(EraClient client, String level, String text) {
        String arguments = "{\"level\":\"%s\",\"text\":\"%s %s\"}".formatted(level, level, text);
        assertThat(client.callForText("s.log", arguments)).isEqualTo("log");
    }

    private static String call(String tool, String arguments) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
    }

    private static List<String> receivedLogTexts(EraClient client) {
        return client.notifications(LOG_MESSAGE).stream()
                .map(tree -> tree.at("params", "data").asText())
                .toList();
    }

    private static List<String> receivedLevels(BridgeFixture fixture) {
        return fixture.record("s").received("logging/setLevel").stream()
                .map(tree -> tree.at("params", "level").asText())
                .toList();
    }
}
