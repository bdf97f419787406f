package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/** Each client gets the log messages of its own calls, from the level on that it asked for. */
class LoggingTest {
    private static final String MESSAGE = "notifications/message";
    private static final String LEVEL_KEY = "io.modelcontextprotocol/logLevel";

    @TempDir private Path folder;

    private Site site(String era, boolean http) {
        return new Site(folder)
                .server("s", era, http, script -> script.tools("log", "slow", "echo"));
    }

    @ParameterizedTest
    @CsvSource({"legacy, false", "legacy, true", "modern, false", "modern, true"})
    void theLevelThatAClientAskedForHolds(String era, boolean http) throws Exception {
        try (Site site = site(era, http)) {
            EraClient legacy = site.client(false, true);
            EraClient modern = site.client(true, true);
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
            assertThat(EraClient.await(() -> heard(legacy).size() == 2)).isTrue();
            assertThat(heard(legacy)).containsExactly("error legacy 1", "alert legacy 1");
            assertThat(EraClient.await(() -> heard(modern).size() == 1)).isTrue();
            assertThat(heard(modern)).containsExactly("info modern 1");
        }
    }

    /** A modern server is told of no level then, and has to keep silent. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aLegacyClientThatSetNoLevelGetsInfoAndAbove(boolean http) throws Exception {
        try (Site site = site("legacy", http)) {
            EraClient client = site.client(false, true);
            for (String level : List.of("debug", "info", "notice")) {
                log(client, level, "unset");
            }
            assertThat(EraClient.await(() -> heard(client).size() == 2)).isTrue();
            assertThat(heard(client)).containsExactly("info unset 1", "notice unset 1");
        }
    }

    @Test
    void aLegacyServerIsToldTheLeastLevelThatAnybodyWants() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient one = site.client(false, true);
            EraClient two = site.client(false, true);
            one.request("logging/setLevel", "{\"level\":\"error\"}");
            two.request("logging/setLevel", "{\"level\":\"info\"}");
            one.request("logging/setLevel", "{\"level\":\"warning\"}");
            assertThat(levels(site)).containsExactly("error", "info");
            two.close();
            assertThat(EraClient.await(() -> levels(site).size() == 3)).isTrue();
            EraClient modern = site.client(true, true).withMeta("\"" + LEVEL_KEY + "\":\"debug\"");
            log(modern, "debug", "seen");
            assertThat(EraClient.await(() -> heard(modern).size() == 1)).isTrue();
            log(one, "notice", "not seen");
            assertThat(levels(site)).containsExactly("error", "info", "warning", "debug");
            assertThat(heard(one)).isEmpty();
        }
    }

    @Test
    void aRequestForAModernServerCarriesTheLevelOfItsClient() throws Exception {
        try (Site site = site("modern", false)) {
            EraClient legacy = site.client(false, false);
            legacy.text("s.echo", "{}");
            legacy.request("logging/setLevel", "{\"level\":\"notice\"}");
            legacy.text("s.echo", "{}");
            assertThat(site.record("s").received("tools/call"))
                    .extracting(
                            call ->
                                    call.find("params", "_meta", LEVEL_KEY)
                                            .map(Object::toString)
                                            .orElse(""))
                    .containsExactly("", "\"notice\"");
            assertThat(site.record("s").count("logging/setLevel")).isZero();
        }
    }

    @Test
    void aMessageThatCouldBeOfAnotherClientReachesNeither() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient one = site.client(false, true);
            EraClient two = site.client(false, true);
            one.request("logging/setLevel", "{\"level\":\"debug\"}");
            two.request("logging/setLevel", "{\"level\":\"debug\"}");
            String slow = one.send("tools/call", call("s.slow", "{\"ms\":60000}"));
            assertThat(EraClient.await(() -> site.record("s").calls("slow").size() == 1)).isTrue();
            log(two, "error", "secret");
            one.wire().giveUp(slow);
            assertThat(EraClient.await(() -> !site.record("s").cancels().isEmpty())).isTrue();
            // The server hears of it a moment before the call is no longer in flight.
            assertThat(EraClient.await(() -> isHeard(two, "own"))).isTrue();
            assertThat(heard(two)).containsExactly("error own 1");
            assertThat(heard(one)).isEmpty();
        }
    }

    /** Logs, and says whether that was told, which it is before the call is answered. */
    private static boolean isHeard(EraClient client, String text) {
        log(client, "error", text);
        return !heard(client).isEmpty();
    }

    private static void log(EraClient client, String level, String text) {
        String arguments = "{\"level\":\"%s\",\"text\":\"%s %s\"}".formatted(level, level, text);
        assertThat(client.text("s.log", arguments)).isEqualTo("log");
    }

    private static String call(String tool, String arguments) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
    }

    private static List<String> heard(EraClient client) {
        return client.notices(MESSAGE).stream()
                .map(tree -> tree.at("params", "data").text())
                .toList();
    }

    private static List<String> levels(Site site) {
        return site.record("s").received("logging/setLevel").stream()
                .map(tree -> tree.at("params", "level").text())
                .toList();
    }
}
