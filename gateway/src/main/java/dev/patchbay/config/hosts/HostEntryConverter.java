package dev.patchbay.config.hosts;

import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.HostEntryShape.CommonEntry;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
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

/** Converts a server entry of another program, and notes what is not imported. */
final class HostEntryConverter {
    /** The keys of Patchbay, in the order in which they are written. */
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

    /** Those whose values are texts. */
    private static final Set<String> TEXT_KEYS = Set.of("args", "env", "headers");

    private static final BigDecimal MILLIS_MIN = BigDecimal.valueOf(1_000);

    private static final Map<String, String> RENAMED_KEYS =
            Map.of(
                    "environment", "env",
                    "serverUrl", "url",
                    "httpUrl", "url",
                    "http_headers", "headers",
                    "workingDirectory", "cwd");

    /**
     * Tool lists of Codex, Gemini CLI, Kiro, Roo Code and GitHub Copilot, and the corresponding
     * filter key.
     */
    private static final Map<String, String> FILTER_KEYS =
            Map.of(
                    "enabled_tools", "include",
                    "disabled_tools", "exclude",
                    "includeTools", "include",
                    "excludeTools", "exclude",
                    "disabledTools", "exclude",
                    "tools", "include");

    /** Keys that only the other program uses; dropped without a note. */
    private static final Set<String> IGNORED_KEYS =
            Set.of("gallery", "version", "name", "id", "metadata", "_meta", "autostart");

    private final VariableTranslator variables;
    private final Map<String, SyntaxNode> members = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /** Converts an entry that is in the common structure already. */
    HostEntryConverter(CommonEntry common, Format format, VariableTranslator wording) {
        this.variables = wording;
        notes.addAll(common.notes());
        for (SyntaxNode.Member member : common.entry().members()) {
            String key = member.name().value();
            boolean converted =
                    convertTimeout(key, member.value())
                            || (format == Format.CODEX && convertCodexKey(key, member.value()));
            if (!converted) {
                convertKey(RENAMED_KEYS.getOrDefault(key, key), member.value());
            }
        }
    }

    /** Notes for the user. */
    List<String> notes() {
        var all = new ArrayList<>(notes);
        all.addAll(variables.notes());
        return all;
    }

    /** The converted definition, without empty arrays and objects. */
    Json definition() {
        var json = new JsonWriter().beginObject();
        for (String key : KEYS) {
            SyntaxNode value = members.get(key);
            if (value != null && !isEmpty(value)) {
                json.name(key);
                write(value, json);
            }
        }
        return json.endObject().toJson();
    }

    private void convertKey(String key, SyntaxNode value) {
        if (key.equals("disabled") && value instanceof SyntaxNode.BooleanNode disabled) {
            if (disabled.value()) {
                members.put("enabled", new SyntaxNode.BooleanNode(0, 0, false));
            }
        } else if (key.equals("enabled") && isTrue(value)) {
            // That is the default.
            members.remove("enabled");
        } else if (FILTER_KEYS.containsKey(key) && value instanceof SyntaxNode.ArrayNode names) {
            addToolFilter(FILTER_KEYS.getOrDefault(key, ""), names);
        } else if (key.equals("tools") && !isToolFilter(value)) {
            notes.add("tools is not imported");
        } else if (KEYS.contains(key)) {
            members.put(key, TEXT_KEYS.contains(key) ? withTexts(value) : value);
        } else if (key.equals("envFile")) {
            notes.add("envFile is not imported: put its variables into env");
        } else if (!IGNORED_KEYS.contains(key)) {
            notes.add(SanitizedText.sanitize(key) + " is not imported");
        }
    }

