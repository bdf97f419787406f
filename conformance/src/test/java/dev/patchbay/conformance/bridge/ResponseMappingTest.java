package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/** Mapping of results, cache hints and errors between the eras. */
class ResponseMappingTest {
    @TempDir private Path folder;

    @Test
    void listTtlIsTheLowestTtlOfItsServers() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer(
                    "a", "modern", false, it -> withTtl(it.withOption("resources", "1"), 600_000));
            fixture.withServer(
                    "b", "modern", false, it -> withTtl(it.withOption("prompts", "1"), 300_000));
            EraClient client = fixture.connectClient(true, true);
            JsonTree tools = client.request("tools/list", "{}").at("result");
            assertThat(tools.at("ttlMs").asLong()).isBetween(200_000L, 300_000L);
            assertThat(tools.at("cacheScope").asText()).isEqualTo("private");
            long first = tools.at("ttlMs").asLong();
            assertThat(
                            EraClient.await(
                                    () ->
                                            client.request("tools/list", "{}")
                                                            .at("result", "ttlMs")
                                                            .asLong()
                                                    < first))
                    .isTrue();
            JsonTree resources = client.request("resources/list", "{}").at("result");
            assertThat(resources.at("ttlMs").asLong()).isBetween(500_000L, 600_000L);
            assertThat(resources.at("cacheScope").asText()).isEqualTo("public");
            JsonTree read =
                    client.request("resources/read", EraClient.uriParams("test://a/1"))
                            .at("result");
            assertThat(read.at("ttlMs").asLong()).isEqualTo(600_000);
            assertThat(read.at("cacheScope").asText()).isEqualTo("public");
        }
    }

    private static ServerScript withTtl(ServerScript script, long millis) {
        return script.withOption("ttl", millis).withOption("scope", "public");
    }

    @Test
    void listWithALegacyServerIsNotCacheable() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer(
                    "a", "modern", false, it -> withTtl(it.withOption("resources", "1"), 600_000));
            fixture.withServer("b", "legacy", false, it -> it.withOption("resources", "1"));
            EraClient client = fixture.connectClient(true, true);
            JsonTree listed = client.request("resources/list", "{}").at("result");
            assertThat(listed.at("ttlMs").asLong()).isZero();
            assertThat(listed.at("cacheScope").asText()).isEqualTo("private");
        }
    }

    /** PC9, for clients of both eras. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unknownResultTypeIsAnError(boolean modern) throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer("a", "modern", false, it -> it.tools("reply"));
            EraClient client = fixture.connectClient(modern, false);
            for (String type : List.of("\"riddle\"", "5", "null")) {
                String result = "{\"result\":{\"resultType\":" + type + ",\"content\":[]}}";
                String params = ClientMessages.callParams("a.reply", result);
                JsonTree answer = client.request("tools/call", params).at("result");
                assertThat(answer.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
                assertThat(answer.at("content", 0, "text").asText())
                        .contains("Server a", "resultType", type.replace("\"", ""));
            }
        }
    }

    /** The error names the capability that the client did not declare. */
    @Test
    void missingCapabilityIsNamedToALegacyClient() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer("a", "modern", false, it -> it.tools("sampleTools"));
            EraClient client = fixture.newClient(false, false).withCapabilities("{}").initialize();
            fixture.awaitListed(client);
            JsonTree answer = client.call("a.sampleTools", "{}");
            assertThat(answer.at("content", 0, "text").asText())
                    .contains("Server a", "the client does not declare sampling.tools");
        }
    }

    /** Codes of one era are mapped to the other. */
    @Test
    void eraSpecificErrorIsMappedToTheClientsEra() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer("old", "legacy", false, it -> it.tools("rpcError"));
            fixture.withServer("new", "modern", false, it -> it.tools("rpcError"));
            EraClient legacy = fixture.connectClient(false, true);
            for (int code : new int[] {-32020, -32021, -32022}) {
                JsonTree failed = legacy.call("new.rpcError", "{\"code\":" + code + "}");
                assertThat(failed.at("isError")).isEqualTo(JsonTree.Literal.TRUE);
                assertThat(failed.at("content", 0, "text").asText()).contains("new", "refused");
            }
            EraClient modern =
                    fixture.connectClient(true, true).withCapabilities("{\"elicitation\":{}}");
            String params = ClientMessages.callParams("old.rpcError", "{\"code\":-32042}");
            JsonTree error = modern.request("tools/call", params).at("error");
            assertThat(error.at("code").asLong()).isEqualTo(-32021);
            assertThat(error.at("data", "requiredCapabilities").write())
                    .isEqualTo("{\"elicitation\":{\"url\":{}}}");
        }
    }

    /** The rounds of requests to a legacy client are limited. */
    @Test
    void legacyClientIsAskedForInputAtMostEightTimes() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer("a", "modern", false, it -> it.tools("elicit"));
            EraClient client = fixture.connectClient(false, true);
            assertThat(client.callForText("a.elicit", "{\"rounds\":8}")).contains("Ann");
            assertThat(client.serverRequests()).hasSize(8);
            String params = ClientMessages.callParams("a.elicit", "{\"rounds\":9}");
            JsonTree error = client.request("tools/call", params).at("error");
            assertThat(error.at("message").asText()).contains("more than 8 times");
            assertThat(client.serverRequests()).hasSize(16);
        }
    }

    @Test
    void methodNotFoundOfAServerDiffersFromThatOfTheGateway() throws Exception {
        try (BridgeFixture fixture = new BridgeFixture(folder)) {
            fixture.withServer("b", "legacy", false, it -> it.tools("refuse=rpcError:code=-32601"));
            EraClient client = fixture.connectClient(true, true);
            String known = client.send("tools/call", ClientMessages.callParams("b.refuse", "{}"));
            assertThat(client.awaitResponse(known).at("error", "code").asLong()).isEqualTo(-32601);
            assertThat(client.transport().httpStatus(known)).isEqualTo(200);
            String unknown = client.send("no/such/method", "{}");
            assertThat(client.awaitResponse(unknown).at("error", "code").asLong())
                    .isEqualTo(-32601);
            assertThat(client.transport().httpStatus(unknown)).isEqualTo(404);
        }
    }
}
