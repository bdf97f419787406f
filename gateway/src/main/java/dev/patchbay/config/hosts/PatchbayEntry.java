package dev.patchbay.config.hosts;

import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.Installer.LaunchCommand;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.SelfReference;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The entry that starts Patchbay, in the structure of each host. */
final class PatchbayEntry {
    /** Its name in every host. */
    static final String KEY = "patchbay";

    /** How long Goose waits for a call, in seconds; Patchbay has limits of its own. */
    private static final int GOOSE_TIMEOUT_SECONDS = 300;

    private PatchbayEntry() {}

    static Json create(McpHost host, LaunchCommand program) {
        List<String> line = commandLine(program);
        var json = new JsonWriter().beginObject();
        switch (host) {
            case GOOSE -> writeGoose(json, line);
            case OPENCODE -> writeOpenCode(json, line);
            case COPILOT_CLI -> {
                json.member("type", "local");
                writeCommand(json, "command", line);
                json.name("tools");
                writeStrings(json, List.of("*"));
            }
            case CONTINUE -> {
                json.member("name", KEY);
                writeCommand(json, "command", line);
            }
            case CLAUDE_CODE, VSCODE -> {
                json.member("type", "stdio");
                writeCommand(json, "command", line);
            }
            case CLAUDE_DESKTOP,
                    CURSOR,
                    CODEX,
                    GEMINI_CLI,
                    WINDSURF,
                    ZED,
                    CLINE,
                    ROO,
                    LM_STUDIO,
                    JETBRAINS,
                    AMP,
                    WARP,
                    KIRO ->
                    writeCommand(json, "command", line);
        }
        if (host.rejectsDotsInNames()) {
            json.name("env").beginObject().member(ConfigReader.NAMES_VARIABLE, "safe").endObject();
        }
        return json.endObject().toJson();
    }

    private static List<String> commandLine(LaunchCommand program) {
        var line = new ArrayList<String>();
        String launcher = program.launcher().toString();
        String name = launcher.toLowerCase(Locale.ROOT);
        if (name.endsWith(".cmd") || name.endsWith(".bat")) {
            // Windows starts scripts only through its command interpreter.
            line.addAll(List.of("cmd", "/c"));
        }
        line.addAll(List.of(launcher, "stdio"));
        if (program.config() != null) {
            line.addAll(List.of("--config", program.config().toString()));
        }
        if (program.view() != null) {
            line.addAll(List.of("--view", program.view()));
        }
        return line;
    }

    private static void writeOpenCode(JsonWriter json, List<String> line) {
        json.member("type", "local").name("command");
        writeStrings(json, line);
        json.member("enabled", true);
    }

    private static void writeGoose(JsonWriter json, List<String> line) {
        json.member("enabled", true).member("type", "stdio").member("name", KEY);
        json.member("description", "All MCP servers of Patchbay");
        writeCommand(json, "cmd", line);
        json.member("timeout", GOOSE_TIMEOUT_SECONDS);
    }

    private static void writeCommand(JsonWriter json, String key, List<String> line) {
        json.member(key, line.getFirst()).name("args");
        writeStrings(json, line.subList(1, line.size()));
    }

    private static void writeStrings(JsonWriter json, List<String> texts) {
        json.beginArray();
        texts.forEach(json::string);
        json.endArray();
    }

    /** Whether an entry of a host starts Patchbay. */
    static boolean isStartedBy(SyntaxNode.ObjectNode entry, Format format) {
        return SelfReference.startsPatchbay(HostEntryShape.convert(entry, format).entry());
    }
}
