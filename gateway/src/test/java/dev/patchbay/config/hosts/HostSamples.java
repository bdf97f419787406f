package dev.patchbay.config.hosts;

import java.io.IOException;

/** A real-world file of each host. */
final class HostSamples {
    private HostSamples() {}

    static String name(McpHost host) {
        return switch (host) {
            case CLAUDE_DESKTOP -> "claude-desktop.json";
            case CLAUDE_CODE -> "claude-code-state.json";
            case CURSOR -> "cursor.json";
            case VSCODE -> "vscode-mcp.json";
            case CODEX -> "codex.toml";
            case GEMINI_CLI -> "gemini.json";
            case WINDSURF -> "windsurf.json";
            case ZED -> "zed.json";
            case CLINE -> "cline.json";
            case ROO -> "roo.json";
            case CONTINUE -> "continue.yaml";
            case LM_STUDIO -> "lm-studio.json";
            case GOOSE -> "goose.yaml";
            case OPENCODE -> "opencode.jsonc";
            case COPILOT_CLI -> "copilot.json";
            case JETBRAINS -> "junie.json";
            case AMP -> "amp.json";
            case WARP -> "warp.json";
            case KIRO -> "kiro.json";
        };
    }

    static String text(TestMachine machine, McpHost host) throws IOException {
        return machine.sample(name(host));
    }
}
