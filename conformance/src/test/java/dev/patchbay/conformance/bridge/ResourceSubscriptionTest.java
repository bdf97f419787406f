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

/** Clients get updates of the resources they subscribed to, and of no others. */
class ResourceSubscriptionTest {
    private static final String UPDATED = "notifications/resources/updated";

    @TempDir private Path folder;

    private BridgeFixture newFixture(String era, boolean http) {
        return new BridgeFixture(folder)
                .withServer(
                        "s",
                        era,
                        http,
                        script ->
                                script.tools("updated", "echo", "kill9")
                                        .withOption(
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
    void updateReachesOnlySubscribedClients(String era, boolean http) throws Exception {
        try (BridgeFixture fixture = newFixture(era, http)) {
            EraClient legacy = fixture.connectClient(false, true);
            EraClient other = fixture.connectClient(false, true);
            EraClient modern = fixture.connectClient(true, true);
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(modern.subscribe("test://one")).isTrue();
            assertThat(other.subscribe("test://two")).isTrue();

            triggerUpdate(other, "test://one");
            legacy.awaitNotification(UPDATED, tree -> isUpdateOf(tree, "test://one"));
            JsonTree tagged =
                    modern.awaitNotification(UPDATED, tree -> isUpdateOf(tree, "test://one"));
            assertThat(tagged.findAt("params", "_meta", "io.modelcontextprotocol/subscriptionId"))
                    .isPresent();
            triggerUpdate(legacy, "test://two");
            other.awaitNotification(UPDATED, tree -> isUpdateOf(tree, "test://two"));
            assertThat(updatedUris(other)).containsExactly("test://two");
            assertThat(updatedUris(legacy)).containsExactly("test://one");
            assertThat(updatedUris(modern)).containsExactly("test://one");
            assertThat(legacy.notifications(UPDATED).getFirst().write()).doesNotContain("_meta");
            assertThat(subscribeCount(fixture, era, "test://one")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"legacy, false", "modern, true"})
    void unsubscribedClientGetsNoMoreUpdates(String era, boolean http) throws Exception {
        try (BridgeFixture fixture = newFixture(era, http)) {
            EraClient legacy = fixture.connectClient(false, true);
            EraClient other = fixture.connectClient(false, true);
            EraClient modern = fixture.connectClient(true, true);
            assertThat(legacy.subscribe("test://one")).isTrue();
            assertThat(modern.subscribe("test://one")).isTrue();
            assertThat(other.subscribe("test://two")).isTrue();
            legacy.unsubscribe("test://one");
            triggerUpdate(other, "test://one");
            assertThat(EraClient.await(() -> updatedUris(modern).size() == 1)).isTrue();
            modern.unsubscribe("test://one");
            assertThat(EraClient.await(() -> unsubscribeCount(fixture, era) == 1)).isTrue();
            triggerUpdate(other, "test://one");
            triggerUpdate(other, "test://two");
            assertThat(EraClient.await(() -> updatedUris(other).size() == 1)).isTrue();
            assertThat(updatedUris(legacy)).isEmpty();
            assertThat(updatedUris(modern)).hasSize(1);
        }
    }

    /** The client unsubscribes before the server has answered. */
    @Test
    void clientThatUnsubscribesBeforeAcknowledgementGetsNoUpdates() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer(
                    "s",
                    "legacy",
                    false,
                    script ->
                            script.tools("updated")
                                    .withOption("resources", "test://one,test://two")
                                    .at("resources/subscribe=delay:500"));
            EraClient client = fixture.connectClient(false, false);
            String begun = client.send("resources/subscribe", EraClient.uriParams("test://one"));
            assertThat(EraClient.await(() -> subscribeCount(fixture, "legacy", "test://one") == 1))
                    .isTrue();
            client.unsubscribe("test://one");
            assertThat(client.awaitResponse(begun).has("result")).isTrue();
            assertThat(client.subscribe("test://two")).isTrue();
            triggerUpdate(client, "test://one");
            triggerUpdate(client, "test://two");
            client.awaitNotification(UPDATED, tree -> isUpdateOf(tree, "test://two"));
            assertThat(updatedUris(client)).containsExactly("test://two");
        }
    }

    @ParameterizedTest
    @CsvSource({"legacy", "modern"})
    void subscriptionIsRenewedAfterServerRestart(String era) throws Exception {
        try (BridgeFixture fixture = newFixture(era, false)) {
            EraClient client = fixture.connectClient(false, false);
            assertThat(client.subscribe("test://one")).isTrue();
            client.call("s.kill9", "{}");
            assertThat(EraClient.await(() -> subscribeCount(fixture, era, "test://one") == 2))
                    .isTrue();
            triggerUpdate(client, "test://one");
            client.awaitNotification(UPDATED, tree -> isUpdateOf(tree, "test://one"));
        }
    }

    @Test
    void sessionEndEndsItsSubscriptions() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            fixture.connectClient(true, true);
            EraClient leaving = fixture.connectClient(false, true);
            assertThat(leaving.subscribe("test://one")).isTrue();
            leaving.close();
            assertThat(EraClient.await(() -> unsubscribeCount(fixture, "legacy") == 1)).isTrue();
        }
    }

