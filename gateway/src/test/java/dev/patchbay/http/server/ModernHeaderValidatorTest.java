package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.HeaderValueCodec;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Threat A5: a header that says something else than the body is refused, and routes nothing. */
class ModernHeaderValidatorTest {
    private static final String VERSION = "MCP-Protocol-Version: 2026-07-28";
    private static final String METHOD = "Mcp-Method: tools/call";
    private static final String NAME = "Mcp-Name: echo";

    private static HttpServerFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = HttpServerFixture.start();
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    private static RawHttpConnection.Response call(
            String tool, String arguments, List<String> headers) throws IOException {
        String params = ClientMessages.modernParams(ClientMessages.callParams(tool, arguments));
        return fixture.exchange(
                ClientMessages.request("1", "tools/call", params), headers.toArray(String[]::new));
    }

    private static void assertRefused(String tool, String arguments, String... headers)
            throws IOException {
        int before = fixture.service.calls.get();
        RawHttpConnection.Response reply = call(tool, arguments, Arrays.asList(headers));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo(-32020);
        assertThat(reply.body()).contains("\"id\":1");
        assertThat(fixture.service.calls).hasValue(before);
    }

    private static void assertServed(String tool, String arguments, String... headers)
            throws IOException {
        RawHttpConnection.Response reply = call(tool, arguments, Arrays.asList(headers));
        assertThat(reply.body()).contains("\"result\"");
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void allThreeHeadersAreRequired() throws IOException {
        assertServed("echo", "{}", VERSION, METHOD, NAME);
        assertRefused("echo", "{}", METHOD, NAME);
        assertRefused("echo", "{}", VERSION, NAME);
        assertRefused("echo", "{}", VERSION, METHOD);
        assertRefused("echo", "{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MCP-Protocol-Version: 2025-11-25 | Mcp-Method: tools/call | Mcp-Name: echo",
                "MCP-Protocol-Version: 2099-01-01 | Mcp-Method: tools/call | Mcp-Name: echo",
                "MCP-Protocol-Version: 2026-07-28 | Mcp-Method: tools/list | Mcp-Name: echo",
                "MCP-Protocol-Version: 2026-07-28 | Mcp-Method: Tools/Call | Mcp-Name: echo",
                "MCP-Protocol-Version: 2026-07-28 | Mcp-Method: tools/call | Mcp-Name: other",
                "MCP-Protocol-Version: 2026-07-28 | Mcp-Method: tools/call | Mcp-Name: Echo",
                "MCP-Protocol-Version: 2026-07-28 | Mcp-Method: tools/call | Mcp-Name:",
            })
    void headerThatContradictsBodyIsRefused(String version, String method, String name)
            throws IOException {
        assertRefused("echo", "{}", version, method, name);
    }

    @Test
    void duplicateHeaderIsRefused() throws IOException {
        assertRefused("echo", "{}", VERSION, VERSION, METHOD, NAME);
        assertRefused("echo", "{}", VERSION, METHOD, METHOD, NAME);
        assertRefused("echo", "{}", VERSION, METHOD, NAME, NAME);
        assertRefused("echo", "{}", VERSION, METHOD, NAME, "Mcp-Name: other");
    }

    @Test
    void headerNamesAreCaseInsensitive() throws IOException {
        assertServed(
                "echo",
                "{}",
                "mcp-protocol-version:2026-07-28",
                "MCP-METHOD:   tools/call  ",
                "mCp-NaMe: echo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=?base64?ZWNobw==?=", "echo"})
    void nameMayBeInBase64(String name) throws IOException {
        assertServed("echo", "{}", VERSION, METHOD, "Mcp-Name: " + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=?base64?ZWNobw?=",
                "=?base64?ZWNob*==?=",
                "=?BASE64?ZWNobw==?=",
                "=?base64?ZWNobw==",
                "=?base64?b3RoZXI=?=",
                "=?base64??=",
            })
    void brokenBase64IsRefused(String name) throws IOException {
        assertRefused("echo", "{}", VERSION, METHOD, "Mcp-Name: " + name);
    }

    @Test
    void nameThatLooksLikeBase64MustBeEncoded() throws IOException {
        String tool = "=?base64?eA==?=";
        assertRefused(tool, "{}", VERSION, METHOD, "Mcp-Name: " + tool);
        assertServed(tool, "{}", VERSION, METHOD, "Mcp-Name: " + HeaderValueCodec.encode(tool));
    }

    @Test
    void nonAsciiNameIsAcceptedInBase64() throws IOException {
        assertServed(
                "größe ", "{}", VERSION, METHOD, "Mcp-Name: " + HeaderValueCodec.encode("größe "));
    }

    private static String[] queryHeaders(String... more) {
        var lines = new ArrayList<>(List.of(VERSION, METHOD, "Mcp-Name: query"));
        lines.addAll(Arrays.asList(more));
        return lines.toArray(String[]::new);
    }

    @Test
    void markedArgumentsMustMatchTheirHeaders() throws IOException {
        String arguments = "{\"region\":\"eu\",\"page\":{\"limit\":42}}";
        assertServed(
                "query", arguments, queryHeaders("Mcp-Param-Region: eu", "Mcp-Param-Limit: 42"));
        assertServed(
                "query", arguments, queryHeaders("mcp-param-region: eu", "Mcp-Param-LIMIT: 42.0"));
        assertRefused("query", arguments, queryHeaders("Mcp-Param-Region: eu"));
        assertRefused("query", arguments, queryHeaders("Mcp-Param-Limit: 42"));
        assertRefused(
                "query", arguments, queryHeaders("Mcp-Param-Region: us", "Mcp-Param-Limit: 42"));
        assertRefused(
                "query", arguments, queryHeaders("Mcp-Param-Region: eu", "Mcp-Param-Limit: 43"));
        assertRefused(
                "query", arguments, queryHeaders("Mcp-Param-Region: eu", "Mcp-Param-Limit: x"));
    }

    @Test
    void absentArgumentMustHaveNoHeader() throws IOException {
        assertServed("query", "{}", queryHeaders());
        assertServed("query", "{\"region\":null}", queryHeaders());
        assertRefused("query", "{}", queryHeaders("Mcp-Param-Region: eu"));
        assertRefused("query", "{\"region\":null}", queryHeaders("Mcp-Param-Region: null"));
    }

    @Test
    void emptyArgumentIsAcceptedPlainOrEncoded() throws IOException {
        assertServed("query", "{\"region\":\"\"}", queryHeaders("Mcp-Param-Region:"));
        assertServed("query", "{\"region\":\"\"}", queryHeaders("Mcp-Param-Region: =?base64??="));
    }

    @Test
    void unmarkedParamHeadersAreIgnored() throws IOException {
        assertServed("echo", "{}", VERSION, METHOD, NAME, "Mcp-Param-Other: x");
    }
}
