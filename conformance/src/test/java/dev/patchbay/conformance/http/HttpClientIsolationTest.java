package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What keeps the clients of one gateway apart, and what none of them can reach. */
class HttpClientIsolationTest {
    @TempDir private static Path folder;
    private static ServeProcess gateway;
    private static String session;

    @BeforeAll
    static void open() throws IOException {
        ServerScript script =
                ServerScript.named("s", folder)
                        .era("legacy")
                        .tools("echo", "elicit", "other=elicit");
        gateway = ServeProcess.start(folder, script, "\"http\": {\"auth\": \"none\"}");
        gateway.awaitTool("s.echo");
        session = gateway.openSession();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    /** Threat C2: nobody gets into a session by not naming one, or one that is not his. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: y",
                "Mcp-Session-Id: ",
                "Mcp-Session-Id: 0",
                "Mcp-Session-Id: *",
                "Mcp-Session-Id: ../..",
                "Cookie: Mcp-Session-Id=1"
            })
    void sessionIsReachedOnlyByItsId(String line) throws Exception {
        String call = ServeProcess.call("1", "s.echo", "{}");
        assertThat(gateway.send(gateway.postRequest(call, line)).status()).isIn(400, 404);
        for (String method : List.of("GET", "DELETE")) {
            RawHttpConnection.Response reply =
                    gateway.send(
                            gateway.requestWithoutBody(method, line)
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(reply.status()).as(method).isIn(400, 404);
        }
        assertThat(gateway.send(gateway.postRequest(call, session)).status()).isEqualTo(200);
    }

    @Test
    void requestNamingTwoSessionsIsRejected() throws Exception {
        String other = gateway.openSession();
        String call = ServeProcess.call("1", "s.echo", "{}");
        assertThat(gateway.send(gateway.postRequest(call, session, other)).status()).isEqualTo(400);
    }

    /** Threat C2: the second stream does not take the first one's place. */
    @Test
    void secondStreamOfASessionIsRejected() throws Exception {
        String own = gateway.openSession();
        byte[] listen = gateway.requestWithoutBody("GET", own).getBytes(StandardCharsets.US_ASCII);
        try (RawHttpConnection first = gateway.connect()) {
            assertThat(first.send(listen).readResponseHead().status()).isEqualTo(200);
            assertThat(gateway.send(listen).status()).isEqualTo(409);
            byte[] delete =
                    gateway.requestWithoutBody("DELETE", own).getBytes(StandardCharsets.US_ASCII);
            assertThat(gateway.send(delete).status()).isEqualTo(204);
            first.readRemainingBody();
        }
    }

    /** Threat C7: what is not listed is not there, however its name is put. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "S.echo",
                "s.Echo",
                "s.echo.",
                "s..echo",
                ".s.echo",
                "s.echo ",
                "s/echo",
                "t.echo",
                "patchbay.servers"
            })
    void toolNamesMatchExactly(String name) throws Exception {
        int before = gateway.script().recording().callArguments("echo").size();
        String call = ServeProcess.call("1", name, "{}");
        RawHttpConnection.Response reply = gateway.send(gateway.postRequest(call, session));
        assertThat(reply.errorCode()).isEqualTo(-32602);
        assertThat(gateway.script().recording().callArguments("echo")).hasSize(before);
    }

    /** Threat C8: nothing that the gateway says of itself is believed when a client says it. */
    @Test
    void gatewayMetaFromAClientIsIgnored() throws Exception {
        String arguments = "{\"x\":1},\"_meta\":{\"dev.patchbay/error\":{\"reason\":\"x\"}}";
        String call = ServeProcess.call("1", "s.echo", arguments);
        RawHttpConnection.Response reply =
                gateway.send(
                        gateway.postRequest(
                                call,
                                session,
                                "X-Forwarded-For: 10.0.0.1",
                                "X-Forwarded-Host: evil.com",
                                "Forwarded: host=evil.com",
                                "X-Patchbay-Principal: root"));
        assertThat(reply.body()).contains("\"content\"").doesNotContain("isError\":true");
    }

    /** Threat C9: the state of a call that waits is good for that call, unchanged, and once. */
    @Test
    void requestStateIsValidOnceForItsOwnCall() throws Exception {
        JsonTree asked = ask("s.elicit", "{}", "").json().at("result");
        String state = asked.at("requestState").asText();
        String question = ((JsonTree.Obj) asked.at("inputRequests")).members().getFirst().name();
        for (int i = 0; i < state.length(); i++) {
            char other = state.charAt(i) == '0' ? '1' : '0';
            String changed = state.substring(0, i) + other + state.substring(i + 1);
            if (changed.startsWith("patchbay-")) {
                assertRejected("s.elicit", "{}", answer(question, changed));
            }
        }
        assertRejected("s.elicit", "{}", answer(question, state + "0"));
        assertRejected("s.other", "{}", answer(question, state));
        assertRejected("s.elicit", "{\"x\":1}", answer(question, state));
        assertThat(ask("s.elicit", "{}", answer(question, state)).body()).contains("Ada");
        assertRejected("s.elicit", "{}", answer(question, state));
        assertThat(gateway.script().recording().callArguments("elicit")).hasSize(1);
    }

    private static void assertRejected(String tool, String arguments, String more)
            throws IOException {
        assertThat(ask(tool, arguments, more).errorCode()).as(more).isEqualTo(-32602);
    }

    private static String answer(String question, String state) {
        return """
        ,"inputResponses":{%s:{"action":"accept","content":{"name":"Ada"}}},\
        "requestState":%s\
        """
                .formatted(StrictJson.quote(question), StrictJson.quote(state));
    }

    private static RawHttpConnection.Response ask(String tool, String arguments, String more)
            throws IOException {
        String params =
                "{\"name\":" + StrictJson.quote(tool) + ",\"arguments\":" + arguments + more + "}";
        String body =
                ClientMessages.request(
                        "1",
                        "tools/call",
                        ClientMessages.modernParams(params, "{\"elicitation\":{\"form\":{}}}"));
        return gateway.send(
                gateway.postRequest(
                        body,
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: tools/call",
                        "Mcp-Name: " + tool));
    }
}