    @Test
    void unknownResourceIsRefused() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            fixture.withServer(
                    "t", "modern", false, script -> script.withOption("resources", "test://three"));
            EraClient legacy = fixture.connectClient(false, true);
            EraClient modern = fixture.connectClient(true, true);
            JsonTree refusal =
                    legacy.request("resources/subscribe", EraClient.uriParams("no://where"));
            assertThat(refusal.at("error", "data", "reason").asText())
                    .isEqualTo("RESOURCE_NOT_FOUND");
            String unknown = EraClient.uriParams("no://where");
            assertThat(legacy.request("resources/read", unknown).at("error", "code").asLong())
                    .isEqualTo(-32002);
            assertThat(modern.request("resources/read", unknown).at("error", "code").asLong())
                    .isEqualTo(-32602);
            assertThat(modern.subscribe("no://where")).isFalse();
        }
    }

    @Test
    void subscriptionOfASlowServerIsNotAcknowledged() throws Exception {
        try (BridgeFixture fixture = newFixture("modern", false)) {
            fixture.withServer(
                    "t",
                    "modern",
                    false,
                    it ->
                            it.withOption("resources", "test://mute")
                                    .at("subscriptions/listen=hang"));
            EraClient client = fixture.connectClient(true, true);
            var stopwatch = Stopwatch.start();
            String id =
                    client.send(
                            "subscriptions/listen",
                            "{\"notifications\":{\"resourceSubscriptions\":"
                                    + "[\"test://one\",\"test://mute\"]}}");
            JsonTree reported =
                    client.awaitNotification(
                            "notifications/subscriptions/acknowledged",
                            tree -> EraClient.hasSubscriptionId(tree, id));
            assertThat(stopwatch.elapsed()).isGreaterThan(Duration.ofMillis(9_900));
            assertThat(stopwatch.activeTime()).isLessThan(Duration.ofSeconds(14));
            assertThat(reported.at("params", "notifications", "resourceSubscriptions").write())
                    .isEqualTo("[\"test://one\"]");
        }
    }

    private static void triggerUpdate(EraClient client, String uri) {
        assertThat(client.callForText("s.updated", EraClient.uriParams(uri))).isEqualTo("updated");
    }

    private static boolean isUpdateOf(JsonTree notice, String uri) {
        return notice.at("params", "uri").asText().equals(uri);
    }

    private static List<String> updatedUris(EraClient client) {
        return client.notifications(UPDATED).stream()
                .map(tree -> tree.at("params", "uri").asText())
                .toList();
    }

    /** How often the server got a subscription to a resource. */
    private static long subscribeCount(BridgeFixture fixture, String era, String uri) {
        if (era.equals("legacy")) {
            return fixture.record("s").received("resources/subscribe").stream()
                    .filter(tree -> isUpdateOf(tree, uri))
                    .count();
        }
        return fixture.record("s").received("subscriptions/listen").stream()
                .filter(
                        tree ->
                                tree.write()
                                        .contains("\"resourceSubscriptions\":[\"" + uri + "\"]"))
                .count();
    }

    /** How often the server was told that a subscription ended. */
    private static int unsubscribeCount(BridgeFixture fixture, String era) {
        return fixture.record("s")
                .receivedCount(
                        era.equals("legacy") ? "resources/unsubscribe" : "notifications/cancelled");
    }
}
