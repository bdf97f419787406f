package dev.patchbay.config.hosts;

import java.nio.file.Path;

/** A file in which a host configures MCP servers. */
public record HostFile(Path path, Scope scope, Format format) {
    /** Where the servers of the file apply. */
    public enum Scope {
        /** In one project. */
        PROJECT,
        /** Wherever the user works. */
        USER
    }

    /** The syntax of the server list. */
    public enum Format {
        /** Under {@code mcpServers}, without variables. */
        PLAIN,
        /** Under {@code mcpServers}, with shell variables. */
        SHELL,
        /** Under {@code mcpServers}, with the variables of a shell, also without brackets. */
        GEMINI,
        /** Under {@code mcpServers}, with the variables of editors. */
        EDITOR,
        /** Under {@code servers}, with the variables of editors. */
        VSCODE,
        /** Under {@code mcp.servers} in the settings of an editor. */
        VSCODE_SETTINGS,
        /** Under {@code mcpServers}, for the user and for each project by its path. */
        CLAUDE_STATE,
        /** TOML tables under {@code mcp_servers}. */
        CODEX
    }

    /** The key under which Patchbay's entry is added. */
    String serversKey() {
        return switch (format) {
            case PLAIN, SHELL, GEMINI, EDITOR, CLAUDE_STATE -> "mcpServers";
            case VSCODE -> "servers";
            case VSCODE_SETTINGS -> "mcp";
            case CODEX -> "mcp_servers";
        };
    }
}
