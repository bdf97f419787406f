package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Reason;
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
class RelayTest {
    @TempDir private Path folder;
    private Fleet fleet;
    private ServerScript a;
    private ServerScript b;

    @BeforeEach
    void open() throws Exception {
        fleet = new Fleet(folder);
        a = fleet.add(fleet.script("a").with("prompts", "greet").with("resources", "x://1"));
        b =
                fleet.add(
                        fleet.script("b")
                                .with("prompts", "greet,part")
                                .with("resources", "x://1,x://2")
                                .with("templates", "y://{id}"));
        fleet.discover();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static String param(ServerScript script, String method, String name) {
        return script.record().received(method).getLast().find("params", name).orElseThrow() + "";
    }

    @Test
    void aPromptIsGotByItsFullNameOrAUniqueOne() throws Exception {
        var params = Json.of("{\"name\":\"b.greet\",\"arguments\":{\"topic\":\"t\"}}");
        assertThat(fleet.gateway.prompt(params, CallSource.NONE))
                .isInstanceOf(Reply.Answered.class);
        assertThat(param(b, "prompts/get", "name")).contains("greet").doesNotContain("b.greet");
        assertThat(a.record().count("prompts/get")).isZero();
        assertThat(fleet.gateway.prompt(Json.of("{\"name\":\"part\"}"), CallSource.NONE))
                .isInstanceOf(Reply.Answered.class);
        assertThat(reason(fleet.gateway.prompt(Json.of("{\"name\":\"greet\"}"), CallSource.NONE)))
                .isEqualTo(Reason.AMBIGUOUS_PROMPT);
        assertThat(reason(fleet.gateway.prompt(Json.of("{\"name\":\"no\"}"), CallSource.NONE)))
                .isEqualTo(Reason.PROMPT_NOT_FOUND);
    }

    @Test
    void aResourceOfTwoServersIsReadFromTheOneThatIsMeant() throws Exception {
        assertThat(fleet.gateway.catalog().shownResources())
                .extracting(it -> it.memberText("uri"))
                .containsExactly("x://1", "patchbay+b:x://1", "x://2");
        assertThat(read("x://1")).isInstanceOf(Reply.Answered.class);
        assertThat(a.record().count("resources/read")).isEqualTo(1);
        assertThat(read("patchbay+b:x://1")).isInstanceOf(Reply.Answered.class);
        assertThat(param(b, "resources/read", "uri")).contains("x://1").doesNotContain("patchbay");
        assertThat(reason(read("z://nowhere"))).isEqualTo(Reason.RESOURCE_NOT_FOUND);
        assertThat(((Reply.Refused) read("y://7")).server()).isEqualTo(new ServerId("b"));
    }

    @Test
    void anUpdateIsToldUnderTheUriThatTheClientAskedFor() throws Exception {
        var seen = new CopyOnWriteArrayList<String>();
        fleet.add(fleet.script("c").tools("updated").with("resources", "x://1"));
        fleet.discover();
        subscribe("patchbay+c:x://1", seen);
        fleet.call("c.updated", "{\"uri\":\"x://1\"}");
        assertThat(Fleet.comesTrue(() -> seen.contains("patchbay+c:x://1"))).isTrue();
        fleet.call("c.updated", "{\"uri\":\"x://1/part\",\"anyway\":true}");
        assertThat(Fleet.comesTrue(() -> seen.contains("patchbay+c:x://1/part"))).isTrue();
        fleet.call("c.updated", "{\"uri\":\"x://10\",\"anyway\":true}");
        fleet.call("c.updated", "{\"uri\":\"x://1\"}");
        assertThat(Fleet.comesTrue(() -> seen.size() == 3)).isTrue();
        assertThat(seen).doesNotContain("patchbay+c:x://10");
    }

    @Test
    void aServerIsToldOfTheFirstClientAndOfTheLastAndAgainAfterARestart() throws Exception {
        var stops = new ArrayList<Runnable>();
        for (int i = 0; i < 2; i++) {
            stops.add(subscribe("x://2", new CopyOnWriteArrayList<>()));
        }
        assertThat(b.record().count("resources/subscribe")).isEqualTo(1);
        fleet.gateway.reconnect(new ServerId("b"));
        assertThat(Fleet.comesTrue(() -> b.record().count("resources/subscribe") == 2)).isTrue();
        for (Runnable stop : stops) {
            assertThat(b.record().count("resources/unsubscribe")).isZero();
            stop.run();
            stop.run();
        }
        assertThat(Fleet.comesTrue(() -> b.record().count("resources/unsubscribe") == 1)).isTrue();
    }

    /** What a server agreed to before it went away says nothing of the one that came back. */
    @Test
    void aServerThatAgreesNoMoreAfterARestartIsNotTakenToTell() throws Exception {
        subscribe("x://2", new CopyOnWriteArrayList<>());
        var refusing =
                fleet.script("b").with("resources", "x://2").at("resources/subscribe=error:-32603");
        fleet.gateway.update(Fleet.spec(refusing, Fleet.ONCE));
        assertThat(Fleet.comesTrue(() -> refusing.record().count("resources/subscribe") == 2))
                .isTrue();
        fleet.discover();
        Reply reply =
                fleet.gateway
                        .subscribe(Json.of("{\"uri\":\"x://2\"}"), CallSource.NONE, _ -> {})
                        .reply();
        assertThat(reply).isInstanceOf(Reply.Refused.class);
    }

    private Runnable subscribe(String uri, List<String> seen) throws InterruptedException {
        Json params = Json.of("{\"uri\":\"" + uri + "\"}");
        Subscribed subscribed =
                fleet.gateway.subscribe(
                        params, CallSource.NONE, told -> seen.add(told.memberText("uri")));
        assertThat(subscribed.reply()).isInstanceOf(Reply.Answered.class);
        return subscribed.stop();
    }

    private Reply read(String uri) throws InterruptedException {
        return fleet.gateway.resource(
                "resources/read", Json.of("{\"uri\":\"" + uri + "\"}"), CallSource.NONE);
    }

    private static Reason reason(Reply reply) {
        return ((Reply.Unresolved) reply).reason();
    }
}
