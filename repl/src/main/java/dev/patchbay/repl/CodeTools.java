package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The tools that search compiled code: uses, methods by type, subtypes, and bytecode. */
final class CodeTools {
    private static final int NAME_CHARS_MAX = 1_000;
    private static final int FOUND_DEFAULT = 50;
    private static final int FOUND_MAX = 1_000;

    /** Longer than a scan may take, which tells what it has found by then. */
    private static final Duration SCAN_TIMEOUT = Duration.ofSeconds(90);

    private static final ToolParameter SCOPE =
            ToolParameter.choice(
                    "scope",
                    List.of("session", "classpath", "all"),
                    "session: the session's code; classpath: that and what was added to the class"
                            + " path (default); all: that and the JDK.");

    private static final ToolParameter LIMIT =
            ToolParameter.integer("limit", 1, FOUND_MAX, "How many to list. Default 50.");

    private static final String WALK_SCHEMA =
            """
            "omitted":{"type":"integer","description":"found but not listed"},
            "scannedClasses":{"type":"integer"},
            "complete":{"type":"boolean","description":"false if time ran out"},
            "problems":{"type":"array","items":{"type":"string"}}\
            """;

    private final ReplSession session;

    CodeTools(ReplSession session) {
        this.session = session;
    }

    List<ReplTool> all() {
        return List.of(uses(), methods(), subtypes(), bytecode());
    }

    private ReplTool uses() {
        return new ReplTool(
                "find_uses",
                "Find callers and uses",
                """
                Finds who calls a method, reads or writes a field, or uses a class, with counts, \
                from bytecode. Names: "Map.get", "String.indexOf(int)", "Foo.new" for a \
                constructor, "List", or a method or variable of the session. Calls through a \
                subclass that inherits the method count.\
                """,
                Effect.READ_ONLY,
                List.of(ToolParameter.text("name", NAME_CHARS_MAX, "What is used."), SCOPE, LIMIT),
                Json.of(
                        """
                        {"type":"object","properties":{"target":{"type":"string"},
                        "total":{"type":"integer"},"places":{"type":"integer"},
                        "uses":{"type":"array","items":{"type":"object","properties":{
                         "in":{"type":"string"},"how":{"type":"string"},
                         "count":{"type":"integer"},"line":{"type":"integer"},
                         "origin":{"type":"string"}},"required":["in","how","count","origin"]}},
                        "unresolved":{"type":"array","items":{"type":"string"},
                         "description":"classes that are not there, so that calls through them \
                        may be missing"},%s},
                        "required":["target","total","places","uses","omitted","complete"]}
                        """
                                .formatted(WALK_SCHEMA)),
                (arguments, progress) -> describeUses(query("uses", arguments)));
    }

    private static ReplToolResult describeUses(Json result) {
        var lines = new ArrayList<String>();
        lines.add(
                "%s: %,d uses in %,d places"
                        .formatted(
                                JsonFields.text(result, "target"),
                                JsonFields.number(result, "total"),
                                JsonFields.number(result, "places")));
        for (Json use : JsonFields.elements(result, "uses")) {
            long line = JsonFields.number(use, "line");
            lines.add(
                    "%5d  %-9s  %s%s  (%s)"
                            .formatted(
                                    JsonFields.number(use, "count"),
                                    JsonFields.text(use, "how"),
                                    JsonFields.text(use, "in"),
                                    line == 0 ? "" : ":" + line,
                                    JsonFields.text(use, "origin")));
        }
        List<String> unresolved = JsonFields.texts(result, "unresolved");
        if (!unresolved.isEmpty()) {
            lines.add("Not on the class path: " + String.join(", ", unresolved));
        }
        return finish(lines, result);
    }

