package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** The log of calls: bounded in number and size, and without the secrets that are known. */
class CallLogTest {
    private static final Duration TOOK = Duration.ofMillis(2);

    @Test
    void theNewestTakesThePlaceOfTheOldest() {
        try (var scene = new Scene()) {
            for (int i = 0; i < 512 + 10; i++) {
                scene.ended("x", "{\"n\":" + i + "}", Scene.answered("{}"), TOOK);
            }
            CallLog log = scene.observatory.log();
            assertThat(log.since(0)).hasSize(512);
            assertThat(log.since(0).getFirst().number()).isEqualTo(10);
            assertThat(log.find(9)).isEmpty();
            assertThat(log.find(10).orElseThrow().params().text()).isEqualTo("{\"n\":10}");
            assertThat(log.since(512 + 9)).hasSize(1);
        }
    }

    @Test
    void ofALargeMessageTheBeginningIsKept() {
        try (var scene = new Scene()) {
            String large = Json.string("x".repeat(100_000)).toString();
            scene.ended("x", "{\"text\":" + large + "}", Scene.answered("{}"), TOOK);
            scene.observatory.watched(true);
            scene.ended("x", "{\"text\":" + large + "}", Scene.answered("{}"), TOOK);
            Excerpt unwatched = scene.observatory.log().find(0).orElseThrow().params();
            Excerpt watched = scene.observatory.log().find(1).orElseThrow().params();
            assertThat(unwatched.text()).hasSize(2 * 1024);
            assertThat(watched.text()).hasSize(32 * 1024);
            assertThat(unwatched.isCut()).isTrue();
            assertThat(unwatched.wholeBytes()).isEqualTo(100_011);
        }
    }

    @Test
    void aClientCannotFillTheMemoryByItsName() {
        try (var scene = new Scene()) {
            scene.ended("n".repeat(1_000_000), "{}", Scene.answered("{}"), TOOK);
            assertThat(scene.observatory.log().find(0).orElseThrow().call().client())
                    .hasSizeLessThan(1_000);
            assertThat(scene.observatory.clients().calls()).containsKey(Clients.OTHERS);
        }
    }

    @Test
    void secretsThatAreKnownAreNotShown() {
        var env = Map.of("API_KEY", "hunter-two-42", "HOME", "/home/somebody");
        try (var scene = new Scene(env)) {
            scene.ended(
                    "x",
                    "{\"arguments\":{\"password\":\"pa\\\"ss\",\"apiKey\":\"k-1-2\","
                            + "\"path\":\"/home/somebody\"}}",
                    Scene.answered("{\"content\":[{\"text\":\"key is hunter-two-42!\"}]}"),
                    TOOK);
            CallLog.Entry entry = scene.observatory.log().find(0).orElseThrow();
            String shown = new Views(scene.observatory).detail(entry).toString();
            assertThat(shown)
                    .doesNotContain("hunter-two-42")
                    .doesNotContain("pa\\\\\\\"ss", "k-1-2");
            assertThat(shown).contains("key is ***!").contains("/home/somebody");
        }
    }

    @Test
    void aVariableInThePlaceOfASecretIsShown() {
        String advice = "{\"headers\":{\"Authorization\":\"%s\"}}";
        try (var scene = new Scene(Map.of())) {
            scene.ended("x", advice.formatted("Bearer ${TOKEN}"), Scene.answered("{}"), TOOK);
            scene.ended("x", advice.formatted("Bearer ${T}oken"), Scene.answered("{}"), TOOK);
            var views = new Views(scene.observatory);
            CallLog log = scene.observatory.log();
            assertThat(views.detail(log.find(0).orElseThrow()).toString())
                    .contains("Bearer ${TOKEN}");
            assertThat(views.detail(log.find(1).orElseThrow()).toString())
                    .contains("***")
                    .doesNotContain("oken");
        }
    }
}
