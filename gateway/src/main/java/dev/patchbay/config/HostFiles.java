package dev.patchbay.config;

import dev.patchbay.config.HostFile.Format;
import dev.patchbay.config.HostFile.Scope;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the hosts keep their files on this machine. */
public final class HostFiles {
    private final Surroundings surroundings;

    public HostFiles(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** The files of a host; where two name the same server, the host takes the first. */
    public List<HostFile> of(Host host) {
        Path project = surroundings.workingDirectory();
        Path home = surroundings.home();
        Path programs = surroundings.programs();
        return switch (host) {
            case CLAUDE_DESKTOP ->
                    List.of(
                            user(
                                    programs.resolve("Claude", "claude_desktop_config.json"),
                                    Format.PLAIN));
            case CLAUDE_CODE ->
                    List.of(
                            project(project.resolve(".mcp.json"), Format.SHELL),
                            user(
                                    surroundings
                                            .folder("CLAUDE_CONFIG_DIR", home)
                                            .resolve(".claude.json"),
                                    Format.CLAUDE_STATE));
            case CURSOR ->
                    List.of(
                            project(project.resolve(".cursor", "mcp.json"), Format.EDITOR),
                            user(home.resolve(".cursor", "mcp.json"), Format.EDITOR));
            case VSCODE ->
                    List.of(
                            project(project.resolve(".vscode", "mcp.json"), Format.VSCODE),
                            user(programs.resolve("Code", "User", "mcp.json"), Format.VSCODE),
                            user(
                                    programs.resolve("Code", "User", "settings.json"),
                                    Format.VSCODE_SETTINGS));
            case CODEX ->
                    List.of(
                            project(project.resolve(".codex", "config.toml"), Format.CODEX),
                            user(
                                    surroundings
                                            .folder("CODEX_HOME", home.resolve(".codex"))
                                            .resolve("config.toml"),
                                    Format.CODEX));
        };
    }

    /** The file to put an entry into; none if the host has no such list. */
    public Optional<HostFile> of(Host host, Scope scope) {
        return of(host).stream().filter(file -> file.scope() == scope).findFirst();
    }

    /** A file of any program, its format told by its name and what is in it. */
    static HostFile any(Path path) {
        boolean toml = String.valueOf(path.getFileName()).endsWith(".toml");
        return user(path, toml ? Format.CODEX : Format.SHELL);
    }

    private static HostFile user(Path path, Format format) {
        return new HostFile(path, Scope.USER, format);
    }

    private static HostFile project(Path path, Format format) {
        return new HostFile(path, Scope.PROJECT, format);
    }
}
