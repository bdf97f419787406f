package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttp;
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
class ClientsApartTest {
    @TempDir private static Path folder;
    private static Served gateway;
    private static String session;

    @BeforeAll
    static void open() throws IOException {
        ServerScript script =
                ServerScript.named("s", folder)
                        .era("legacy")
                        .tools("echo", "elicit", "other=elicit");
        gateway = Served.start(folder, script, "\"http\": {\"auth\": \"none\"}");
        gateway.awaitTool("s.echo");
        session = gateway.session();
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
    void aSessionIsReachedByItsIdOnly(String line) throws Exception {
        String call = Served.call("1", "s.echo", "{}");
        assertThat(gateway.ask(gateway.post(call, line)).status()).isIn(400, 404);
        for (String method : List.of("GET", "DELETE")) {
            RawHttp.Reply reply =
                    gateway.ask(gateway.bare(method, line).getBytes(StandardCharsets.US_ASCII));
            assertThat(reply.status()).as(method).isIn(400, 404);
        }
        assertThat(gateway.ask(gateway.post(call, session)).status()).isEqualTo(200);
    }

    @Test
    void twoSessionsInOneRequestAreNone() throws Exception {
        String other = gateway.session();
        String call = Served.call("1", "s.echo", "{}");
        assertThat(gateway.ask(gateway.post(call, session, other)).status()).isEqualTo(400);
    }

    /** Threat C2: the second stream does not take the first one's place. */
    @Test
    void aSecondStreamOfASessionIsRefused() throws Exception {
        String own = gateway.session();
        byte[] listen = gateway.bare("GET", own).getBytes(StandardCharsets.US_ASCII);
        try (RawHttp first = gateway.connect()) {
            assertThat(first.send(listen).head().status()).isEqualTo(200);
            assertThat(gateway.ask(listen).status()).isEqualTo(409);
            byte[] delete = gateway.bare("DELETE", own).getBytes(StandardCharsets.US_ASCII);
            assertThat(gateway.ask(delete).status()).isEqualTo(204);
            first.rest();
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
    void aNameIsExactOrUnknown(String name) throws Exception {
        int before = gateway.script().record().calls("echo").size();
        String call = Served.call("1", name, "{}");
        RawHttp.Reply reply = gateway.ask(gateway.post(call, session));
        assertThat(reply.errorCode()).isEqualTo(-32602);
        assertThat(gateway.script().record().calls("echo")).hasSize(before);
    }

    /** Threat C8: nothing that the gateway says of itself is believed when a client says it. */
    @Test
    void wordsOfTheGatewayMeanNothingFromOutside() throws Exception {
        String arguments = "{\"x\":1},\"_meta\":{\"dev.patchbay/error\":{\"reason\":\"x\"}}";
        String call = Served.call("1", "s.echo", arguments);
        RawHttp.Reply reply =
                gateway.ask(
                        gateway.post(
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
    void aStateLeadsToItsOwnCallOnce() throws Exception {
        JsonTree asked = ask("s.elicit", "{}", "").json().at("result");
        String state = asked.at("requestState").text();
        String question = ((JsonTree.Obj) asked.at("inputRequests")).members().getFirst().name();
        for (int i = 0; i < state.length(); i++) {
            char other = state.charAt(i) == '0' ? '1' : '0';
            String changed = state.substring(0, i) + other + state.substring(i + 1);
            if (changed.startsWith("patchbay-")) {
                assertNoWay("s.elicit", "{}", answer(question, changed));
            }
        }
        assertNoWay("s.elicit", "{}", answer(question, state + "0"));
        assertNoWay("s.other", "{}", answer(question, state));
        assertNoWay("s.elicit", "{\"x\":1}", answer(question, state));
        assertThat(ask("s.elicit", "{}", answer(question, state)).body()).contains("Ada");
        assertNoWay("s.elicit", "{}", answer(question, state));
        assertThat(gateway.script().record().calls("elicit")).hasSize(1);
    }

    private static void assertNoWay(String tool, String arguments, String more) throws IOException {
        assertThat(ask(tool, arguments, more).errorCode()).as(more).isEqualTo(-32602);
    }

    private static String answer(String question, String state) {
        return """
        ,"inputResponses":{%s:{"action":"accept","content":{"name":"Ada"}}},\
        "requestState":%s\
        """
                .formatted(StrictJson.quote(question), StrictJson.quote(state));
    }

    private static RawHttp.Reply ask(String tool, String arguments, String more)
            throws IOException {
        String params =
                "{\"name\":" + StrictJson.quote(tool) + ",\"arguments\":" + arguments + more + "}";
        String body =
                Messages.request(
                        "1",
                        "tools/call",
                        Messages.modernParams(params, "{\"elicitation\":{\"form\":{}}}"));
        return gateway.ask(
                gateway.post(
                        body,
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: tools/call",
                        "Mcp-Name: " + tool));
    }
}
