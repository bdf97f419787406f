package dev.patchbay.config.hosts;

import java.nio.file.Path;

/** A file in which a program keeps its list of servers. */
public record HostFile(Path path, Scope scope, Format format) {
    /** Where its servers are to be had. */
    public enum Scope {
        /** In one project. */
        PROJECT,
        /** Wherever the user works. */
        USER
    }

    /** How servers are written in it. */
    public enum Format {
        /** Under {@code mcpServers}; texts are taken as they are. */
        PLAIN,
        /** Under {@code mcpServers}, with variables as a shell has them. */
        SHELL,
        /** Under {@code mcpServers}, with the variables of a shell, also without brackets. */
        GEMINI,
        /** Under {@code mcpServers}, with the variables of editors. */
        EDITOR,
        /** Under {@code servers}, with the variables of editors. */
        VSCODE,
        /** Under {@code mcp.servers}, among the settings of an editor. */
        VSCODE_SETTINGS,
        /** Under {@code mcpServers}, and once more for each project under its path. */
        CLAUDE_STATE,
        /** TOML tables under {@code mcp_servers}. */
        CODEX
    }

    /** The key under which an entry of our own would stand. */
    String serversKey() {
        return switch (format) {
            case PLAIN, SHELL, GEMINI, EDITOR, CLAUDE_STATE -> "mcpServers";
            case VSCODE -> "servers";
            case VSCODE_SETTINGS -> "mcp";
            case CODEX -> "mcp_servers";
        };
    }
}
