package dev.patchbay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The knobs of a {@link ScriptedServer}, from its command line and its script file. */
final class ScriptedServerOptions {
    private static final Set<String> KNOWN =
            Set.of(
                    "script",
                    "name",
                    "mark-calls",
                    "ttl",
                    "scope",
                    "counter",
                    "traffic",
                    "era",
                    "versions",
                    "strict",
                    "capabilities",
                    "instructions",
                    "at",
                    "fail-starts",
                    "exit-code",
                    "exit",
                    "start-delay",
                    "die-after",
                    "tools",
                    "tool-count",
                    "tools-file",
                    "watch",
                    "resources",
                    "templates",
                    "prompts",
                    "page-size",
                    "cursor",
                    "storm",
                    "before",
                    "among",
                    "line-end",
                    "flood",
                    "stderr",
                    "stderr-flood",
                    "ignore-term",
                    "ignore-eof",
                    "grandchild",
                    "deaf",
                    "life-seconds");

    private final Map<String, String> values;

    private ScriptedServerOptions(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads {@code --key value} pairs; a key without a value is true. Flags win over the script.
     */
    static ScriptedServerOptions parse(String[] args) throws IOException {
        var flags = new HashMap<String, String>();
        for (int i = 0; i < args.length; i++) {
            if (!args[i].startsWith("--")) {
                throw new IllegalArgumentException("Expected --key, got " + args[i]);
            }
            String key = args[i].substring(2);
            boolean valued = i + 1 < args.length && !args[i + 1].startsWith("--");
            flags.put(requireKnown(key), valued ? args[++i] : "true");
        }
        var values = new HashMap<String, String>();
        if (flags.containsKey("script")) {
            values.putAll(readScript(Path.of(flags.getOrDefault("script", ""))));
        }
        values.putAll(flags);
        return new ScriptedServerOptions(values);
    }

    private static Map<String, String> readScript(Path file) throws IOException {
        var values = new HashMap<String, String>();
        if (!(StrictJson.parse(Files.readAllBytes(file)) instanceof JsonTree.Obj script)) {
            throw new IllegalArgumentException("The script must be an object: " + file);
        }
        for (JsonTree.Member member : script.members()) {
            values.put(requireKnown(member.name()), plainText(member.value()));
        }
        return values;
    }

    private static String plainText(JsonTree value) {
        if (value instanceof JsonTree.Str string) {
            return string.value();
        }
        if (value instanceof JsonTree.Arr array) {
            var items = new ArrayList<String>();
            for (JsonTree item : array.items()) {
                items.add(plainText(item));
            }
            return String.join(",", items);
        }
        return value.write();
    }

    private static String requireKnown(String key) {
        if (!KNOWN.contains(key)) {
            throw new IllegalArgumentException("Unknown option --" + key);
        }
        return key;
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    String text(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    int number(String key, int otherwise) {
        String value = values.get(key);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    boolean isSet(String key) {
        return text(key, "false").equals("true");
    }

    /** The items of a comma-separated value; a value that starts with a digit counts names up. */
    List<String> namesOrCount(String key, String stem) {
        String value = text(key, "");
        var names = new ArrayList<String>();
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            for (int i = 1; i <= Integer.parseInt(value); i++) {
                names.add(stem + i);
            }
        } else {
            names.addAll(list(key, ""));
        }
        return names;
    }

    List<String> list(String key, String otherwise) {
        String value = text(key, otherwise);
        return value.isEmpty() ? List.of() : List.of(value.split(",", -1));
    }
}