    private boolean convertTimeout(String key, SyntaxNode value) {
        switch (key) {
            case "timeout" -> putTimeout(value);
            case "startup_timeout_sec" -> putMillis("connectionTimeoutMs", value, 1000, 60_000);
            case HostEntryShape.START_TIMEOUT_MILLIS ->
                    putMillis("connectionTimeoutMs", value, 1, 60_000);
            case HostEntryShape.CALL_TIMEOUT_SECONDS ->
                    putMillis("requestTimeoutMs", value, 1000, 300_000);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Some programs count seconds, others milliseconds; nobody waits a millisecond. */
    private void putTimeout(SyntaxNode value) {
        boolean seconds =
                value instanceof SyntaxNode.NumberNode number
                        && number.digits().length() < 20
                        && new BigDecimal(number.digits()).compareTo(MILLIS_MIN) < 0;
        putMillis("requestTimeoutMs", value, seconds ? 1_000 : 1, 300_000);
    }

    /** The same with numbers and booleans as texts, which they become on the way to a program. */
    private static SyntaxNode withTexts(SyntaxNode value) {
        return switch (value) {
            case SyntaxNode.ObjectNode table ->
                    new SyntaxNode.ObjectNode(
                            table.from(),
                            table.to(),
                            table.members().stream()
                                    .map(
                                            it ->
                                                    new SyntaxNode.Member(
                                                            it.name(), asText(it.value()), -1))
                                    .toList());
            case SyntaxNode.ArrayNode list ->
                    new SyntaxNode.ArrayNode(
                            list.from(),
                            list.to(),
                            list.elements().stream().map(HostEntryConverter::asText).toList());
            default -> value;
        };
    }

    private static SyntaxNode asText(SyntaxNode value) {
        return switch (value) {
            case SyntaxNode.NumberNode number ->
                    new SyntaxNode.StringNode(number.from(), number.to(), number.digits());
            case SyntaxNode.BooleanNode flag ->
                    new SyntaxNode.StringNode(
                            flag.from(), flag.to(), Boolean.toString(flag.value()));
            default -> value;
        };
    }

    /** What others have under the name, such as how far each tool is trusted, is none of ours. */
    private static boolean isToolFilter(SyntaxNode value) {
        return value instanceof SyntaxNode.ObjectNode table
                && table.members().stream()
                        .allMatch(it -> FILTER_KEYS.containsValue(it.name().value()));
    }

    private void addToolFilter(String key, SyntaxNode.ArrayNode names) {
        var lists = new ArrayList<SyntaxNode.Member>();
        if (members.get("tools") instanceof SyntaxNode.ObjectNode others) {
            lists.addAll(others.members());
        }
        var own = names.elements().stream().map(HostEntryConverter::withoutToolArguments).toList();
        var list = new SyntaxNode.ArrayNode(0, 0, own);
        lists.add(new SyntaxNode.Member(new SyntaxNode.StringNode(0, 0, key), list, -1));
        members.put("tools", new SyntaxNode.ObjectNode(0, 0, lists));
    }

    /** Gemini CLI allows arguments in parentheses after a name, and ignores them. */
    private static SyntaxNode withoutToolArguments(SyntaxNode name) {
        return name instanceof SyntaxNode.StringNode text && text.value().indexOf('(') > 0
                ? new SyntaxNode.StringNode(
                        -1, -1, text.value().substring(0, text.value().indexOf('(')))
                : name;
    }

    private boolean convertCodexKey(String key, SyntaxNode value) {
        switch (key) {
            case "bearer_token_env_var" -> {
                if (value instanceof SyntaxNode.StringNode name) {
                    merge("headers", "Authorization", "Bearer ${" + name.value() + "}");
                }
            }
            case "env_http_headers" -> {
                if (value instanceof SyntaxNode.ObjectNode headers) {
                    for (SyntaxNode.Member header : headers.members()) {
                        if (header.value() instanceof SyntaxNode.StringNode name) {
                            merge("headers", header.name().value(), "${" + name.value() + "}");
                        }
                    }
                }
            }
            case "env_vars" -> {
                if (value instanceof SyntaxNode.ArrayNode names) {
                    for (SyntaxNode each : names.elements()) {
                        if (each instanceof SyntaxNode.StringNode name) {
                            merge("env", name.value(), "${" + name.value() + ":-}");
                        }
                    }
                }
            }
            case "http_headers" -> mergeAll("headers", value);
            case "env" -> mergeAll("env", value);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void mergeAll(String key, SyntaxNode value) {
        if (value instanceof SyntaxNode.ObjectNode table) {
            for (SyntaxNode.Member member : table.members()) {
                String text =
                        asText(member.value()) instanceof SyntaxNode.StringNode found
                                ? found.value()
                                : null;
                merge(key, member.name().value(), text == null ? "" : variables.translate(text));
            }
        }
    }

    /** Adds a value that needs no conversion. */
    private void merge(String key, String name, String text) {
        var all = new ArrayList<SyntaxNode.Member>();
        if (members.get(key) instanceof SyntaxNode.ObjectNode table) {
            all.addAll(table.members());
        }
        all.add(
                new SyntaxNode.Member(
                        new SyntaxNode.StringNode(0, 0, name),
                        new SyntaxNode.StringNode(-1, -1, text),
                        -1));
        members.put(key, new SyntaxNode.ObjectNode(0, 0, all));
    }

    private void putMillis(String key, SyntaxNode value, int factor, int max) {
        if (value instanceof SyntaxNode.NumberNode number && number.digits().length() < 20) {
            var millis = new BigDecimal(number.digits()).multiply(BigDecimal.valueOf(factor));
            var bound = millis.max(BigDecimal.valueOf(1_000)).min(BigDecimal.valueOf(max));
            String lexeme = bound.setScale(0, RoundingMode.HALF_UP).toPlainString();
            members.put(key, new SyntaxNode.NumberNode(0, 0, lexeme));
        }
    }

    private void write(SyntaxNode node, JsonWriter json) {
        switch (node) {
            case SyntaxNode.ObjectNode table -> {
                json.beginObject();
                for (SyntaxNode.Member member : table.members()) {
                    json.name(member.name().value());
                    write(member.value(), json);
                }
                json.endObject();
            }
            case SyntaxNode.ArrayNode sequence -> {
                json.beginArray();
                sequence.elements().forEach(element -> write(element, json));
                json.endArray();
            }
            case SyntaxNode.StringNode text ->
                    json.string(text.from() < 0 ? text.value() : variables.translate(text.value()));
            case SyntaxNode.NumberNode _,
                    SyntaxNode.BooleanNode _,
                    SyntaxNode.NullNode _,
                    SyntaxNode.InvalidNode _ ->
                    json.value(SyntaxNodeJson.toJson(node));
        }
    }

    private static boolean isTrue(SyntaxNode value) {
        return value instanceof SyntaxNode.BooleanNode flag && flag.value();
    }

    private static boolean isEmpty(@Nullable SyntaxNode node) {
        return (node instanceof SyntaxNode.ObjectNode table && table.members().isEmpty())
                || (node instanceof SyntaxNode.ArrayNode sequence && sequence.elements().isEmpty());
    }
}
