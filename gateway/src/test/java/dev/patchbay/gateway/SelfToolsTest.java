package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.NameStyle;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Reason;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class SelfToolsTest {
    @TempDir private Path folder;
    private Fleet fleet;

    @BeforeEach
    void open() throws Exception {
        fleet = new Fleet(folder, GatewaySettings.DEFAULTS.withSelfTools(true));
        fleet.add(fleet.script("files").tools("read=echo", "servers=echo"));
        fleet.gateway.register(Fleet.spec(fleet.script("off"), Fleet.ONCE).withEnabled(false));
        fleet.discover();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private String said(String tool, String arguments) throws Exception {
        InvocationResult result = fleet.call(tool, arguments);
        assertThat(result.isSuccess()).as("%s", result.problem()).isTrue();
        Json answer = ((Reply.Answered) result.reply()).result();
        assertThat(answer.member("content").elements().getFirst().memberText("text"))
                .isEqualTo(answer.member("structuredContent").toString());
        return answer.member("structuredContent").toString();
    }

    @Test
    void areListedOnlyWhenSwitchedOn() {
        assertThat(fleet.gateway.catalog().toolsResult(NameStyle.SAFE, Era.LEGACY).toString())
                .contains("patchbay__servers", "patchbay__find_tool");
        try (var plain = new Fleet(folder)) {
            assertThat(plain.gateway.catalog().tools()).isEmpty();
        }
    }

    @Test
    void tellTheTruthAboutServers() throws Exception {
        assertThat(said("patchbay.servers", "{}"))
                .contains("\"serverId\":\"files\",\"status\":\"connected\"")
                .contains("\"serverId\":\"off\",\"status\":\"disabled\"");
    }

    @Test
    void discoverWithARowForEach() throws Exception {
        assertThat(said("patchbay.discover", "{\"forceRefresh\":true}"))
                .contains("\"status\":\"success\"")
                .contains("\"status\":\"skipped\"");
    }

    @Test
    void findToolsByWords() throws Exception {
        assertThat(said("patchbay.find_tool", "{\"query\":\"READ a file\"}"))
                .contains("files.read");
        assertThat(said("patchbay.find_tool", "{\"query\":\"zzz\"}")).contains("\"matches\":0");
    }

    @Test
    void explainWhatIsMissing() throws Exception {
        assertThat(said("patchbay.explain", "{\"name\":\"off\"}")).contains("disabled");
        assertThat(said("patchbay.explain", "{\"name\":\"off.x\"}")).contains("disabled");
        assertThat(said("patchbay.explain", "{\"name\":\"files.read\"}")).contains("is listed");
        assertThat(said("patchbay.explain", "{\"name\":\"nobody.x\"}")).contains("No server");
    }

    @Test
    void areNotInTheWayOfServersToolsAndCheckTheirArguments() throws Exception {
        assertThat(fleet.call("servers", "{}").tool()).isEqualTo("files.servers");
        assertThat(fleet.call("patchbay.explain", "{}").problem().reason())
                .isEqualTo(Reason.INVALID_ARGUMENTS);
        assertThat(fleet.call("patchbay.register", "{}").problem().reason())
                .isEqualTo(Reason.TOOL_NOT_FOUND);
    }
}
