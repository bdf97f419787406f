package dev.patchbay.testkit;

import dev.patchbay.testkit.JsonTree.Member;
import dev.patchbay.testkit.JsonTree.Obj;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools of a {@link ScriptedServer} and what each does when it is called. */
final class ScriptedTools {
    private static final String ANY_OBJECT = "{\"type\":\"object\"}";
    private static final String TWO_NUMBERS =
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},"
                    + "\"b\":{\"type\":\"number\"}},\"required\":[\"a\",\"b\"]}";
    private static final String TASK = "task";
    private static final String BEHAVIOUR_KEY = "x-behaviour";

    private final ScriptedServerOptions options;

    ScriptedTools(ScriptedServerOptions options) {
        this.options = options;
    }

    /** A behaviour by name, and values for arguments a call does not give. */
    record Behaviour(String name, Map<String, String> defaults) {
        static Behaviour parse(String text) {
            String[] parts = text.split(":", -1);
            var defaults = new LinkedHashMap<String, String>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                defaults.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
            }
            return new Behaviour(parts[0], defaults);
        }
    }

    /** The definitions as JSON texts, in order. The file is read anew each time. */
    List<String> definitions() {
        var definitions = new ArrayList<String>();
        for (String entry : entries()) {
            String name = nameOf(entry);
            Behaviour behaviour = behaviourOf(entry);
            String definition = definition(name, behaviour.name());
            definitions.add(
                    behaviour.name().equals(TASK)
                            ? withTaskSupport(definition, behaviour)
                            : definition);
        }
        for (JsonTree tool : fileTools()) {
            definitions.add(withoutBehaviour(tool).write());
        }
        return definitions;
    }

    /** Whether a tool runs as a task. */
    boolean hasTasks() {
        return entries().stream().anyMatch(entry -> behaviourOf(entry).name().equals(TASK))
                || fileTools().stream()
                        .flatMap(tool -> tool.member(BEHAVIOUR_KEY).stream())
                        .anyMatch(it -> Behaviour.parse(it.asText()).name().equals(TASK));
    }

    private static String withTaskSupport(String definition, Behaviour behaviour) {
        boolean optional = behaviour.defaults().containsKey("optional");
        return definition.substring(0, definition.length() - 1)
                + ",\"execution\":{\"taskSupport\":\""
                + (optional ? "optional" : "required")
                + "\"}}";
    }

    /** What the tool does, or nothing if there is no such tool. */
    Optional<Behaviour> behaviour(String tool) {
        for (String entry : entries()) {
            if (nameOf(entry).equals(tool)) {
                return Optional.of(behaviourOf(entry));
            }
        }
        for (JsonTree candidate : fileTools()) {
            if (candidate.member("name").equals(Optional.of(new JsonTree.Str(tool)))) {
                Optional<JsonTree> given = candidate.member(BEHAVIOUR_KEY);
                return Optional.of(
                        Behaviour.parse(given.isPresent() ? given.get().asText() : tool));
            }
        }
        return Optional.empty();
    }

    static String definition(String name, String behaviour) {
        String schema = behaviour.equals("add") ? TWO_NUMBERS : ANY_OBJECT;
        return "{\"name\":"
                + StrictJson.quote(name)
                + ",\"description\":"
                + StrictJson.quote("Does " + behaviour)
                + ",\"inputSchema\":"
                + schema
                + "}";
    }

    private List<String> entries() {
        boolean filed = options.has("tools-file");
        var entries = new ArrayList<>(options.list("tools", filed ? "" : "echo,add"));
        for (int i = 1; i <= options.number("tool-count", 0); i++) {
            entries.add("tool" + i + "=echo");
        }
        return entries;
    }

    private static String nameOf(String entry) {
        int equals = entry.indexOf('=');
        return equals < 0 ? entry : entry.substring(0, equals);
    }

    private static Behaviour behaviourOf(String entry) {
        return Behaviour.parse(entry.substring(entry.indexOf('=') + 1));
    }

    private List<JsonTree> fileTools() {
        String file = options.text("tools-file", "");
        if (file.isEmpty()) {
            return List.of();
        }
        try {
            return StrictJson.parse(Files.readAllBytes(Path.of(file))).asList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonTree withoutBehaviour(JsonTree tool) {
        if (!(tool instanceof Obj object)) {
            return tool;
        }
        var members = new ArrayList<Member>();
        for (Member member : object.members()) {
            if (!member.name().equals(BEHAVIOUR_KEY)) {
                members.add(member);
            }
        }
        return new Obj(members);
    }
}
