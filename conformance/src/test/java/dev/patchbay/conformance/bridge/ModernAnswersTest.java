package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/** What a modern answer says besides its result: how long it may be kept, and its status. */
class ModernAnswersTest {
    @TempDir private Path folder;

    @Test
    void aListMayBeKeptAsLongAsTheLeastOfItsParts() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("a", "modern", false, it -> kept(it.with("resources", "1"), 600_000));
            site.server("b", "modern", false, it -> kept(it.with("prompts", "1"), 300_000));
            EraClient client = site.client(true, true);
            JsonTree tools = client.request("tools/list", "{}").at("result");
            assertThat(tools.at("ttlMs").integer()).isBetween(200_000L, 300_000L);
            assertThat(tools.at("cacheScope").text()).isEqualTo("private");
            long first = tools.at("ttlMs").integer();
            assertThat(
                            EraClient.await(
                                    () ->
                                            client.request("tools/list", "{}")
                                                            .at("result", "ttlMs")
                                                            .integer()
                                                    < first))
                    .isTrue();
            JsonTree resources = client.request("resources/list", "{}").at("result");
            assertThat(resources.at("ttlMs").integer()).isBetween(500_000L, 600_000L);
            assertThat(resources.at("cacheScope").text()).isEqualTo("public");
            JsonTree read =
                    client.request("resources/read", EraClient.uriParams("test://a/1"))
                            .at("result");
            assertThat(read.at("ttlMs").integer()).isEqualTo(600_000);
            assertThat(read.at("cacheScope").text()).isEqualTo("public");
        }
    }

    private static ServerScript kept(ServerScript script, long millis) {
        return script.with("ttl", millis).with("scope", "public");
    }

    @Test
    void aListWithALegacyPartIsKeptByNobody() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("a", "modern", false, it -> kept(it.with("resources", "1"), 600_000));
            site.server("b", "legacy", false, it -> it.with("resources", "1"));
            EraClient client = site.client(true, true);
            JsonTree listed = client.request("resources/list", "{}").at("result");
            assertThat(listed.at("ttlMs").integer()).isZero();
            assertThat(listed.at("cacheScope").text()).isEqualTo("private");
        }
    }

    /** PC9, to clients of both eras. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResultOfAnUnknownTypeIsAnError(boolean modern) throws Exception {
        try (Site site = new Site(folder)) {
            site.server("a", "modern", false, it -> it.tools("reply"));
            EraClient client = site.client(modern, false);
            for (String type : List.of("\"riddle\"", "5", "null")) {
                String result = "{\"result\":{\"resultType\":" + type + ",\"content\":[]}}";
                String params = Messages.callParams("a.reply", result);
                JsonTree answer = client.request("tools/call", params).at("result");
                assertThat(answer.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
                assertThat(answer.at("content", 0, "text").text())
                        .contains("Server a", "resultType", type.replace("\"", ""));
            }
        }
    }

    /** What a server wants of its client, and the client did not declare, is named to it. */
    @Test
    void aCapabilityThatIsMissingIsNamedToALegacyClient() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("a", "modern", false, it -> it.tools("sampleTools"));
            EraClient client = site.stranger(false, false).declaring("{}").begin();
            site.awaitListed(client);
            JsonTree answer = client.call("a.sampleTools", "{}");
            assertThat(answer.at("content", 0, "text").text())
                    .contains("Server a", "the client does not declare sampling.tools");
        }
    }

    /** Codes that only one era has are said in the way of the other. */
    @Test
    void anErrorThatTheErasDoNotShareIsSaidInTheWayOfTheClient() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("old", "legacy", false, it -> it.tools("rpcError"));
            site.server("new", "modern", false, it -> it.tools("rpcError"));
            EraClient legacy = site.client(false, true);
            for (int code : new int[] {-32020, -32021, -32022}) {
                JsonTree failed = legacy.call("new.rpcError", "{\"code\":" + code + "}");
                assertThat(failed.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
                assertThat(failed.at("content", 0, "text").text()).contains("new", "refused");
            }
            EraClient modern = site.client(true, true).declaring("{\"elicitation\":{}}");
            String params = Messages.callParams("old.rpcError", "{\"code\":-32042}");
            JsonTree error = modern.request("tools/call", params).at("error");
            assertThat(error.at("code").integer()).isEqualTo(-32021);
            assertThat(error.at("data", "requiredCapabilities").write())
                    .isEqualTo("{\"elicitation\":{\"url\":{}}}");
        }
    }

    /** A legacy client is asked by requests of its own, which must not go on for ever. */
    @Test
    void aServerMayAskALegacyClientEightTimes() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("a", "modern", false, it -> it.tools("elicit"));
            EraClient client = site.client(false, true);
            assertThat(client.text("a.elicit", "{\"rounds\":8}")).contains("Ann");
            assertThat(client.questions()).hasSize(8);
            String params = Messages.callParams("a.elicit", "{\"rounds\":9}");
            JsonTree error = client.request("tools/call", params).at("error");
            assertThat(error.at("message").text()).contains("8 rounds");
            assertThat(client.questions()).hasSize(16);
        }
    }

    @Test
    void aServersOwnMethodNotFoundIsNotOurs() throws Exception {
        try (Site site = new Site(folder)) {
            site.server("b", "legacy", false, it -> it.tools("refuse=rpcError:code=-32601"));
            EraClient client = site.client(true, true);
            String known = client.send("tools/call", Messages.callParams("b.refuse", "{}"));
            assertThat(client.answer(known).at("error", "code").integer()).isEqualTo(-32601);
            assertThat(client.wire().status(known)).isEqualTo(200);
            String unknown = client.send("no/such/method", "{}");
            assertThat(client.answer(unknown).at("error", "code").integer()).isEqualTo(-32601);
            assertThat(client.wire().status(unknown)).isEqualTo(404);
        }
    }
}
