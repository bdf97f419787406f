package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

@Tag("INV-MCP-ECO-003")
class FullNameTest {
    private static String dotted(String server, String tool) {
        return new FullName(new ServerId(server), tool).advertisedName(NameStyle.DOTTED);
    }

    private static String safe(String server, String tool) {
        return new FullName(new ServerId(server), tool).advertisedName(NameStyle.SAFE);
    }

    @Test
    void plainNamesAreAdvertisedUnchanged() {
        assertThat(dotted("github", "create_issue")).isEqualTo("github.create_issue");
        assertThat(safe("github", "create_issue")).isEqualTo("github__create_issue");
    }

    /** The names of installed clients' permissions must not change with a new version of ours. */
    @Test
    void shortenedNamesAreStableAcrossVersions() {
        assertThat(dotted("a", "files.read")).isEqualTo("a.files.read_b8220091e3");
        assertThat(safe("a", "files.read")).isEqualTo("a__files_read_b8220091e3");
        assertThat(safe("a", "x".repeat(80))).isEqualTo("a__" + "x".repeat(50) + "_46ae1172fe");
    }

    @Test
    void namesThatDifferOnlyInReplacedCharactersDoNotCollide() {
        assertThat(dotted("a", "b_c")).isEqualTo("a.b_c");
        assertThat(dotted("a", "b.c").replace('.', '_')).isNotEqualTo("a_b_c");
        assertThat(safe("a", "b c")).isNotEqualTo(safe("a", "b.c")).isNotEqualTo(safe("a", "b_c"));
    }

    @Test
    void nameThatLooksShortenedIsShortenedAgain() {
        String shortened = safe("a", "files.read").substring("a__".length());
        assertThat(safe("a", shortened)).isNotEqualTo("a__" + shortened);
    }

    @Test
    void longestServerIdLeavesSpaceForAToolName() {
        String server = "s".repeat(50);
        assertThat(safe(server, "a-tool-with-a-name")).hasSize(64).startsWith(server + "__a_");
        assertThat(dotted(server, "t".repeat(200))).hasSize(100).startsWith(server + ".ttt");
    }

    @Test
    void splitsAtTheFirstDotOnly() {
        assertThat(FullName.parse("a.files.read"))
                .contains(new FullName(new ServerId("a"), "files.read"));
        assertThat(FullName.parse("a..b")).contains(new FullName(new ServerId("a"), ".b"));
    }

    @Test
    void fullNameNeedsServerAndTool() {
        assertThat(FullName.parse("search")).isEmpty();
        assertThat(FullName.parse(".search")).isEmpty();
        assertThat(FullName.parse("a.")).isEmpty();
        assertThat(FullName.parse("a_b.c")).isEmpty();
        assertThat(FullName.parse("")).isEmpty();
    }

    @Test
    void onlyClientsKnownToAcceptDotsGetThem() {
        for (String client :
                List.of(
                        "claude-code",
                        "Cline",
                        "gemini-cli-mcp-client",
                        "inspector-cli",
                        "mcp-inspector",
                        "mcp-inspector-tui",
                        "opencode",
                        "claude-code (via mcp-remote 0.15)")) {
            assertThat(NameStylePolicy.AUTO.styleFor(client))
                    .as(client)
                    .isEqualTo(NameStyle.DOTTED);
        }
        for (String client :
                List.of(
                        "claude-ai",
                        "Claude Desktop",
                        "claude-codex",
                        "my-claude-code",
                        "codex-mcp-client",
                        "github-copilot-developer",
                        "ChatGPT",
                        "openai-mcp",
                        "windsurf-client",
                        "ai-sdk-mcp-client",
                        "langchain4j",
                        "clines",
                        "Visual Studio Code",
                        "mcp",
                        "")) {
            assertThat(NameStylePolicy.AUTO.styleFor(client)).as(client).isEqualTo(NameStyle.SAFE);
        }
    }

    @Test
    void settingDecidesForEveryClient() {
        assertThat(NameStylePolicy.DOTTED.styleFor("claude-ai")).isEqualTo(NameStyle.DOTTED);
        assertThat(NameStylePolicy.SAFE.styleFor("claude-code")).isEqualTo(NameStyle.SAFE);
        assertThat(NameStylePolicy.BARE.styleFor("claude-code")).isEqualTo(NameStyle.BARE);
    }
}
