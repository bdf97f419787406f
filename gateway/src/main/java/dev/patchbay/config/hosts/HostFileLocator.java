package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.HostFile.Scope;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Locates the configuration files of hosts on this machine. */
public final class HostFileLocator {
    private static final int FOLDER_FILES_MAX = 100;

    private final Environment environment;

    public HostFileLocator(Environment environment) {
        this.environment = environment;
    }

    /**
     * The files of a host. If two files define the same server, the host uses the first. The first
     * file of a scope is the one to install into.
     */
    public List<HostFile> locate(McpHost host) {
        return switch (host) {
            case CLAUDE_DESKTOP ->
                    List.of(user(Format.PLAIN, programs("Claude", "claude_desktop_config.json")));
            case CLAUDE_CODE -> claudeCodeFiles();
            case CURSOR -> inProjectAndHome(Format.EDITOR, ".cursor", "mcp.json");
            case VSCODE -> vscodeFiles();
            case CODEX -> codexFiles();
            case GEMINI_CLI -> inProjectAndHome(Format.GEMINI, ".gemini", "settings.json");
            case WINDSURF ->
                    List.of(home(Format.EDITOR, ".codeium", "windsurf", "mcp_config.json"));
            case ZED -> zedFiles();
            case CLINE -> clineFiles();
            case ROO -> rooFiles();
            case CONTINUE -> continueFiles();
            case LM_STUDIO ->
                    existingFirst(
                            home(Format.PLAIN, ".lmstudio", "mcp.json"),
                            home(Format.PLAIN, ".cache", "lm-studio", "mcp.json"));
            case GOOSE -> gooseFiles();
            case OPENCODE -> openCodeFiles();
            case COPILOT_CLI -> copilotFiles();
            case JETBRAINS -> inProjectAndHome(Format.SHELL, ".junie", "mcp", "mcp.json");
            case AMP -> ampFiles();
            case WARP -> inProjectAndHome(Format.SHELL, ".warp", ".mcp.json");
            case KIRO -> inProjectAndHome(Format.SHELL, ".kiro", "settings", "mcp.json");
        };
    }

    /** The file to install into; empty if the host has none for the scope. */
    public Optional<HostFile> locate(McpHost host, Scope scope) {
        return locate(host).stream().filter(file -> file.scope() == scope).findFirst();
    }

    /** A file of any program, its format told by its name and folder and what is in it. */
    static HostFile forPath(Path path) {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        if (name.endsWith(".toml")) {
            return user(Format.CODEX, path);
        }
        if (isYaml(name)) {
            return user(Format.CONTINUE, path);
        }
        Path folder = path.toAbsolutePath().getParent();
        return user(
                switch (folder == null ? "" : String.valueOf(folder.getFileName())) {
                    case ".gemini", ".qwen" -> Format.GEMINI;
                    case ".cursor" -> Format.EDITOR;
                    default -> Format.SHELL;
                },
                path);
    }

