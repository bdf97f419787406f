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

class BuiltInToolsTest {
    @TempDir private Path folder;
    private GatewayFixture fleet;

    @BeforeEach
    void open() throws Exception {
        fleet = new GatewayFixture(folder, GatewaySettings.DEFAULTS.withSelfTools(true));
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
}
