package dev.patchbay.config.hosts;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A program that starts MCP servers and keeps a list of them in a file. */
public enum McpHost {
    CLAUDE_DESKTOP,
    CLAUDE_CODE,
    CURSOR,
    VSCODE,
    CODEX;

    /** The word for it on the command line. */
    public String cliName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<McpHost> byCliName(String word) {
        return Arrays.stream(values()).filter(host -> host.cliName().equals(word)).findFirst();
    }

    /** Whether it hides every tool when the name of one has a dot. */
    public boolean rejectsDotsInNames() {
        return switch (this) {
            case CLAUDE_DESKTOP, CODEX -> true;
            case CLAUDE_CODE, CURSOR, VSCODE -> false;
        };
    }

    /** Whether an entry has to say that it is a program to start. */
    boolean requiresType() {
        return switch (this) {
            case CLAUDE_CODE, VSCODE -> true;
            case CLAUDE_DESKTOP, CURSOR, CODEX -> false;
        };
    }
}