    private static boolean isYaml(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private List<HostFile> claudeCodeFiles() {
        Path folder = folder("CLAUDE_CONFIG_DIR", environment.home());
        return List.of(
                project(Format.SHELL, ".mcp.json"),
                user(Format.CLAUDE_STATE, folder.resolve(".claude.json")));
    }

    private List<HostFile> vscodeFiles() {
        return List.of(
                project(Format.VSCODE, ".vscode", "mcp.json"),
                user(Format.VSCODE, programs("Code", "User", "mcp.json")),
                user(Format.VSCODE_SETTINGS, programs("Code", "User", "settings.json")));
    }

    private List<HostFile> codexFiles() {
        Path folder = folder("CODEX_HOME", environment.home().resolve(".codex"));
        return List.of(
                project(Format.CODEX, ".codex", "config.toml"),
                user(Format.CODEX, folder.resolve("config.toml")));
    }

    private List<HostFile> zedFiles() {
        Path folder = isWindows() ? programs("Zed") : dotConfig("zed");
        return List.of(
                project(Format.ZED, ".zed", "settings.json"),
                user(Format.ZED, folder.resolve("settings.json")));
    }

    /** The file that all editions of Cline share, and the older one of Cline for VS Code. */
    private List<HostFile> clineFiles() {
        Path home = environment.home().resolve(".cline");
        Path data = folder("CLINE_DATA_DIR", folder("CLINE_DIR", home).resolve("data"));
        Path file = data.resolve("settings", "cline_mcp_settings.json");
        return existingFirst(
                user(Format.CLINE, folder("CLINE_MCP_SETTINGS_PATH", file)),
                extensionFile("saoudrizwan.claude-dev", "cline_mcp_settings.json"));
    }

    private List<HostFile> rooFiles() {
        return List.of(
                project(Format.CLINE, ".roo", "mcp.json"),
                extensionFile("rooveterinaryinc.roo-cline", "mcp_settings.json"));
    }

    private HostFile extensionFile(String extension, String name) {
        return user(
                Format.CLINE,
                programs("Code", "User", "globalStorage", extension, "settings", name));
    }

    private List<HostFile> gooseFiles() {
        Path folder = isWindows() ? programs("Block", "goose", "config") : dotConfig("goose");
        return List.of(user(Format.GOOSE, folder.resolve("config.yaml")));
    }

    private List<HostFile> copilotFiles() {
        Path folder = folder("COPILOT_HOME", environment.home().resolve(".copilot"));
        return List.of(
                project(Format.COPILOT, ".github", "mcp.json"),
                user(Format.COPILOT, folder.resolve("mcp-config.json")));
    }

    private List<HostFile> continueFiles() {
        Path own = folder("CONTINUE_GLOBAL_DIR", environment.home().resolve(".continue"));
        Path shared = workspace().resolve(".continue", "mcpServers");
        var files = new ArrayList<HostFile>();
        files.add(project(Format.CONTINUE, ".continue", "mcpServers", "patchbay.yaml"));
        addFilesOf(shared, Scope.PROJECT, files);
        files.add(user(Format.CONTINUE, own.resolve("config.yaml")));
        addFilesOf(own.resolve("mcpServers"), Scope.USER, files);
        return files;
    }

    /** Continue reads every file of these folders: its own YAML, and the JSON of other hosts. */
    private static void addFilesOf(Path folder, Scope scope, List<HostFile> files) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var paths = Files.list(folder)) {
            paths.filter(Files::isRegularFile)
                    .filter(path -> files.stream().noneMatch(it -> it.path().equals(path)))
                    .sorted()
                    .limit(FOLDER_FILES_MAX)
                    .forEach(
                            path -> {
                                String name = String.valueOf(path.getFileName());
                                if (isYaml(name)) {
                                    files.add(new HostFile(path, scope, Format.CONTINUE));
                                } else if (name.endsWith(".json")) {
                                    files.add(new HostFile(path, scope, Format.SHELL));
                                }
                            });
        } catch (IOException _) {
            // The folder cannot be listed, so it has no files for Continue either.
        }
    }

    private List<HostFile> openCodeFiles() {
        return withBothEndings(Format.OPENCODE, workspace(), dotConfig("opencode"), "opencode");
    }

    private List<HostFile> ampFiles() {
        Path own = isWindows() ? programs("amp") : dotConfig("amp");
        return withBothEndings(Format.AMP, workspace().resolve(".amp"), own, "settings");
    }

    /** The files of a host that reads a name with the endings json and jsonc. */
    private static List<HostFile> withBothEndings(
            Format format, Path project, Path user, String name) {
        var files = new ArrayList<HostFile>();
        for (Scope scope : Scope.values()) {
            Path folder = scope == Scope.PROJECT ? project : user;
            files.addAll(
                    existingFirst(
                            new HostFile(folder.resolve(name + ".json"), scope, format),
                            new HostFile(folder.resolve(name + ".jsonc"), scope, format)));
        }
        return files;
    }

    /** Both files: the second one first if only that exists. */
    private static List<HostFile> existingFirst(HostFile usual, HostFile other) {
        return !Files.exists(usual.path()) && Files.exists(other.path())
                ? List.of(other, usual)
                : List.of(usual, other);
    }

    private List<HostFile> inProjectAndHome(Format format, String... names) {
        return List.of(project(format, names), home(format, names));
    }

    private boolean isWindows() {
        return environment.platform() == Platform.WINDOWS;
    }

    private Path workspace() {
        return environment.workingDirectory();
    }

    private Path programs(String... names) {
        return resolve(environment.configHome(), names);
    }

    /** A path in the folder that some programs use on every platform. */
    private Path dotConfig(String... names) {
        return resolve(folder("XDG_CONFIG_HOME", environment.home().resolve(".config")), names);
    }

    private Path folder(String variable, Path other) {
        return environment.directoryFromVariable(variable, other);
    }

    private HostFile home(Format format, String... names) {
        return user(format, resolve(environment.home(), names));
    }

    private HostFile project(Format format, String... names) {
        return new HostFile(resolve(workspace(), names), Scope.PROJECT, format);
    }

    private static HostFile user(Format format, Path path) {
        return new HostFile(path, Scope.USER, format);
    }

    private static Path resolve(Path folder, String... names) {
        Path path = folder;
        for (String name : names) {
            path = path.resolve(name);
        }
        return path;
    }
}
