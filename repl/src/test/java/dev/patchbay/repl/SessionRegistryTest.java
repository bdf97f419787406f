package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.McpMethod;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Several sessions of one service, and resources for what is too large for an answer. */
class SessionRegistryTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    private static String evaluate(ReplServiceClient client, String code, String session)
            throws Exception {
        return ReplServiceClient.text(
                client.call(
                        "evaluate",
                        "{\"code\":" + Json.string(code) + ",\"session\":\"" + session + "\"}"));
    }

    @Test
    void sessionsAreSeparateJvms() throws Exception {
        String pid = "ProcessHandle.current().pid()";
        assertThat(
                        ReplServiceClient.text(
                                CLIENT.call(
                                        "sessions", "{\"action\":\"start\",\"name\":\"second\"}")))
                .startsWith("Started second.");
        evaluate(CLIENT, "int onlyHere = 1;", "second");
        assertThat(evaluate(CLIENT, "onlyHere", "second")).isEqualTo("=> 1 : int");
        assertThat(evaluate(CLIENT, "onlyHere", "main")).startsWith("[ERROR]");
        assertThat(evaluate(CLIENT, pid, "second")).isNotEqualTo(evaluate(CLIENT, pid, "main"));
        assertThat(ReplServiceClient.text(CLIENT.call("sessions", "{}")))
                .contains("main: ", "second: ", "1 definitions");
        assertThat(
                        ReplServiceClient.text(
                                CLIENT.call(
                                        "sessions", "{\"action\":\"end\",\"name\":\"second\"}")))
                .startsWith("Ended second.");
        assertThat(evaluate(CLIENT, "1", "second"))
                .startsWith("[ERROR] There is no session second, only main.");
    }

    @Test
    void everyClientHasASessionOfItsOwn() throws Exception {
        var other = new ReplServiceClient(SERVICE);
        evaluate(CLIENT, "String mine = \"first\";", "client");
        evaluate(other, "String mine = \"other\";", "client");
        assertThat(evaluate(CLIENT, "mine", "client")).isEqualTo("=> \"first\" : String");
        assertThat(evaluate(other, "mine", "client")).isEqualTo("=> \"other\" : String");
        SERVICE.onSessionEnded(other.session);
        ReplTestSession.awaitCondition(
                () -> {
                    try {
                        return !ReplServiceClient.text(other.call("sessions", "{}"))
                                .contains("client: ");
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(evaluate(CLIENT, "mine", "client")).isEqualTo("=> \"first\" : String");
    }

    @Test
    void mainStaysAndNamesAreChecked() throws Exception {
        assertThat(
                        ReplServiceClient.text(
                                CLIENT.call("sessions", "{\"action\":\"end\",\"name\":\"main\"}")))
                .startsWith("[ERROR] The session main stays.");
        for (String wrong : new String[] {"", "a b", "client", "x".repeat(65)}) {
            Json result =
                    CLIENT.call("sessions", "{\"action\":\"start\",\"name\":\"" + wrong + "\"}");
            assertThat(result.member("isError").isTrue()).as(wrong).isTrue();
        }
    }

    @Test
    void largeValuesAreResources() throws Exception {
        Json result = CLIENT.call("evaluate", "{\"code\":\"\\\"ab\\\".repeat(50_000)\"}");
        assertThat(ReplServiceClient.text(result))
                .contains("more characters", "[resource] the whole value, 100,002 characters: ");
        Json link = JsonFields.elements(result, "content").get(1);
        String uri = link.memberText("uri");
        assertThat(JsonFields.texts(result.member("structuredContent"), "resources"))
                .containsExactly(uri);
        Json read = CLIENT.request(McpMethod.RESOURCES_READ, "{\"uri\":\"" + uri + "\"}");
        assertThat(JsonFields.elements(read, "contents").getFirst().memberText("text"))
                .hasSize(100_002)
                .endsWith("abab\"");
        assertThat(CLIENT.request(McpMethod.RESOURCES_LIST, "{}").toString()).contains(uri);
        assertThat(CLIENT.request(McpMethod.TEMPLATES_LIST, "{}").toString())
                .contains(uri.substring(0, uri.indexOf('/', 20)));
    }
}
