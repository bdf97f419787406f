package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.HostFile.Scope;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Locates the configuration files of hosts on this machine. */
public final class HostFileLocator {
    private final Environment environment;

    public HostFileLocator(Environment environment) {
        this.environment = environment;
    }

    /** The files of a host. If two files define the same server, the host uses the first. */
    public List<HostFile> locate(McpHost host) {
        Path project = environment.workingDirectory();
        Path home = environment.home();
        Path programs = environment.configHome();
        return switch (host) {
            case CLAUDE_DESKTOP ->
                    List.of(
                            userFile(
                                    programs.resolve("Claude", "claude_desktop_config.json"),
                                    Format.PLAIN));
            case CLAUDE_CODE ->
                    List.of(
                            projectFile(project.resolve(".mcp.json"), Format.SHELL),
                            userFile(
                                    environment
                                            .directoryFromVariable("CLAUDE_CONFIG_DIR", home)
                                            .resolve(".claude.json"),
                                    Format.CLAUDE_STATE));
            case CURSOR ->
                    List.of(
                            projectFile(project.resolve(".cursor", "mcp.json"), Format.EDITOR),
                            userFile(home.resolve(".cursor", "mcp.json"), Format.EDITOR));
            case VSCODE ->
                    List.of(
                            projectFile(project.resolve(".vscode", "mcp.json"), Format.VSCODE),
                            userFile(programs.resolve("Code", "User", "mcp.json"), Format.VSCODE),
                            userFile(
                                    programs.resolve("Code", "User", "settings.json"),
                                    Format.VSCODE_SETTINGS));
            case CODEX ->
                    List.of(
                            projectFile(project.resolve(".codex", "config.toml"), Format.CODEX),
                            userFile(
                                    environment
                                            .directoryFromVariable(
                                                    "CODEX_HOME", home.resolve(".codex"))
                                            .resolve("config.toml"),
                                    Format.CODEX));
        };
    }

    /** The file to install into; empty if the host has none for the scope. */
    public Optional<HostFile> locate(McpHost host, Scope scope) {
        return locate(host).stream().filter(file -> file.scope() == scope).findFirst();
    }

    /** A file of any program, its format told by its name and folder and what is in it. */
    static HostFile forPath(Path path) {
        if (String.valueOf(path.getFileName()).endsWith(".toml")) {
            return userFile(path, Format.CODEX);
        }
        Path folder = path.toAbsolutePath().getParent();
        String name = folder == null ? "" : String.valueOf(folder.getFileName());
        return userFile(
                path,
                switch (name) {
                    case ".gemini", ".qwen" -> Format.GEMINI;
                    case ".cursor" -> Format.EDITOR;
                    default -> Format.SHELL;
                });
    }

    private static HostFile userFile(Path path, Format format) {
        return new HostFile(path, Scope.USER, format);
    }

    private static HostFile projectFile(Path path, Format format) {
        return new HostFile(path, Scope.PROJECT, format);
    }
}
