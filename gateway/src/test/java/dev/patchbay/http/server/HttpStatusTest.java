package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;

/** The status and the code that each kind of request gets: the golden table. */
class HttpStatusTest {
    private static HttpServerFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = HttpServerFixture.start();
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void modernRequestIsAnsweredWithOneJsonBody() throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(fixture.modernCall("\"a\"", "echo", "{\"n\":1.50}"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).contains("application/json");
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(reply.json().member("id").orElseThrow()).hasToString("\"a\"");
        assertThat(reply.body()).contains("{\\\"n\\\":1.50}");
    }

    @Test
    void discoverIsAnswered() throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(fixture.modern("1", "server/discover", "{}"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).contains("\"supportedVersions\":[\"2026-07-28\"]");
    }

    @ParameterizedTest
    @CsvSource({
        "ping,                   404, -32601",
        "initialize,             404, -32601",
        "logging/setLevel,       404, -32601",
        "resources/subscribe,    404, -32601",
        "resources/unsubscribe,  404, -32601",
        "no/such,                404, -32601",
        "prompts/list,           404, -32601",
        "tools/list,             200, 0",
    })
    void modernMethodHasItsStatus(String method, int status, int code) throws IOException {
        RawHttpConnection.Response reply = fixture.exchange(fixture.modern("7", method, "{}"));
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.errorCode()).isEqualTo(code);
        assertThat(reply.json().member("id").orElseThrow()).hasToString("7");
    }

    @ParameterizedTest
    @CsvSource({"none, 200, -32602", "boom, 200, -32603", "needs, 400, -32021"})
    void modernHandlerErrorHasItsStatus(String tool, int status, int code) throws IOException {
        RawHttpConnection.Response reply = fixture.exchange(fixture.modernCall("8", tool, "{}"));
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.errorCode()).isEqualTo(code);
        assertThat(reply.body()).contains("\"id\":8").doesNotContain("secret");
    }

    @Test
    void unknownVersionIsRefusedWithSupportedVersions() throws IOException {
        String params = ClientMessages.modernParams("{}").replace("2026-07-28", "2099-01-01");
        RawHttpConnection.Response reply =
                fixture.exchange(
                        ClientMessages.request("3", "tools/list", params),
                        "MCP-Protocol-Version: 2099-01-01",
                        "Mcp-Method: tools/list");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(-32022);
        assertThat(reply.body()).contains("2026-07-28").contains("2099-01-01");
    }

    @ParameterizedTest
    @CsvSource({"tools/list, -32602", "initialize, -32020"})
    void modernHeaderNeedsVersionInBody(String method, int code) throws IOException {
        RawHttpConnection.Response reply =
                fixture.exchange(
                        ClientMessages.request("4", method, "{}"),
                        "MCP-Protocol-Version: 2026-07-28");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(code);
        assertThat(reply.body()).contains("\"id\":4");
    }

    @Test
    void missingCapabilitiesAreRefused() throws IOException {
        String meta = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}";
        RawHttpConnection.Response reply =
                fixture.exchange(
                        ClientMessages.request("5", "tools/list", meta),
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: tools/list");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(-32602);
    }

    @Test
    void modernNotificationIsAcceptedWithoutBody() throws IOException {
        String body =
                ClientMessages.notification("notifications/x", ClientMessages.modernParams("{}"));
        RawHttpConnection.Response reply =
                fixture.exchange(body, "MCP-Protocol-Version: 2026-07-28");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{bad                                           | -32700 | null",
                "''                                             | -32700 | null",
                "' '                                            | -32700 | null",
                "{\"hello\":1}                                  | -32600 | null",
                "[]                                             | -32600 | null",
                "[1]                                            | -32600 | null",
                "\"x\"                                          | -32600 | null",
                "{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}  | -32600 | 5",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"} | -32600 | null",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"} | -32600 | null",
                "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\",\"params\":[1]} | -32602 | 6",
                "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\",\"params\":1} | -32600 | 6",
                "{\"jsonrpc\":\"2.0\",\"id\":6,\"id\":7,\"method\":\"ping\"} | -32600 | null",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"Method\":\"ping\"} | -32600 | 9",
            })
    void invalidMessageIsRefused(String body, int code, String id) throws IOException {
        RawHttpConnection.Response reply = fixture.exchange(body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(code);
        if (!body.contains("\"id\":6,\"id\"")) {
            assertThat(reply.json().member("id").orElseThrow()).hasToString(id);
        }
    }

    @Test
    void batchWithoutSessionIsRefusedOnce() throws IOException {
        String ping = ClientMessages.request("1", "ping", "");
        RawHttpConnection.Response reply = fixture.exchange("[" + ping + "," + ping + "]");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(-32600);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,     405, POST",
        "DELETE,  405, POST",
        "OPTIONS, 405, 'GET, POST, DELETE'",
        "PUT,     405, 'GET, POST, DELETE'",
        "TRACE,   405, 'GET, POST, DELETE'",
    })
    void otherMethodsAreNotAllowed(String method, int status, String allow) throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            String head =
                    fixture.requestHead(
                            method,
                            "Accept: text/event-stream",
                            "MCP-Protocol-Version: 2026-07-28");
            RawHttpConnection.Response reply = client.send(head).readResponse();
            assertThat(reply.status()).isEqualTo(status);
            assertThat(reply.header("Allow")).contains(allow);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-patch+json",
        "application/json; charset=utf-16",
        "application/xml",
    })
    void onlyJsonIsAccepted(String type) throws IOException {
        int before = fixture.service.calls.get();
        String body = HttpServerFixture.call("1", "echo", "{}");
        RawHttpConnection.Response reply =
                fixture.exchange(
                        RawHttpConnection.postRequest(
                                "/mcp", List.of(fixture.host(), "Content-Type: " + type), body));
        assertThat(reply.status()).isEqualTo(415);
        RawHttpConnection.Response none =
                fixture.exchange(
                        RawHttpConnection.postRequest("/mcp", List.of(fixture.host()), body));
        assertThat(none.status()).isEqualTo(415);
        assertThat(fixture.service.calls).hasValue(before);
    }

    /** Nothing of the body is sent here, and the answer comes all the same. */
    @Test
    void nonJsonIsRefusedBeforeItsBodyIsRead() throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\n"
                            + fixture.host()
                            + "\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(415);
        }
    }

    @ParameterizedTest
    @CsvSource({"application/json", "Application/JSON", "'application/json; charset=UTF-8'"})
    void jsonContentTypeIsAcceptedInAnySpelling(String type) throws IOException {
        String body = "{bad";
        RawHttpConnection.Response reply =
                fixture.exchange(
                        RawHttpConnection.postRequest(
                                "/mcp", List.of(fixture.host(), "Content-Type: " + type), body));
        assertThat(reply.errorCode()).isEqualTo(-32700);
    }

    @Test
    void clientThatAcceptsNothingGets406() throws IOException {
        byte[] request =
                RawHttpConnection.postRequest(
                        "/mcp",
                        List.of(
                                fixture.host(),
                                "Content-Type: application/json",
                                "Accept: text/html"),
                        "{}");
        assertThat(fixture.exchange(request).status()).isEqualTo(406);
    }

    @Test
    void otherPathsAreNotFound() throws IOException {
        byte[] request = RawHttpConnection.postRequest("/other", fixture.headers(), "{}");
        assertThat(fixture.exchange(request).status()).isEqualTo(404);
    }
}
