package dev.patchbay.config.hosts;

import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Brings the entries of hosts that have a structure of their own into the common one: {@code
 * command}, {@code args}, {@code env}, {@code url}, {@code headers}.
 */
final class HostEntryShape {
    /** Extensions of Goose that are no servers. */
    private static final Set<String> GOOSE_INTERNAL =
            Set.of("builtin", "platform", "frontend", "inline_python");

    /** What {@link HostEntryConverter} reads as the timeout of a call in seconds. */
    static final String CALL_TIMEOUT_SECONDS = "tool_timeout_sec";

    /** What {@link HostEntryConverter} reads as the timeout of the start in milliseconds. */
    static final String START_TIMEOUT_MILLIS = "startup_timeout_ms";

    /**
     * An entry in the common structure.
     *
     * @param unusable why there is no server to import; null if there is one
     */
    record CommonEntry(SyntaxNode.ObjectNode entry, List<String> notes, @Nullable String unusable) {
        CommonEntry {
            notes = List.copyOf(notes);
        }
    }

    private final Map<String, SyntaxNode> members = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final SyntaxNode.ObjectNode given;
    private @Nullable String unusable;

    private HostEntryShape(SyntaxNode.ObjectNode given) {
        this.given = given;
        given.members().forEach(it -> add(it.name().value(), it.value()));
    }

    /** Null stands for a member that is not there. */
    private void add(String name, SyntaxNode value) {
        if (!(value instanceof SyntaxNode.NullNode)) {
            members.putIfAbsent(name, value);
        }
    }

    static CommonEntry convert(SyntaxNode.ObjectNode entry, Format format) {
        var shape = new HostEntryShape(entry);
        switch (format) {
            case GOOSE -> shape.convertGoose();
            case CONTINUE -> shape.convertContinue();
            case ZED -> shape.convertZed();
            case OPENCODE -> shape.convertOpenCode();
            case CLINE -> shape.convertCline();
            case GEMINI -> shape.convertGemini();
            case AMP -> shape.members.remove("_target");
            case PLAIN, SHELL, COPILOT, EDITOR, VSCODE, VSCODE_SETTINGS, CLAUDE_STATE, CODEX -> {}
        }
        shape.rename("working_directory", "cwd");
        shape.splitCommand();
        return new CommonEntry(shape.entry(), shape.notes, shape.unusable);
    }

    private void convertGoose() {
        if (members.get("type") instanceof SyntaxNode.StringNode type) {
            if (GOOSE_INTERNAL.contains(type.value())) {
                unusable = "It is part of Goose and not an MCP server";
            }
            if (type.value().equals("streamable_http")) {
                put("type", "http");
            }
        }
        rename("cmd", "command");
        rename("uri", "url");
        rename("envs", "env");
        rename("timeout", CALL_TIMEOUT_SECONDS);
        if (members.get("available_tools") instanceof SyntaxNode.ArrayNode tools
                && tools.elements().isEmpty()) {
            // Goose means all of them.
            members.remove("available_tools");
        }
        rename("available_tools", "includeTools");
        List.of("bundled", "display_name").forEach(members::remove);
        if (members.remove("env_keys") instanceof SyntaxNode.ArrayNode keys) {
            keys.elements().forEach(this::addGooseSecret);
        }
    }

    /** Goose keeps the values of these variables in its own store. */
    private void addGooseSecret(SyntaxNode key) {
        if (key instanceof SyntaxNode.StringNode name && !has("env", name.value())) {
            if (members.containsKey("command")) {
                putInto("env", name.value(), "${secret:" + name.value() + "}");
            }
            String safe = SanitizedText.sanitize(name.value());
            notes.add("Goose keeps the value of " + safe + ": run patchbay secret set " + safe);
        }
    }

