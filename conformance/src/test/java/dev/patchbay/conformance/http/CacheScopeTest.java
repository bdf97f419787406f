package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
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
class CacheScopeTest {
    private static final String PUBLIC = "\"ttlMs\":600000,\"cacheScope\":\"public\"";
    private static final String PRIVATE = "\"ttlMs\":600000,\"cacheScope\":\"private\"";

    @TempDir private static Path folder;
    private static final AtomicInteger requestCount = new AtomicInteger();
    private static RawHttpServer server;
    private static ServeProcess gateway;

    /** What the last page of the list says of being kept. */
    private static volatile String lastPage = PUBLIC;

    @BeforeAll
    static void open() throws IOException {
        server = RawHttpServer.start(CacheScopeTest::serve);
        gateway =
                ServeProcess.start(
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
                    exchange.respondWithResult(
                            completeResult(
                                    """
                                    "supportedVersions":["2026-07-28"],\
                                    "serverInfo":{"name":"w","version":"1"},\
                                    "capabilities":{"tools":{},"resources":{}},\
                                    """
                                            + PUBLIC));
            case "tools/list" ->
                    exchange.respondWithResult(
                            completeResult("\"tools\":[%s,%s]," + PUBLIC, "plain", "asking"));
            case "resources/list" -> exchange.respondWithResult(resources(exchange));
            case "resources/templates/list" ->
                    exchange.respondWithResult(
                            completeResult("\"resourceTemplates\":[]," + PUBLIC));
            case "resources/read" ->
                    exchange.respondWithResult(
                            completeResult(
                                    "\"contents\":[{\"uri\":\"test://w/1\",\"text\":\"copy "
                                            + requestCount.incrementAndGet()
                                            + "\"}],"
                                            + PRIVATE));
            case "tools/call" -> exchange.respondWithResult(callResult(exchange));
            default -> exchange.respond(404, "");
        }
    }

    private static String completeResult(String members, String... tools) {
        Object[] listed = new Object[tools.length];
        for (int i = 0; i < tools.length; i++) {
            listed[i] = "{\"name\":\"" + tools[i] + "\",\"inputSchema\":{\"type\":\"object\"}}";
        }
        return "{\"resultType\":\"complete\"," + members.formatted(listed) + "}";
    }

    private static String resources(Exchange exchange) {
        boolean first = !exchange.request().body().contains("\"cursor\"");
        String name = first ? "1" : "2";
        return completeResult(
                "\"resources\":[{\"uri\":\"test://w/%s\",\"name\":\"%s\"}]".formatted(name, name)
                        + (first ? ",\"nextCursor\":\"2\"," + PUBLIC : comma(lastPage)));
    }

    private static String comma(String members) {
        return members.isEmpty() ? "" : "," + members;
    }

    private static String callResult(Exchange exchange) {
        if (exchange.request().json().at("params", "name").asText().equals("plain")) {
            return completeResult("\"content\":[{\"type\":\"text\",\"text\":\"done\"}]");
        }
        return """
        {"resultType":"input_required","requestState":"%d","inputRequests":\
        {"q":{"method":"elicitation/create","params":{"mode":"form","message":"Who?",\
        "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}\
        """
                .formatted(requestCount.incrementAndGet());
    }

    private static JsonTree sendRequest(String method, String params, String... more)
            throws IOException {
        String body =
                ClientMessages.request(
                        "1", method, ClientMessages.modernParams(params, "{\"elicitation\":{}}"));
        String[] lines = new String[more.length + 2];
        lines[0] = "MCP-Protocol-Version: 2026-07-28";
        lines[1] = "Mcp-Method: " + method;
        System.arraycopy(more, 0, lines, 2, more.length);
        JsonTree answer = gateway.send(gateway.postRequest(body, lines)).json();
        assertThat(answer.has("result")).as(answer.toString()).isTrue();
        return answer.at("result");
    }

    private static String listCacheScope(String page) throws IOException {
        lastPage = page;
        sendRequest(
                "tools/call",
                ClientMessages.callParams("patchbay.discover", "{\"forceRefresh\":true}"),
                "Mcp-Name: patchbay.discover");
        JsonTree list = sendRequest("resources/list", "{}");
        assertThat(list.at("resources").toString()).contains("test://w/1", "test://w/2");
        return list.at("cacheScope").asText();
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
    void listIsPrivateIfAnyPageIsPrivate(String page) throws Exception {
        assertThat(listCacheScope(PUBLIC)).isEqualTo("public");
        assertThat(listCacheScope(page)).isEqualTo("private");
    }

    @Test
    void privateReadIsNotServedToAnotherClient() throws Exception {
        String params = "{\"uri\":\"test://w/1\"}";
        JsonTree one =
                sendRequest("resources/read", params, "Mcp-Name: test://w/1", "Authorization: a");
        JsonTree two =
                sendRequest("resources/read", params, "Mcp-Name: test://w/1", "Authorization: b");
        assertThat(one.at("contents")).isNotEqualTo(two.at("contents"));
        assertThat(one.at("cacheScope").asText()).isEqualTo("private");
        assertThat(server.receivedRequests())
                .as("who a client is stays with the gateway")
                .allMatch(request -> request.header("Authorization").isEmpty());
    }

    @Test
    void inputRequestIsNotServedToAnotherClient() throws Exception {
        String params = ClientMessages.callParams("w.asking", "{}");
        int before = requestCount.get();
        JsonTree one = sendRequest("tools/call", params, "Mcp-Name: w.asking");
        JsonTree two = sendRequest("tools/call", params, "Mcp-Name: w.asking");
        assertThat(requestCount).hasValue(before + 2);
        assertThat(one.at("resultType").asText()).isEqualTo("input_required");
        assertThat(one.at("requestState")).isNotEqualTo(two.at("requestState"));
        assertThat(one.has("ttlMs") || one.has("cacheScope")).isFalse();
    }
}
