package dev.patchbay.config.hosts;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An application that starts MCP servers and configures them in a file. */
public enum McpHost {
    CLAUDE_DESKTOP("Claude Desktop"),
    CLAUDE_CODE("Claude Code"),
    CURSOR("Cursor"),
    VSCODE("VS Code"),
    CODEX("Codex"),
    GEMINI_CLI("Gemini CLI"),
    WINDSURF("Windsurf"),
    ZED("Zed"),
    CLINE("Cline"),
    ROO("Roo Code"),
    CONTINUE("Continue"),
    LM_STUDIO("LM Studio"),
    GOOSE("Goose"),
    OPENCODE("opencode"),
    COPILOT_CLI("Copilot CLI"),
    JETBRAINS("JetBrains Junie"),
    AMP("Amp"),
    WARP("Warp"),
    KIRO("Kiro");

    private final String displayName;

    McpHost(String displayName) {
        this.displayName = displayName;
    }

    /** The name to display. */
    public String displayName() {
        return displayName;
    }

    /** The name on the command line. */
    public String cliName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<McpHost> byCliName(String word) {
        return Arrays.stream(values()).filter(host -> host.cliName().equals(word)).findFirst();
    }

    /**
     * Whether tools with dots in their names are unusable in the host. For the others, the setting
     * {@code names} decides by the name of the client.
     */
    public boolean rejectsDotsInNames() {
        return this == CLAUDE_DESKTOP || this == CODEX || this == CONTINUE;
    }
}
