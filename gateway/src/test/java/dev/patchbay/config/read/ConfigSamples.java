package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.NameStylePolicy;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Texts to read, and short ways to read them. */
public final class ConfigSamples {
    /** A file that uses every key, with comments, a trailing comma and both kinds of server. */
    public static final String FULL =
            """
            // The servers of the team.
            {
              "$schema": "patchbay.schema.json",
              "mcpServers": {
                /* Issues and pull requests. */
                "github": {
                  "type": "stdio",
                  "command": "npx",
                  "args": ["-y", "@example/github-server", "--read-only"],
                  "env": { "GITHUB_TOKEN": "${GITHUB_TOKEN}", "MODE": "${MODE:-fast}" },
                  "cwd": "/srv/github",
                  "enabled": false,
                  "connectionTimeoutMs": 20000,
                  "requestTimeoutMs": 120000,
                  "maxRetries": 5,
                  "era": "legacy",
                  "tools": { "include": ["issue_*", "search"], "exclude": ["*_delete"] },
                  "description": "Issues – und mehr", // not only ASCII
                  "tags": ["work", "code"],
                },
                "docs": {
                  "url": "https://docs.example.com/mcp",
                  "headers": { "Authorization": "Bearer ${DOCS_TOKEN}" }
                }
              },
              "patchbay": {
                "names": "safe",
                "http": {
                  "listen": "[::1]:9000",
                  "auth": "none",
                  "allowedHosts": ["gateway.local"],
                  "allowedOrigins": ["https://inspector.example.com"],
                  "serverCard": "https://gateway.example.com/mcp"
                },
                "stateDir": "${HOME}/.patchbay",
                "selfTools": true,
                "invokeTool": true,
                "limits": {
                  "clientMessageBytesMax": 1000000,
                  "serverMessageBytesMax": 2000000,
                  "clientLineBytesMax": 3000000,
                  "pagesMax": 10,
                  "toolsPerServerMax": 20,
                  "requestsPerClientMax": 30,
                  "requestsPerServerMax": 40,
                  "stderrBytesMax": 50000,
                  "shutdownGraceMs": 6000
                },
                "views": {
                  "work": {
                    "servers": ["github"],
                    "tools": { "include": ["github.*"], "exclude": ["github.delete_*"] },
                    "names": "bare",
                    "rename": { "github.search": "find_code" }
                  }
                },
                "logLevel": "debug",
                "daemon": {"enabled": true, "idleExitMs": 5000},
                "history": {"enabled": false, "arguments": "none", "bytesMax": 2000000},
                "telemetry": {
                  "otlp": "http://127.0.0.1:4318",
                  "traceLink": "https://traces.example/{traceId}"
                }
              }
            }
            """;

    /** The view in {@link #FULL}. */
    static final CatalogView FULL_VIEW =
            new CatalogView(
                    "work",
                    Set.of(new ServerId("github")),
                    new ToolFilter(List.of("github.*"), List.of("github.delete_*")),
                    NameStylePolicy.BARE,
                    Map.of(new FullName(new ServerId("github"), "search"), "find_code"));

    public static final Map<String, String> ENVIRONMENT =
            Map.of("GITHUB_TOKEN", "gh-secret", "DOCS_TOKEN", "docs-secret", "HOME", "/home/kim");

    private ConfigSamples() {}

    public static ConfigReadResult read(String text) {
        return new ConfigReader(ENVIRONMENT).read(text);
    }

    public static ConfigReadResult.Valid readValid(String text) {
        var file = read(text);
        assertThat(file).as("%s", file.findings()).isInstanceOf(ConfigReadResult.Valid.class);
        assertThat(file.errors()).isEmpty();
        return (ConfigReadResult.Valid) file;
    }

    /** The findings of a text, each as the line that a user sees. */
    public static List<String> findingLines(String text) {
        return read(text).findings().stream().map(Finding::toString).toList();
    }

    public static List<Finding> readErrors(String text) {
        var file = read(text);
        assertThat(file.hasErrors()).isTrue();
        return file.errors();
    }

    /** A file with one server of those members. */
    public static String fileWithServer(String members) {
        return "{\"mcpServers\": {\"one\": {" + members + "}}}";
    }

    /** A file with those settings of the gateway. */
    public static String fileWithSettings(String members) {
        return "{\"mcpServers\": {}, \"patchbay\": {" + members + "}}";
    }
}