    private ReplTool methods() {
        return new ReplTool(
                "find_methods",
                "Find methods by type",
                """
                Finds methods and constructors that take a type, return a type, or both: how to \
                make or use a value. Types as in Java, without type arguments: "Path", "byte[]".\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text("takes", NAME_CHARS_MAX, "A type among the parameters.")
                                .optional(),
                        ToolParameter.text("returns", NAME_CHARS_MAX, "The type returned.")
                                .optional(),
                        ToolParameter.text("name", NAME_CHARS_MAX, "A part of the method's name.")
                                .optional(),
                        SCOPE,
                        LIMIT),
                Json.of(
                        """
                        {"type":"object","properties":{"count":{"type":"integer"},
                        "methods":{"type":"array","items":{"type":"object","properties":{
                         "class":{"type":"string"},"signature":{"type":"string"},
                         "static":{"type":"boolean"},"origin":{"type":"string"}},
                         "required":["class","signature","static","origin"]}},
                        "hidden":{"type":"integer","description":"not public, so not listed"},%s},
                        "required":["count","methods","omitted","hidden","complete"]}
                        """
                                .formatted(WALK_SCHEMA)),
                (arguments, progress) -> describeMethods(query("methods", arguments)));
    }

    private static ReplToolResult describeMethods(Json result) {
        var lines = new ArrayList<String>();
        lines.add("%,d methods".formatted(JsonFields.number(result, "count")));
        for (Json method : JsonFields.elements(result, "methods")) {
            lines.add(
                    "  %s: %s%s"
                            .formatted(
                                    JsonFields.text(method, "class"),
                                    JsonFields.isTrue(method, "static") ? "static " : "",
                                    JsonFields.text(method, "signature")));
        }
        return finish(lines, result);
    }

    private ReplTool subtypes() {
        return new ReplTool(
                "find_subtypes",
                "Find subtypes",
                """
                Finds the types that extend or implement a type, directly or not. With concrete \
                true, only classes that can be instantiated.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text("name", NAME_CHARS_MAX, "A class or an interface."),
                        ToolParameter.flag("concrete", "Only concrete classes. Default false."),
                        SCOPE,
                        LIMIT),
                Json.of(
                        """
                        {"type":"object","properties":{"type":{"type":"string"},
                        "count":{"type":"integer"},
                        "subtypes":{"type":"array","items":{"type":"object","properties":{
                         "name":{"type":"string"},"kind":{"type":"string"},
                         "direct":{"type":"boolean"},"origin":{"type":"string"}},
                         "required":["name","kind","direct","origin"]}},
                        "hidden":{"type":"integer","description":"not public, so not listed"},%s},
                        "required":["type","count","subtypes","omitted","hidden","complete"]}
                        """
                                .formatted(WALK_SCHEMA)),
                (arguments, progress) -> describeSubtypes(query("subtypes", arguments)));
    }

    private static ReplToolResult describeSubtypes(Json result) {
        var lines = new ArrayList<String>();
        lines.add(
                "%s has %,d subtypes"
                        .formatted(
                                JsonFields.text(result, "type"),
                                JsonFields.number(result, "count")));
        for (Json one : JsonFields.elements(result, "subtypes")) {
            lines.add(
                    "  %s %s%s  (%s)"
                            .formatted(
                                    JsonFields.text(one, "kind"),
                                    JsonFields.text(one, "name"),
                                    JsonFields.isTrue(one, "direct") ? "" : " (indirect)",
                                    JsonFields.text(one, "origin")));
        }
        return finish(lines, result);
    }

    private ReplTool bytecode() {
        return new ReplTool(
                "bytecode",
                "Show bytecode",
                """
                Shows the bytecode of a method, or the compiled structure of a class: \
                declaration, fields and methods with private and compiler-made ones. Works for \
                the session, the class path and the JDK.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text(
                                "name", NAME_CHARS_MAX, "A class, Class.method, or a method.")),
                Json.of(
                        """
                        {"type":"object","properties":{"name":{"type":"string"},
                        "kind":{"type":"string","enum":["class","method"]},
                        "methods":{"type":"array","items":{"type":"object","properties":{
                         "signature":{"type":"string"},"codeBytes":{"type":"integer"},
                         "maxStack":{"type":"integer"},"maxLocals":{"type":"integer"},
                         "instructions":{"type":"array","items":{"type":"string"}},
                         "omitted":{"type":"integer"}},
                         "required":["signature","codeBytes","instructions","omitted"]}},
                        "declaration":{"type":"string"},"javaVersion":{"type":"integer"},
                        "classFileBytes":{"type":"integer"},
                        "fields":{"type":"array","items":{"type":"string"}},
                        "declaredMethods":{"type":"array","items":{"type":"string"}},
                        "omitted":{"type":"integer"}},"required":["name","kind"]}
                        """),
                (arguments, progress) -> describeBytecode(query("bytecode", arguments)));
    }

    private static ReplToolResult describeBytecode(Json result) {
        var lines = new ArrayList<String>();
        for (Json method : JsonFields.elements(result, "methods")) {
            lines.add(
                    "%s  // %d bytes"
                            .formatted(
                                    JsonFields.text(method, "signature"),
                                    JsonFields.number(method, "codeBytes")));
            lines.addAll(JsonFields.texts(method, "instructions"));
            addOmitted(method, lines);
        }
        String declaration = JsonFields.text(result, "declaration");
        if (!declaration.isEmpty()) {
            lines.add(
                    "%s  // Java %d, %,d bytes"
                            .formatted(
                                    declaration,
                                    JsonFields.number(result, "javaVersion"),
                                    JsonFields.number(result, "classFileBytes")));
            JsonFields.texts(result, "fields").forEach(it -> lines.add("  " + it));
            JsonFields.texts(result, "declaredMethods").forEach(it -> lines.add("  " + it));
        }
        addOmitted(result, lines);
        return ReplToolResult.of(String.join("\n", lines), result);
    }

    private Json query(String operation, ToolArguments arguments)
            throws ReplException, InterruptedException {
        return session.query(operation, request -> write(arguments, request), SCAN_TIMEOUT);
    }

    private static void write(ToolArguments arguments, JsonWriter request) {
        for (String name : List.of("name", "takes", "returns")) {
            request.member(name, arguments.text(name));
        }
        request.member("scope", arguments.has("scope") ? arguments.text("scope") : "classpath");
        request.member("limit", arguments.number("limit", FOUND_DEFAULT));
        request.member("concrete", arguments.bool("concrete", false));
    }

    /** Adds what was left out, and why. */
    private static ReplToolResult finish(List<String> lines, Json result) {
        addOmitted(result, lines);
        long hidden = JsonFields.number(result, "hidden");
        if (hidden > 0) {
            lines.add("Not listed, because not public: %,d".formatted(hidden));
        }
        lines.addAll(JsonFields.texts(result, "problems"));
        lines.add(
                "Scanned %,d classes%s."
                        .formatted(
                                JsonFields.number(result, "scannedClasses"),
                                JsonFields.isTrue(result, "complete")
                                        ? ""
                                        : "; not all, because time ran out"));
        return ReplToolResult.of(String.join("\n", lines), result);
    }

    private static void addOmitted(Json result, List<String> lines) {
        long omitted = JsonFields.number(result, "omitted");
        if (omitted > 0) {
            lines.add("… and %,d more".formatted(omitted));
        }
    }
}
