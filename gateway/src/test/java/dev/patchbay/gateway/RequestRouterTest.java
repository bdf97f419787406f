package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Prompts and resources reach the server they belong to, under the server's own names. */
class RequestRouterTest {
    @TempDir private Path folder;
    private GatewayFixture fleet;
    private ServerScript a;
    private ServerScript b;

    @BeforeEach
    void open() throws Exception {
        fleet = new GatewayFixture(folder);
        a =
                fleet.add(
                        fleet.script("a")
                                .withOption("prompts", "greet")
                                .withOption("resources", "x://1"));
        b =
                fleet.add(
                        fleet.script("b")
                                .withOption("prompts", "greet,part")
                                .withOption("resources", "x://1,x://2")
                                .withOption("templates", "y://{id}"));
        fleet.discover();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static String param(ServerScript script, String method, String name) {
        return script.recording().received(method).getLast().findAt("params", name).orElseThrow()
                + "";
    }

    @Test
    void promptIsFoundByFullNameOrUniqueBareName() throws Exception {
        var params = Json.of("{\"name\":\"b.greet\",\"arguments\":{\"topic\":\"t\"}}");
        assertThat(fleet.gateway.prompt(params, CallContext.NONE))
                .isInstanceOf(CallResult.Answered.class);
        assertThat(param(b, "prompts/get", "name")).contains("greet").doesNotContain("b.greet");
        assertThat(a.recording().receivedCount("prompts/get")).isZero();
        assertThat(fleet.gateway.prompt(Json.of("{\"name\":\"part\"}"), CallContext.NONE))
                .isInstanceOf(CallResult.Answered.class);
        assertThat(reason(fleet.gateway.prompt(Json.of("{\"name\":\"greet\"}"), CallContext.NONE)))
                .isEqualTo(ErrorReason.AMBIGUOUS_PROMPT);
        assertThat(reason(fleet.gateway.prompt(Json.of("{\"name\":\"no\"}"), CallContext.NONE)))
                .isEqualTo(ErrorReason.PROMPT_NOT_FOUND);
    }

    @Test
    void resourceOfTwoServersIsReadFromTheRequestedOne() throws Exception {
        assertThat(fleet.gateway.catalog().advertisedResources())
                .extracting(it -> it.memberText("uri"))
                .containsExactly("patchbay+a:x://1", "patchbay+b:x://1", "x://2");
        assertThat(read("patchbay+a:x://1")).isInstanceOf(CallResult.Answered.class);
        assertThat(a.recording().receivedCount("resources/read")).isEqualTo(1);
        assertThat(read("patchbay+b:x://1")).isInstanceOf(CallResult.Answered.class);
        assertThat(param(b, "resources/read", "uri")).contains("x://1").doesNotContain("patchbay");
        CallResult.Rejected ambiguous = (CallResult.Rejected) read("x://1");
        assertThat(ambiguous.reason()).isEqualTo(ErrorReason.RESOURCE_NOT_FOUND);
        assertThat(ambiguous.message()).contains("patchbay+a:x://1", "patchbay+b:x://1");
        assertThat(reason(read("z://nowhere"))).isEqualTo(ErrorReason.RESOURCE_NOT_FOUND);
        assertThat(((CallResult.ServerError) read("y://7")).server()).isEqualTo(new ServerId("b"));
    }

    @Test
    void updateCarriesTheUriTheClientSubscribedTo() throws Exception {
        var seen = new CopyOnWriteArrayList<String>();
        fleet.add(fleet.script("c").tools("updated").withOption("resources", "x://1"));
        fleet.discover();
        subscribe("patchbay+c:x://1", seen);
        fleet.call("c.updated", "{\"uri\":\"x://1\"}");
        assertThat(GatewayFixture.becomesTrue(() -> seen.contains("patchbay+c:x://1"))).isTrue();
        fleet.call("c.updated", "{\"uri\":\"x://1/part\",\"anyway\":true}");
        assertThat(GatewayFixture.becomesTrue(() -> seen.contains("patchbay+c:x://1/part")))
                .isTrue();
        fleet.call("c.updated", "{\"uri\":\"x://10\",\"anyway\":true}");
        fleet.call("c.updated", "{\"uri\":\"x://1\"}");
        assertThat(GatewayFixture.becomesTrue(() -> seen.size() == 3)).isTrue();
        assertThat(seen).doesNotContain("patchbay+c:x://10");
    }

    @Test
    void serverIsSubscribedOnceUnsubscribedLastAndResubscribedAfterRestart() throws Exception {
        var stops = new ArrayList<Runnable>();
        for (int i = 0; i < 2; i++) {
            stops.add(subscribe("x://2", new CopyOnWriteArrayList<>()));
        }
        assertThat(b.recording().receivedCount("resources/subscribe")).isEqualTo(1);
        fleet.gateway.reconnect(new ServerId("b"));
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> b.recording().receivedCount("resources/subscribe") == 2))
                .isTrue();
        for (Runnable stop : stops) {
            assertThat(b.recording().receivedCount("resources/unsubscribe")).isZero();
            stop.run();
            stop.run();
        }
        assertThat(
                        GatewayFixture.becomesTrue(
                                () -> b.recording().receivedCount("resources/unsubscribe") == 1))
                .isTrue();
    }

    /** What a server agreed to before it went away says nothing of the one that came back. */
    @Test
    void subscriptionRefusedAfterRestartIsNotConfirmed() throws Exception {
        subscribe("x://2", new CopyOnWriteArrayList<>());
        var refusing =
                fleet.script("b")
                        .withOption("resources", "x://2")
                        .at("resources/subscribe=error:-32603");
        fleet.gateway.update(GatewayFixture.spec(refusing, GatewayFixture.NO_RETRIES));
        assertThat(
                        GatewayFixture.becomesTrue(
                                () ->
                                        refusing.recording().receivedCount("resources/subscribe")
                                                == 2))
                .isTrue();
        fleet.discover();
        CallResult reply =
                fleet.gateway
                        .subscribe(Json.of("{\"uri\":\"x://2\"}"), CallContext.NONE, _ -> {})
                        .result();
        assertThat(reply).isInstanceOf(CallResult.ServerError.class);
    }

    private Runnable subscribe(String uri, List<String> seen) throws InterruptedException {
        Json params = Json.of("{\"uri\":\"" + uri + "\"}");
        SubscriptionResult subscribed =
                fleet.gateway.subscribe(
                        params, CallContext.NONE, told -> seen.add(told.memberText("uri")));
        assertThat(subscribed.result()).isInstanceOf(CallResult.Answered.class);
        return subscribed.stop();
    }

    private CallResult read(String uri) throws InterruptedException {
        return fleet.gateway.resource(
                "resources/read", Json.of("{\"uri\":\"" + uri + "\"}"), CallContext.NONE);
    }

    private static ErrorReason reason(CallResult reply) {
        return ((CallResult.Rejected) reply).reason();
    }
}
