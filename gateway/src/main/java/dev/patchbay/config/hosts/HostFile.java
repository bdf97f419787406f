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

    /** The language of a file. */
    enum Syntax {
        /** JSON with comments and trailing commas. */
        JSON,
        TOML,
        YAML
    }

    /** The syntax of the server list. */
    public enum Format {
        /** Without variables. */
        PLAIN(Syntax.JSON, "mcpServers"),
        /** With shell variables. */
        SHELL(Syntax.JSON, "mcpServers"),
        /** With shell variables, also without brackets; {@code mcp} can switch servers off. */
        GEMINI(Syntax.JSON, "mcpServers"),
        /** With shell variables, also without brackets. */
        COPILOT(Syntax.JSON, "mcpServers"),
        /** With the variables of editors. */
        EDITOR(Syntax.JSON, "mcpServers"),
        /** With the variables of editors and timeouts in seconds. */
        CLINE(Syntax.JSON, "mcpServers"),
        /** With the variables of editors. */
        VSCODE(Syntax.JSON, "servers"),
        /** Under {@code mcp.servers} in the settings of an editor. */
        VSCODE_SETTINGS(Syntax.JSON, "mcp"),
        /** For the user, and for each project by its path. */
        CLAUDE_STATE(Syntax.JSON, "mcpServers"),
        /** Without variables; timeouts in seconds. */
        ZED(Syntax.JSON, "context_servers"),
        /** The command is an array; variables are written {@code {env:NAME}}. */
        OPENCODE(Syntax.JSON, "mcp"),
        /** One key with a dot, in the settings of Amp. */
        AMP(Syntax.JSON, "amp.mcpServers"),
        /** TOML tables. */
        CODEX(Syntax.TOML, "mcp_servers"),
        /** A YAML mapping in which servers are one kind of extension. */
        GOOSE(Syntax.YAML, "extensions"),
        /** A YAML sequence of servers with names. */
        CONTINUE(Syntax.YAML, "mcpServers");

        private final Syntax syntax;
        private final String serversKey;

        Format(Syntax syntax, String serversKey) {
            this.syntax = syntax;
            this.serversKey = serversKey;
        }

        Syntax syntax() {
            return syntax;
        }
    }

    /** The key under which Patchbay's entry is added. */
    String serversKey() {
        return format.serversKey;
    }
}
