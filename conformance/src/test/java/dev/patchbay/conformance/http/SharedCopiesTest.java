package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.RawHttpServer.Exchange;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threat C5: what a server says for one client is never served to another out of a copy, and a list
 * is said to be for everybody only where each of its parts is.
 */
class SharedCopiesTest {
    private static final String PUBLIC = "\"ttlMs\":600000,\"cacheScope\":\"public\"";
    private static final String PRIVATE = "\"ttlMs\":600000,\"cacheScope\":\"private\"";

    @TempDir private static Path folder;
    private static final AtomicInteger asked = new AtomicInteger();
    private static RawHttpServer server;
    private static Served gateway;

    /** What the last page of the list says of being kept. */
    private static volatile String lastPage = PUBLIC;

    @BeforeAll
    static void open() throws IOException {
        server = RawHttpServer.start(SharedCopiesTest::serve);
        gateway =
                Served.start(
                        folder,
                        ServerScript.named("s", folder),
                        "\"selfTools\": true, \"http\": {\"auth\": \"none\"}",
                        "\"w\": {\"url\": \"" + server.url("/mcp") + "\"}");
        gateway.awaitTool("w.plain");
    }

    @AfterAll
    static void close() throws IOException {
        gateway.close();
        server.close();
    }

    /** A modern server that counts how often it is asked, and says so. */
    private static void serve(Exchange exchange) throws IOException {
        switch (exchange.request().rpcMethod()) {
            case "server/discover" ->
                    exchange.result(
                            complete(
                                    """
                                    "supportedVersions":["2026-07-28"],\
                                    "serverInfo":{"name":"w","version":"1"},\
                                    "capabilities":{"tools":{},"resources":{}},\
                                    """
                                            + PUBLIC));
            case "tools/list" ->
                    exchange.result(complete("\"tools\":[%s,%s]," + PUBLIC, "plain", "asking"));
            case "resources/list" -> exchange.result(resources(exchange));
            case "resources/templates/list" ->
                    exchange.result(complete("\"resourceTemplates\":[]," + PUBLIC));
            case "resources/read" ->
                    exchange.result(
                            complete(
                                    "\"contents\":[{\"uri\":\"test://w/1\",\"text\":\"copy "
                                            + asked.incrementAndGet()
                                            + "\"}],"
                                            + PRIVATE));
            case "tools/call" -> exchange.result(called(exchange));
            default -> exchange.answer(404, "");
        }
    }

    private static String complete(String members, String... tools) {
        Object[] listed = new Object[tools.length];
        for (int i = 0; i < tools.length; i++) {
            listed[i] = "{\"name\":\"" + tools[i] + "\",\"inputSchema\":{\"type\":\"object\"}}";
        }
        return "{\"resultType\":\"complete\"," + members.formatted(listed) + "}";
    }

    private static String resources(Exchange exchange) {
        boolean first = !exchange.request().body().contains("\"cursor\"");
        String name = first ? "1" : "2";
        return complete(
                "\"resources\":[{\"uri\":\"test://w/%s\",\"name\":\"%s\"}]".formatted(name, name)
                        + (first ? ",\"nextCursor\":\"2\"," + PUBLIC : comma(lastPage)));
    }

    private static String comma(String members) {
        return members.isEmpty() ? "" : "," + members;
    }

    private static String called(Exchange exchange) {
        if (exchange.request().json().at("params", "name").text().equals("plain")) {
            return complete("\"content\":[{\"type\":\"text\",\"text\":\"done\"}]");
        }
        return """
        {"resultType":"input_required","requestState":"%d","inputRequests":\
        {"q":{"method":"elicitation/create","params":{"mode":"form","message":"Who?",\
        "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}\
        """
                .formatted(asked.incrementAndGet());
    }

    private static JsonTree ask(String method, String params, String... more) throws IOException {
        String body =
                Messages.request(
                        "1", method, Messages.modernParams(params, "{\"elicitation\":{}}"));
        String[] lines = new String[more.length + 2];
        lines[0] = "MCP-Protocol-Version: 2026-07-28";
        lines[1] = "Mcp-Method: " + method;
        System.arraycopy(more, 0, lines, 2, more.length);
        JsonTree answer = gateway.ask(gateway.post(body, lines)).json();
        assertThat(answer.has("result")).as(answer.toString()).isTrue();
        return answer.at("result");
    }

    private static String scopeOfTheList(String page) throws IOException {
        lastPage = page;
        ask(
                "tools/call",
                Messages.callParams("patchbay.discover", "{\"forceRefresh\":true}"),
                "Mcp-Name: patchbay.discover");
        JsonTree list = ask("resources/list", "{}");
        assertThat(list.at("resources").toString()).contains("test://w/1", "test://w/2");
        return list.at("cacheScope").text();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PRIVATE,
                "",
                "\"ttlMs\":600000",
                "\"cacheScope\":\"PUBLIC\"",
                "\"cacheScope\":true",
                "\"cacheScope\":[\"public\"]"
            })
    void aListIsPrivateIfAnyPartOfItIs(String page) throws Exception {
        assertThat(scopeOfTheList(PUBLIC)).isEqualTo("public");
        assertThat(scopeOfTheList(page)).isEqualTo("private");
    }

    @Test
    void whatOneClientReadIsNotServedToTheNext() throws Exception {
        String params = "{\"uri\":\"test://w/1\"}";
        JsonTree one = ask("resources/read", params, "Mcp-Name: test://w/1", "Authorization: a");
        JsonTree two = ask("resources/read", params, "Mcp-Name: test://w/1", "Authorization: b");
        assertThat(one.at("contents")).isNotEqualTo(two.at("contents"));
        assertThat(one.at("cacheScope").text()).isEqualTo("private");
        assertThat(server.received())
                .as("who a client is stays with the gateway")
                .allMatch(request -> request.header("Authorization").isEmpty());
    }

    @Test
    void aQuestionToOneClientIsNotPutToTheNext() throws Exception {
        String params = Messages.callParams("w.asking", "{}");
        int before = asked.get();
        JsonTree one = ask("tools/call", params, "Mcp-Name: w.asking");
        JsonTree two = ask("tools/call", params, "Mcp-Name: w.asking");
        assertThat(asked).hasValue(before + 2);
        assertThat(one.at("resultType").text()).isEqualTo("input_required");
        assertThat(one.at("requestState")).isNotEqualTo(two.at("requestState"));
        assertThat(one.has("ttlMs") || one.has("cacheScope")).isFalse();
    }
}
