package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.history.JsonExcerpt;
import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The log of calls: bounded in number and size, and without the secrets that are known. */
class CallLogTest {
    private static final Duration DURATION = Duration.ofMillis(2);

    @Test
    void newestCallReplacesOldest() {
        try (var scene = new CallStatisticsFixture()) {
            for (int i = 0; i < 512 + 10; i++) {
                scene.recordCall(
                        "x",
                        "{\"n\":" + i + "}",
                        CallStatisticsFixture.successfulResult("{}"),
                        DURATION);
            }
            CallLog log = scene.statistics.log();
            assertThat(log.since(0)).hasSize(512);
            assertThat(log.since(0).getFirst().number()).isEqualTo(10);
            assertThat(log.find(9)).isEmpty();
            assertThat(log.find(10).orElseThrow().params().text()).isEqualTo("{\"n\":10}");
            assertThat(log.since(512 + 9)).hasSize(1);
        }
    }

    @Test
    void keepsBeginningOfLargeMessage() {
        try (var scene = new CallStatisticsFixture()) {
            String large = Json.string("x".repeat(100_000)).toString();
            scene.recordCall(
                    "x",
                    "{\"text\":" + large + "}",
                    CallStatisticsFixture.successfulResult("{}"),
                    DURATION);
            scene.statistics.watched(true);
            scene.recordCall(
                    "x",
                    "{\"text\":" + large + "}",
                    CallStatisticsFixture.successfulResult("{}"),
                    DURATION);
            JsonExcerpt unwatched = scene.statistics.log().find(0).orElseThrow().params();
            JsonExcerpt watched = scene.statistics.log().find(1).orElseThrow().params();
            assertThat(unwatched.text()).hasSize(2 * 1024);
            assertThat(watched.text()).hasSize(32 * 1024);
            assertThat(unwatched.isTruncated()).isTrue();
            assertThat(unwatched.totalBytes()).isEqualTo(100_011);
        }
    }

    @Test
    void longClientNameIsTruncated() {
        try (var scene = new CallStatisticsFixture()) {
            scene.recordCall(
                    "n".repeat(1_000_000),
                    "{}",
                    CallStatisticsFixture.successfulResult("{}"),
                    DURATION);
            assertThat(scene.statistics.log().find(0).orElseThrow().call().client())
                    .hasSizeLessThan(1_000);
            assertThat(scene.statistics.clients().calls()).containsKey(ClientCallCounts.OTHER);
        }
    }

    @Test
    void knownSecretsAreRedacted() {
        var env = Map.of("API_KEY", "hunter-two-42", "HOME", "/home/somebody");
        try (var scene = new CallStatisticsFixture(env)) {
            scene.recordCall(
                    "x",
                    "{\"arguments\":{\"password\":\"pa\\\"ss\",\"apiKey\":\"k-1-2\","
                            + "\"path\":\"/home/somebody\"}}",
                    CallStatisticsFixture.successfulResult(
                            "{\"content\":[{\"text\":\"key is hunter-two-42!\"}]}"),
                    DURATION);
            CallLog.Entry entry = scene.statistics.log().find(0).orElseThrow();
            String shown =
                    new DashboardJson(scene.statistics, Set::of).callDetail(entry).toString();
            assertThat(shown)
                    .doesNotContain("hunter-two-42")
                    .doesNotContain("pa\\\\\\\"ss", "k-1-2");
            assertThat(shown).contains("key is ***!").contains("/home/somebody");
        }
    }

    @Test
    void variableReferenceInPlaceOfSecretIsShown() {
        String advice = "{\"headers\":{\"Authorization\":\"%s\"}}";
        try (var scene = new CallStatisticsFixture(Map.of())) {
            scene.recordCall(
                    "x",
                    advice.formatted("Bearer ${TOKEN}"),
                    CallStatisticsFixture.successfulResult("{}"),
                    DURATION);
            scene.recordCall(
                    "x",
                    advice.formatted("Bearer ${T}oken"),
                    CallStatisticsFixture.successfulResult("{}"),
                    DURATION);
            var views = new DashboardJson(scene.statistics, Set::of);
            CallLog log = scene.statistics.log();
            assertThat(views.callDetail(log.find(0).orElseThrow()).toString())
                    .contains("Bearer ${TOKEN}");
            assertThat(views.callDetail(log.find(1).orElseThrow()).toString())
                    .contains("***")
                    .doesNotContain("oken");
        }
    }

    /** Tools often return JSON as text, so that its quotes are escaped once or more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void secretsInEscapedJsonAreRedacted(int levels) {
        String inner = "{\"password\": \"q9\\\"z8\\\\\",\n \"path\":\"/tmp\",\"apiKey\":\"k-1-2\"}";
        String text = inner;
        for (int i = 0; i < levels; i++) {
            text = Json.string(text).toString();
        }
        String shown = shown("{\"content\":" + text + "}", Map.of());
        assertThat(shown).doesNotContain("q9", "z8", "k-1-2").contains("***", "/tmp");
    }

    @Test
    void configuredSecretsAreRedactedHoweverTheyAreEscaped() {
        var env = Map.of("API_KEY", "hunter\"two\\42");
        String once = Json.string("key hunter\"two\\42 end").toString();
        String twice = Json.string(once).toString();
        for (String text : List.of(once, twice)) {
            assertThat(shown("{\"content\":" + text + "}", env))
                    .doesNotContain("hunter", "42")
                    .contains("key ***", "end");
        }
    }

    /** The result of a call as the page gets it. */
    private static String shown(String result, Map<String, String> env) {
        try (var scene = new CallStatisticsFixture(env)) {
            scene.recordCall("x", "{}", CallStatisticsFixture.successfulResult(result), DURATION);
            CallLog.Entry entry = scene.statistics.log().find(0).orElseThrow();
            Json detail = new DashboardJson(scene.statistics, Set::of).callDetail(entry);
            return String.valueOf(detail.member("result").memberText("text"));
        }
    }
}
