package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.gateway.Subscriptions.Kind;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Resource updates reach their subscribers, and a hostile update costs its own server only. */
class SubscriptionsTest {
    private static final ServerId A = new ServerId("a");
    private static final ServerId B = new ServerId("b");

    private final List<String> requests = new ArrayList<>();
    private final Subscriptions subscriptions =
            new Subscriptions(
                    Kind.RESOURCES,
                    (connection, method, params, _) -> {
                        ServerId server = connection.server();
                        requests.add(server + " " + method + " " + params.memberText("uri"));
                        return new CallResult.Answered(server, Json.EMPTY_OBJECT);
                    });

    private List<String> subscribe(ServerId server, String uri) throws InterruptedException {
        var updates = new ArrayList<String>();
        SubscriptionResult result =
                subscriptions.subscribe(
                        new ResourceRoute(server, uri),
                        uri,
                        CallContext.NONE,
                        params -> updates.add(params.memberText("uri")));
        assertThat(result.result()).isInstanceOf(CallResult.Answered.class);
        return updates;
    }

    private void update(ServerId server, String uri) {
        subscriptions.publishUpdate(
                ConnectionId.primary(server),
                new JsonWriter().beginObject().member("uri", uri).endObject().toJson());
    }

    @Test
    void updateReachesSubscribersOfTheUriAndOfItsParents() throws Exception {
        List<String> exact = subscribe(A, "x://1/part");
        List<String> parent = subscribe(A, "x://1");
        List<String> folder = subscribe(A, "x://1/");
        List<String> sibling = subscribe(A, "x://10");
        List<String> between = subscribe(A, "x://1/p");
        List<String> otherServer = subscribe(B, "x://1/part");
        update(A, "x://1/part");
        assertThat(exact).containsExactly("x://1/part");
        assertThat(parent).containsExactly("x://1/part");
        assertThat(folder).containsExactly("x://1/part");
        assertThat(sibling).isEmpty();
        assertThat(between).isEmpty();
        assertThat(otherServer).isEmpty();
        update(A, "x://1/");
        assertThat(folder).hasSize(2);
        assertThat(parent).hasSize(2);
        assertThat(exact).hasSize(1);
    }

    @Test
    void serverIsAskedOncePerResource() throws Exception {
        subscribe(A, "x://1");
        subscribe(A, "x://1");
        subscribe(B, "x://1");
        assertThat(requests)
                .containsExactly("a resources/subscribe x://1", "b resources/subscribe x://1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "a", "%2F", "/é"})
    void hugeUriIsIgnoredInBoundedTime(String unit) throws Exception {
        List<String> updates = subscribe(A, "x:");
        String huge = "x:" + unit.repeat(4_000_000 / unit.length());
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    update(B, huge);
                    update(A, huge);
                });
        assertThat(updates).isEmpty();
        update(A, "x:");
        assertThat(updates).containsExactly("x:");
    }

    @Test
    void updateReachesTheSubscribersOfEveryParentOnce() throws Exception {
        String longest = "x:" + "/".repeat(1_000);
        var all = new ArrayList<List<String>>();
        for (int length = 2; length <= longest.length(); length++) {
            all.add(subscribe(A, longest.substring(0, length)));
        }
        update(A, longest);
        assertThat(all.stream().map(List::size)).containsOnly(1);
    }

    @Test
    void tooLongUriCannotBeSubscribed() throws Exception {
        String uri = "x".repeat(ResourceRoute.URI_CHARS_MAX + 1);
        SubscriptionResult result =
                subscriptions.subscribe(new ResourceRoute(A, uri), uri, CallContext.NONE, _ -> {});
        assertThat(result.result()).isInstanceOf(CallResult.Rejected.class);
        assertThat(requests).isEmpty();
    }

    @Test
    void stoppedSubscriptionGetsNoUpdates() throws Exception {
        var updates = new ArrayList<String>();
        SubscriptionResult result =
                subscriptions.subscribe(
                        new ResourceRoute(A, "x://1"),
                        "x://1",
                        CallContext.NONE,
                        params -> updates.add(params.memberText("uri")));
        List<String> other = subscribe(A, "x://1");
        result.stop().run();
        result.stop().run();
        update(A, "x://1");
        assertThat(updates).isEmpty();
        assertThat(other).hasSize(1);
        assertThat(requests).hasSize(1);
    }

    @Test
    void lostNotificationsCountAsAnUpdateOfEverySubscribedResource() throws Exception {
        List<String> one = subscribe(A, "x://1");
        List<String> two = subscribe(A, "x://2");
        List<String> other = subscribe(B, "x://1");
        subscriptions.notificationsLost(ConnectionId.primary(A));
        assertThat(one).containsExactly("x://1");
        assertThat(two).containsExactly("x://2");
        assertThat(other).isEmpty();
    }
}