    private void convertContinue() {
        if (members.containsKey("uses")) {
            unusable = "It is a block of Continue's hub, whose definition is not in the file";
        }
        rename("connectionTimeout", START_TIMEOUT_MILLIS);
        List.of("serverName", "faviconUrl", "sourceFile").forEach(members::remove);
        if (members.remove("requestOptions") instanceof SyntaxNode.ObjectNode options) {
            for (SyntaxNode.Member option : options.members()) {
                if (option.name().value().equals("headers")) {
                    members.put("headers", option.value());
                } else {
                    notes.add(
                            "requestOptions.%s is not imported"
                                    .formatted(SanitizedText.sanitize(option.name().value())));
                }
            }
        }
    }

    private void convertZed() {
        if (members.get("command") instanceof SyntaxNode.ObjectNode command) {
            members.remove("command");
            command.members().forEach(it -> add(it.name().value(), it.value()));
            rename("path", "command");
        }
        if (!members.containsKey("command") && !members.containsKey("url")) {
            unusable = "It is an extension of Zed, and how it starts is not in the file";
        }
        rename("timeout", CALL_TIMEOUT_SECONDS);
        List.of("source", "remote", "settings").forEach(members::remove);
    }

    private void convertOpenCode() {
        rename("environment", "env");
        if (members.get("timeout") instanceof SyntaxNode.ObjectNode times) {
            members.remove("timeout");
            putIfPresent(START_TIMEOUT_MILLIS, times.value("startup"));
            putIfPresent("timeout", times.value("request"));
        }
        if (!members.containsKey("command") && !members.containsKey("url")) {
            unusable = "It only switches a server of the organization on or off";
        }
    }

    private void convertCline() {
        if (members.remove("transport") instanceof SyntaxNode.ObjectNode transport) {
            transport.members().forEach(it -> add(it.name().value(), it.value()));
        }
        if (members.remove("transportType") instanceof SyntaxNode.StringNode type) {
            members.putIfAbsent("type", type);
        }
        if (members.containsKey("url") && !members.containsKey("type")) {
            put("type", "sse");
        }
        rename("timeout", CALL_TIMEOUT_SECONDS);
    }

    /** In Gemini CLI, the key says which transport a URL has. */
    private void convertGemini() {
        if (members.containsKey("httpUrl")) {
            members.remove("url");
            rename("httpUrl", "url");
            put("type", "http");
        }
        if (members.containsKey("tcp")
                && !members.containsKey("command")
                && !members.containsKey("url")) {
            unusable = "Servers over WebSocket are not supported";
        }
        members.remove("extension");
    }

    private void splitCommand() {
        if (members.get("command") instanceof SyntaxNode.ArrayNode line
                && !line.elements().isEmpty()) {
            var words = new ArrayList<>(line.elements());
            members.put("command", words.removeFirst());
            if (members.get("args") instanceof SyntaxNode.ArrayNode more) {
                words.addAll(more.elements());
            }
            members.put("args", new SyntaxNode.ArrayNode(line.from(), line.to(), words));
        }
    }

    private boolean has(String table, String name) {
        return members.get(table) instanceof SyntaxNode.ObjectNode object
                && object.member(name) != null;
    }

    private void rename(String from, String to) {
        SyntaxNode value = members.remove(from);
        if (value != null) {
            members.putIfAbsent(to, value);
        }
    }

    private void put(String key, String value) {
        members.put(key, literal(value));
    }

    private void putIfPresent(String key, @Nullable SyntaxNode value) {
        if (value != null) {
            members.put(key, value);
        }
    }

    private void putInto(String table, String name, String value) {
        var all = new ArrayList<SyntaxNode.Member>();
        if (members.get(table) instanceof SyntaxNode.ObjectNode object) {
            all.addAll(object.members());
        }
        all.add(new SyntaxNode.Member(literal(name), literal(value), -1));
        members.put(table, new SyntaxNode.ObjectNode(0, 0, all));
    }

    /** A text in which no variables of the host are translated. */
    private static SyntaxNode.StringNode literal(String value) {
        return new SyntaxNode.StringNode(-1, -1, value);
    }

    private SyntaxNode.ObjectNode entry() {
        var all = new ArrayList<SyntaxNode.Member>();
        members.forEach((name, value) -> all.add(new SyntaxNode.Member(literal(name), value, -1)));
        return new SyntaxNode.ObjectNode(given.from(), given.to(), all);
    }
}
