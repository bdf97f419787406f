package dev.patchbay.config;

import dev.patchbay.config.HostFile.Format;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The entry of another program in our own words, and what got lost. */
final class Translation {
    /** Our keys, in the order in which they are written. */
    private static final List<String> KEYS =
            List.of(
                    "type",
                    "command",
                    "args",
                    "env",
                    "cwd",
                    "url",
                    "headers",
                    "enabled",
                    "connectionTimeoutMs",
                    "requestTimeoutMs",
                    "maxRetries",
                    "era",
                    "tools",
                    "description",
                    "tags");

    private static final Map<String, String> RENAMED =
            Map.of(
                    "environment", "env",
                    "serverUrl", "url",
                    "httpUrl", "url",
                    "http_headers", "headers",
                    "workingDirectory", "cwd");

    /**
     * Lists of tools by name, and ours that says the same: of Codex, of Gemini CLI, of Kiro and Roo
     * Code, and of GitHub Copilot.
     */
    private static final Map<String, String> FILTERS =
            Map.of(
                    "enabled_tools", "include",
                    "disabled_tools", "exclude",
                    "includeTools", "include",
                    "excludeTools", "exclude",
                    "disabledTools", "exclude",
                    "tools", "include");

    /** What a program notes for itself; nobody misses it. */
    private static final Set<String> OWN_NOTES =
            Set.of("gallery", "version", "name", "id", "metadata", "_meta", "autostart");

    private final Wording wording;
    private final Map<String, Node> members = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    Translation(Node.Table entry, Format format, Wording wording) {
        this.wording = wording;
        for (Node.Member member : entry.members()) {
            String key = member.name().value();
            if (format != Format.CODEX || !fromCodex(key, member.value())) {
                take(RENAMED.getOrDefault(key, key), member.value());
            }
        }
    }

    /** What there is to say of it. */
    List<String> notes() {
        var all = new ArrayList<>(notes);
        all.addAll(wording.notes());
        return all;
    }

    /** The definition; empty lists and objects are left out. */
    Json definition() {
        var json = new JsonWriter().beginObject();
        for (String key : KEYS) {
            Node value = members.get(key);
            if (value != null && !isEmpty(value)) {
                json.name(key);
                write(value, json);
            }
        }
        return json.endObject().toJson();
    }

    private void take(String key, Node value) {
        if (key.equals("command") && value instanceof Node.Sequence line) {
            if (!line.elements().isEmpty()) {
                members.put("command", line.elements().getFirst());
                var rest = line.elements().subList(1, line.elements().size());
                members.put("args", new Node.Sequence(0, 0, rest));
            }
        } else if (key.equals("disabled") && value instanceof Node.Flag disabled) {
            if (disabled.value()) {
                members.put("enabled", new Node.Flag(0, 0, false));
            }
        } else if (FILTERS.containsKey(key) && value instanceof Node.Sequence names) {
            filter(FILTERS.getOrDefault(key, ""), names);
        } else if (key.equals("tools") && !isFilter(value)) {
            notes.add("tools is left out");
        } else if (KEYS.contains(key)) {
            members.put(key, value);
        } else if (key.equals("envFile")) {
            notes.add("envFile is left out: put its variables into env");
        } else if (!OWN_NOTES.contains(key)) {
            notes.add(Quoted.plain(key) + " is left out");
        }
    }

    /** What others have under the name, such as how far each tool is trusted, is none of ours. */
    private static boolean isFilter(Node value) {
        return value instanceof Node.Table table
                && table.members().stream()
                        .allMatch(it -> FILTERS.containsValue(it.name().value()));
    }

    private void filter(String key, Node.Sequence names) {
        var lists = new ArrayList<Node.Member>();
        if (members.get("tools") instanceof Node.Table others) {
            lists.addAll(others.members());
        }
        var own = names.elements().stream().map(Translation::toolName).toList();
        var list = new Node.Sequence(0, 0, own);
        lists.add(new Node.Member(new Node.Text(0, 0, key), list, -1));
        members.put("tools", new Node.Table(0, 0, lists));
    }

    /** Gemini CLI allows for arguments in brackets behind a name, which it ignores. */
    private static Node toolName(Node name) {
        return name instanceof Node.Text text && text.value().indexOf('(') > 0
                ? new Node.Text(-1, -1, text.value().substring(0, text.value().indexOf('(')))
                : name;
    }

    private boolean fromCodex(String key, Node value) {
        switch (key) {
            case "bearer_token_env_var" -> {
                if (value instanceof Node.Text name) {
                    merge("headers", "Authorization", "Bearer ${" + name.value() + "}");
                }
            }
            case "env_http_headers" -> {
                if (value instanceof Node.Table headers) {
                    for (Node.Member header : headers.members()) {
                        if (header.value() instanceof Node.Text name) {
                            merge("headers", header.name().value(), "${" + name.value() + "}");
                        }
                    }
                }
            }
            case "env_vars" -> {
                if (value instanceof Node.Sequence names) {
                    for (Node each : names.elements()) {
                        if (each instanceof Node.Text name) {
                            merge("env", name.value(), "${" + name.value() + ":-}");
                        }
                    }
                }
            }
            case "startup_timeout_sec" -> millis("connectionTimeoutMs", value, 1000, 60_000);
            case "startup_timeout_ms" -> millis("connectionTimeoutMs", value, 1, 60_000);
            case "tool_timeout_sec" -> millis("requestTimeoutMs", value, 1000, 300_000);
            case "http_headers" -> mergeAll("headers", value);
            case "env" -> mergeAll("env", value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void mergeAll(String key, Node value) {
        if (value instanceof Node.Table table) {
            for (Node.Member member : table.members()) {
                String text = member.value() instanceof Node.Text found ? found.value() : null;
                merge(key, member.name().value(), text == null ? "" : wording.of(text));
            }
        }
    }

    /** Adds a text that is in our own words already. */
    private void merge(String key, String name, String text) {
        var all = new ArrayList<Node.Member>();
        if (members.get(key) instanceof Node.Table table) {
            all.addAll(table.members());
        }
        all.add(new Node.Member(new Node.Text(0, 0, name), new Node.Text(-1, -1, text), -1));
        members.put(key, new Node.Table(0, 0, all));
    }

    private void millis(String key, Node value, int factor, int max) {
        if (value instanceof Node.Numeral number && number.lexeme().length() < 20) {
            var millis = new BigDecimal(number.lexeme()).multiply(BigDecimal.valueOf(factor));
            var bound = millis.max(BigDecimal.valueOf(1_000)).min(BigDecimal.valueOf(max));
            String lexeme = bound.setScale(0, RoundingMode.HALF_UP).toPlainString();
            members.put(key, new Node.Numeral(0, 0, lexeme));
        }
    }

    private void write(Node node, JsonWriter json) {
        switch (node) {
            case Node.Table table -> {
                json.beginObject();
                for (Node.Member member : table.members()) {
                    json.name(member.name().value());
                    write(member.value(), json);
                }
                json.endObject();
            }
            case Node.Sequence sequence -> {
                json.beginArray();
                sequence.elements().forEach(element -> write(element, json));
                json.endArray();
            }
            case Node.Text text ->
                    json.string(text.from() < 0 ? text.value() : wording.of(text.value()));
            case Node.Numeral _, Node.Flag _, Node.Null _, Node.Broken _ ->
                    json.value(NodeJson.of(node));
        }
    }

    private static boolean isEmpty(@Nullable Node node) {
        return (node instanceof Node.Table table && table.members().isEmpty())
                || (node instanceof Node.Sequence sequence && sequence.elements().isEmpty());
    }
}
