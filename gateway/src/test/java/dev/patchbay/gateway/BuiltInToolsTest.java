package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.NameStyle;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.ErrorReason;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

class BuiltInToolsTest {
    @TempDir private Path folder;
    private GatewayFixture fleet;

    @BeforeEach
    void open() throws Exception {
        fleet = new GatewayFixture(folder, GatewayFixture.withOwnTools(true, true));
        fleet.add(fleet.script("files").tools("read=echo", "servers=echo"));
        fleet.gateway.register(
                GatewayFixture.spec(fleet.script("off"), GatewayFixture.NO_RETRIES)
                        .withEnabled(false));
        fleet.discover();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private String callForJson(String tool, String arguments) throws Exception {
        InvocationResult result = fleet.call(tool, arguments);
        assertThat(result.isSuccess()).as("%s", result.problem()).isTrue();
        Json answer = ((CallResult.Answered) result.callResult()).result();
        assertThat(answer.member("content").elements().getFirst().memberText("text"))
                .isEqualTo(answer.member("structuredContent").toString());
        return answer.member("structuredContent").toString();
    }

    @Test
    void builtInToolsAreListedOnlyWhenEnabled() {
        assertThat(fleet.gateway.catalog().toolsResult(NameStyle.SAFE, Era.LEGACY).toString())
                .contains("patchbay__servers", "patchbay__find_tool");
        try (var plain = new GatewayFixture(folder)) {
            assertThat(plain.gateway.catalog().tools()).isEmpty();
        }
    }

    @Test
    void serversToolReportsTheStateOfEachServer() throws Exception {
        assertThat(callForJson("patchbay.servers", "{}"))
                .contains("\"serverId\":\"files\",\"status\":\"connected\"")
                .contains("\"serverId\":\"off\",\"status\":\"disabled\"");
    }

    @Test
    void discoverToolReportsEachServer() throws Exception {
        assertThat(callForJson("patchbay.discover", "{\"forceRefresh\":true}"))
                .contains("\"status\":\"success\"")
                .contains("\"status\":\"skipped\"");
    }

    @Test
    void findToolSearchesByKeywords() throws Exception {
        assertThat(callForJson("patchbay.find_tool", "{\"query\":\"READ a file\"}"))
                .contains("files.read");
        assertThat(callForJson("patchbay.find_tool", "{\"query\":\"zzz\"}"))
                .contains("\"matches\":0");
    }

    @Test
    void explainToolSaysWhyAToolIsMissing() throws Exception {
        assertThat(callForJson("patchbay.explain", "{\"name\":\"off\"}")).contains("disabled");
        assertThat(callForJson("patchbay.explain", "{\"name\":\"off.x\"}")).contains("disabled");
        assertThat(callForJson("patchbay.explain", "{\"name\":\"files.read\"}"))
                .contains("is listed");
        assertThat(callForJson("patchbay.explain", "{\"name\":\"nobody.x\"}"))
                .contains("No server");
    }

    @Test
    void builtInToolsDoNotShadowServerToolsAndCheckArguments() throws Exception {
        assertThat(fleet.call("servers", "{}").tool()).isEqualTo("files.servers");
        assertThat(fleet.call("patchbay.explain", "{}").problem().reason())
                .isEqualTo(ErrorReason.INVALID_ARGUMENTS);
        assertThat(fleet.call("patchbay.register", "{}").problem().reason())
                .isEqualTo(ErrorReason.TOOL_NOT_FOUND);
    }

    @Test
    void invokeToolIsSwitchedOnSeparately() {
        try (var only = new GatewayFixture(folder, GatewayFixture.withOwnTools(false, true))) {
            assertThat(only.tools()).containsExactly("patchbay.invoke");
        }
        try (var without = new GatewayFixture(folder, GatewayFixture.withOwnTools(true, false))) {
            assertThat(without.tools()).hasSize(4).doesNotContain("patchbay.invoke");
        }
    }

    @Test
    void invokeCallsTheNamedToolLikeADirectCall() throws Exception {
        var seen = new CopyOnWriteArrayList<String>();
        fleet.gateway.observe(call -> seen.add(call.server() + " " + call.target()));

        InvocationResult direct = fleet.call("files.read", "{\"x\":1}");
        for (String name : List.of("files.read", "files__read", "read")) {
            InvocationResult invoked =
                    fleet.call(
                            "patchbay.invoke",
                            "{\"name\":\"%s\",\"arguments\":{\"x\":1}}".formatted(name));
            assertThat(invoked.tool()).isEqualTo("files.read");
            assertThat(invoked.callResult()).isEqualTo(direct.callResult());
        }
        assertThat(seen).hasSize(4).containsOnly("files read");
        assertThat(fleet.call("patchbay.invoke", "{\"name\":\"patchbay.servers\"}").isSuccess())
                .isTrue();
    }

    @Test
    void invokeFailsLikeADirectCall() throws Exception {
        fleet.add(
                fleet.script("typed")
                        .withToolDefinitions(
                                """
                                [{"name": "add", "inputSchema": {"type": "object",
                                  "properties": {"n": {"type": "integer"}}, "required": ["n"]}}]\
                                """));
        fleet.discover();
        for (String[] call :
                List.of(
                        new String[] {"typed.add", "{\"n\":\"x\"}"},
                        new String[] {"typed.add", "{}"},
                        new String[] {"files.absent", "{}"},
                        new String[] {"nobody.x", "{}"},
                        new String[] {"off.x", "{}"})) {
            InvocationResult direct = fleet.call(call[0], call[1]);
            InvocationResult invoked =
                    fleet.call(
                            "patchbay.invoke",
                            "{\"name\":\"%s\",\"arguments\":%s}".formatted(call[0], call[1]));
            assertThat(invoked.callResult()).as(call[0]).isEqualTo(direct.callResult());
            assertThat(invoked.tool()).isEqualTo(direct.tool());
            assertThat(invoked.server()).isEqualTo(direct.server());
        }
    }

    @Test
    void invokeChecksItsOwnArgumentsAndDoesNotCallItself() throws Exception {
        for (String arguments : List.of("{}", "{\"name\":7}", "{\"name\":\"read\",\"args\":{}}")) {
            InvocationResult wrong = fleet.call("patchbay.invoke", arguments);
            assertThat(wrong.problem().reason()).isEqualTo(ErrorReason.INVALID_ARGUMENTS);
            assertThat(wrong.server()).hasToString("patchbay");
        }
        assertThat(
                        fleet.call(
                                        "patchbay.invoke",
                                        "{\"name\":\"patchbay__invoke\",\"arguments\":{}}")
                                .problem()
                                .message())
                .contains("cannot call itself");
    }
}
