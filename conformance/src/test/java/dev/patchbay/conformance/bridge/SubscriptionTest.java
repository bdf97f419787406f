package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Clients hear of the resources they asked for, of all of these, and of no others. */
class SubscriptionTest {
    private static final String UPDATED = "notifications/resources/updated";

    @TempDir private Path folder;

    private Site site(String era, boolean http) {
        return new Site(folder)
                .server(
                        "s",
                        era,
                        http,
                        script ->
                                script.tools("updated", "echo", "kill9")
                                        .with(
                                                "resources",
                                                "test://one,test://two,test://two/part"));
    }

    @ParameterizedTest
    @CsvSource({
        "legacy, false",
        "legacy, true",
        "modern, false",
        "modern, true",
    })
    void anUpdateReachesJustThoseWhoAskedForIt(String era, boolean http) throws Exception {
        try (Site site = site(era, http)) {
            EraClient legacy = site.client(false, true);
            EraClient other = site.client(false, true);
            EraClient modern = site.client(true, true);
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(modern.subscribe("test://one")).isTrue();
            assertThat(other.subscribe("test://two")).isTrue();

            update(other, "test://one");
            legacy.awaitNotice(UPDATED, tree -> isOf(tree, "test://one"));
            JsonTree tagged = modern.awaitNotice(UPDATED, tree -> isOf(tree, "test://one"));
            assertThat(tagged.find("params", "_meta", "io.modelcontextprotocol/subscriptionId"))
                    .isPresent();
            update(legacy, "test://two");
            other.awaitNotice(UPDATED, tree -> isOf(tree, "test://two"));
            assertThat(uris(other)).containsExactly("test://two");
            assertThat(uris(legacy)).containsExactly("test://one");
            assertThat(uris(modern)).containsExactly("test://one");
            assertThat(legacy.notices(UPDATED).getFirst().write()).doesNotContain("_meta");
            assertThat(asked(site, era, "test://one")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"legacy, false", "modern, true"})
    void whoEndsItsSubscriptionHearsNoMore(String era, boolean http) throws Exception {
        try (Site site = site(era, http)) {
            EraClient legacy = site.client(false, true);
            EraClient other = site.client(false, true);
            EraClient modern = site.client(true, true);
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(modern.subscribe("test://one")).isTrue();
            assertThat(other.subscribe("test://two")).isTrue();
            legacy.unsubscribe("test://one");
            update(other, "test://one");
            assertThat(EraClient.await(() -> uris(modern).size() == 1)).isTrue();
            modern.unsubscribe("test://one");
            assertThat(EraClient.await(() -> ended(site, era) == 1)).isTrue();
            update(other, "test://one");
            update(other, "test://two");
            assertThat(EraClient.await(() -> uris(other).size() == 1)).isTrue();
            assertThat(uris(legacy)).isEmpty();
            assertThat(uris(modern)).hasSize(1);
        }
    }

    /** Whoever changes his mind before the server has answered has changed it. */
    @Test
    void whoEndsItsSubscriptionBeforeItIsAgreedHearsNothing() throws Exception {
        try (Site site = new Site(folder)) {
            site.server(
                    "s",
                    "legacy",
                    false,
                    script ->
                            script.tools("updated")
                                    .with("resources", "test://one,test://two")
                                    .at("resources/subscribe=delay:500"));
            EraClient client = site.client(false, false);
            String begun = client.send("resources/subscribe", EraClient.uriParams("test://one"));
            assertThat(EraClient.await(() -> asked(site, "legacy", "test://one") == 1)).isTrue();
            client.unsubscribe("test://one");
            assertThat(client.answer(begun).has("result")).isTrue();
            assertThat(client.subscribe("test://two")).isTrue();
            update(client, "test://one");
            update(client, "test://two");
            client.awaitNotice(UPDATED, tree -> isOf(tree, "test://two"));
            assertThat(uris(client)).containsExactly("test://two");
        }
    }

    @ParameterizedTest
    @CsvSource({"legacy", "modern"})
    void aServerThatWasAwayIsAskedAgain(String era) throws Exception {
        try (Site site = site(era, false)) {
            EraClient client = site.client(false, false);
            assertThat(client.subscribe("test://one")).isTrue();
            client.call("s.kill9", "{}");
            assertThat(EraClient.await(() -> asked(site, era, "test://one") == 2)).isTrue();
            update(client, "test://one");
            client.awaitNotice(UPDATED, tree -> isOf(tree, "test://one"));
        }
    }

    @Test
    void theEndOfASessionEndsItsSubscriptions() throws Exception {
        try (Site site = site("legacy", false)) {
            site.client(true, true);
            EraClient leaving = site.client(false, true);
            assertThat(leaving.subscribe("test://one")).isTrue();
            leaving.close();
            assertThat(EraClient.await(() -> ended(site, "legacy") == 1)).isTrue();
        }
    }

    @Test
    void aResourceThatNobodyHasIsRefused() throws Exception {
        try (Site site = site("legacy", false)) {
            site.server("t", "modern", false, script -> script.with("resources", "test://three"));
            EraClient legacy = site.client(false, true);
            EraClient modern = site.client(true, true);
            JsonTree refusal =
                    legacy.request("resources/subscribe", EraClient.uriParams("no://where"));
            assertThat(refusal.at("error", "data", "reason").text())
                    .isEqualTo("RESOURCE_NOT_FOUND");
            assertThat(modern.subscribe("no://where")).isFalse();
        }
    }

    @Test
    void aServerThatDoesNotAgreeInTimeIsLeftOutOfWhatIsAcknowledged() throws Exception {
        try (Site site = site("modern", false)) {
            site.server(
                    "t",
                    "modern",
                    false,
                    it -> it.with("resources", "test://mute").at("subscriptions/listen=hang"));
            EraClient client = site.client(true, true);
            var watch = Stopwatch.start();
            String id =
                    client.send(
                            "subscriptions/listen",
                            "{\"notifications\":{\"resourceSubscriptions\":"
                                    + "[\"test://one\",\"test://mute\"]}}");
            JsonTree told =
                    client.awaitNotice(
                            "notifications/subscriptions/acknowledged",
                            tree -> EraClient.isTagged(tree, id));
            assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(9_900));
            assertThat(watch.net()).isLessThan(Duration.ofSeconds(14));
            assertThat(told.at("params", "notifications", "resourceSubscriptions").write())
                    .isEqualTo("[\"test://one\"]");
        }
    }

    private static void update(EraClient client, String uri) {
        assertThat(client.text("s.updated", EraClient.uriParams(uri))).isEqualTo("updated");
    }

    private static boolean isOf(JsonTree notice, String uri) {
        return notice.at("params", "uri").text().equals(uri);
    }

    private static List<String> uris(EraClient client) {
        return client.notices(UPDATED).stream()
                .map(tree -> tree.at("params", "uri").text())
                .toList();
    }

    /** How often the server was asked to tell of a resource. */
    private static long asked(Site site, String era, String uri) {
        if (era.equals("legacy")) {
            return site.record("s").received("resources/subscribe").stream()
                    .filter(tree -> isOf(tree, uri))
                    .count();
        }
        return site.record("s").received("subscriptions/listen").stream()
                .filter(
                        tree ->
                                tree.write()
                                        .contains("\"resourceSubscriptions\":[\"" + uri + "\"]"))
                .count();
    }

    /** How often the server was told that nobody listens any more. */
    private static int ended(Site site, String era) {
        return site.record("s")
                .count(era.equals("legacy") ? "resources/unsubscribe" : "notifications/cancelled");
    }
}
