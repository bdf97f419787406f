package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A client over HTTP gets a view by the URL or by its token, and cannot leave it. */
class ViewServingTest {
    private static final String SETTINGS =
            """
            "names": "dotted", "http": {"auth": "token"},
            "views": {"work": {"tools": {"exclude": ["s.wipe"]}}, "empty": {"servers": []}}\
            """;

    @TempDir private Path folder;
    private ServeProcess gateway;
    private ServerScript script;

    @BeforeEach
    void start() throws IOException {
        script = ServerScript.named("s", folder).tools("read=echo", "wipe=echo");
        gateway = ServeProcess.start(folder, script, SETTINGS).awaitTool("s.read");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private RawHttpConnection.Response post(String path, String token, String body, String... more)
            throws IOException {
        var headers = new ArrayList<>(gateway.headers(more));
        headers.replaceAll(
                it -> it.startsWith("Authorization:") ? "Authorization: Bearer " + token : it);
        return gateway.send(RawHttpConnection.postRequest(path, headers, body));
    }

    private String owner() {
        return String.valueOf(gateway.token());
    }

    /** The tools that a modern client sees at a path. */
    private String tools(String path, String token) throws IOException {
        RawHttpConnection.Response listed =
                post(
                        path,
                        token,
                        ClientMessages.request("1", "tools/list", ClientMessages.modernParams("")),
                        "MCP-Protocol-Version: 2026-07-28",
                        "Mcp-Method: tools/list");
        if (listed.status() != 200) {
            return Integer.toString(listed.status());
        }
        return String.join(
                " ",
                StrictJson.parse(listed.body()).at("result", "tools").asList().stream()
                        .map(it -> it.at("name").asText())
                        .toList());
    }

    @Test
    void urlChoosesTheView() throws Exception {
        assertThat(tools("/mcp", owner())).isEqualTo("s.read s.wipe");
        assertThat(tools("/mcp/views/work", owner())).isEqualTo("s.read");
        assertThat(tools("/mcp/views/empty", owner())).isEmpty();
        RawHttpConnection.Response unknown = post("/mcp/views/wrok", owner(), "{}");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body()).contains("There is no view 'wrok'");
    }

    @Test
    void sessionOfOneViewIsNotASessionOfAnother() throws Exception {
        String greeting =
                ClientMessages.request(
                        "0", "initialize", ClientMessages.initializeParams("2025-06-18"));
        RawHttpConnection.Response opened = post("/mcp/views/work", owner(), greeting);
        String session = "Mcp-Session-Id: " + opened.header("Mcp-Session-Id").orElseThrow();
        String call = ServeProcess.call("1", "s.wipe", "{}");
        assertThat(post("/mcp/views/work", owner(), call, session).body())
                .contains("There is no tool");
        assertThat(post("/mcp", owner(), call, session).status()).isEqualTo(404);
        assertThat(post("/mcp/views/empty", owner(), call, session).status()).isEqualTo(404);
        assertThat(script.recording().callArguments("wipe")).isEmpty();
    }

    @Test
    void tokenWithViewHasThatViewOnly() throws Exception {
        var installation = new TestInstallation(folder);
        var added = installation.run("token", "add", "ci", "--view", "work", "--json");
        assertThat(added.status()).as(added.err()).isZero();
        String token = StrictJson.parse(added.out()).at("token").asText();
        assertThat(tools("/mcp", token)).isEqualTo("s.read");
        assertThat(tools("/mcp/views/work", token)).isEqualTo("s.read");
        assertThat(tools("/mcp/views/empty", token)).isEqualTo("403");
        assertThat(post("/api/overview", token, "{}").status()).isEqualTo(403);
        for (String[] wrong :
                List.of(
                        new String[] {"token", "add", "x", "--view", "wrok"},
                        new String[] {
                            "token", "add", "x", "--view", "work", "--scope", "mcp,admin"
                        })) {
            assertThat(installation.run(wrong).status()).isEqualTo(2);
        }
        assertThat(installation.run("token", "list").out()).contains("ci  mcp  view work");
    }
}
