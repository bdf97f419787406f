package dev.patchbay.config.hosts;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** An application that starts MCP servers and configures them in a file. */
public enum McpHost {
    CLAUDE_DESKTOP,
    CLAUDE_CODE,
    CURSOR,
    VSCODE,
    CODEX;

    /** The name to display. */
    public String displayName() {
        return switch (this) {
            case CLAUDE_DESKTOP -> "Claude Desktop";
            case CLAUDE_CODE -> "Claude Code";
            case CURSOR -> "Cursor";
            case VSCODE -> "VS Code";
            case CODEX -> "Codex";
        };
    }

    /** The name on the command line. */
    public String cliName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<McpHost> byCliName(String word) {
        return Arrays.stream(values()).filter(host -> host.cliName().equals(word)).findFirst();
    }

    /** Whether the host hides all tools if the name of one contains a dot. */
    public boolean rejectsDotsInNames() {
        return switch (this) {
            case CLAUDE_DESKTOP, CODEX -> true;
            case CLAUDE_CODE, CURSOR, VSCODE -> false;
        };
    }

    /** Whether an entry must have a {@code type}. */
    boolean requiresType() {
        return switch (this) {
            case CLAUDE_CODE, VSCODE -> true;
            case CLAUDE_DESKTOP, CURSOR, CODEX -> false;
        };
    }
}
