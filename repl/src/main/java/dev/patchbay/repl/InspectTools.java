package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tools that tell something without changing anything. */
final class InspectTools {
    private static final int NAME_CHARS_MAX = 1_000;

    private final ReplSession session;

    InspectTools(ReplSession session) {
        this.session = session;
    }

    List<ReplTool> all() {
        return List.of(check(), definitions(), lastError());
    }

    private ReplTool check() {
        return new ReplTool(
                "check",
                "Check Java without running it",
                """
                Tells whether Java code is complete and compiles in this session, with the \
                compiler's messages by line and column. Nothing runs and nothing is defined.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text(
                                "code", ReplSession.CODE_CHARS_MAX, "The Java code to check.")),
                Json.of(
                        """
                        {"type":"object","properties":{
                        "valid":{"type":"boolean"},"complete":{"type":"boolean"},
                        "kinds":{"type":"array","items":{"type":"string"}},
                        "missing":{"type":"array","items":{"type":"string"},
                         "description":"what must be declared before the code can be used"},
                        "diagnostics":{"type":"array","items":{"type":"object"}}},
                        "required":["valid","complete","kinds","missing","diagnostics"]}
                        """),
                (arguments, progress) -> answer(session.check(arguments.text("code"))));
    }

    private static ReplToolResult answer(CodeCheckResult check) {
        var lines = new ArrayList<String>();
        if (check.isValid()) {
            lines.add("Compiles: " + String.join(", ", check.kinds()));
        } else {
            lines.add(check.isComplete() ? "Does not compile." : "Not complete: more must follow.");
        }
        check.diagnostics().forEach(diagnostic -> lines.add(diagnostic.toString()));
        if (!check.missing().isEmpty()) {
            lines.add("Not declared yet: " + String.join(", ", check.missing()));
        }
        JsonWriter structured = new JsonWriter().beginObject();
        structured.member("valid", check.isValid()).member("complete", check.isComplete());
        writeStrings("kinds", check.kinds(), structured);
        writeStrings("missing", check.missing(), structured);
        Diagnostic.writeAll(check.diagnostics(), structured);
        return ReplToolResult.of(String.join("\n", lines), structured);
    }

    static void writeStrings(String name, List<String> texts, JsonWriter target) {
        target.name(name).beginArray();
        texts.forEach(target::string);
        target.endArray();
    }

    private ReplTool definitions() {
        return new ReplTool(
                "definitions",
                "List what is defined",
                """
                Lists the variables with their values, methods, types and imports that the session \
                has defined. With source true, each with its source code.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.choice("kind", Definition.KINDS, "Only those of this kind."),
                        ToolParameter.text("name", NAME_CHARS_MAX, "Only those of this name.")
                                .optional(),
                        ToolParameter.flag(
                                "source", "Whether to show source code. Default false.")),
                Json.of(
                        """
                        {"type":"object","properties":{"definitions":{"type":"array","items":{
                        "type":"object","properties":{"kind":{"type":"string"},
                        "name":{"type":"string"},"signature":{"type":"string"},
                        "value":{"type":"string"},"source":{"type":"string"},
                        "missing":{"type":"array","items":{"type":"string"}}},
                        "required":["kind","name","signature"]}}},"required":["definitions"]}
                        """),
                this::definitions);
    }

    private ReplToolResult definitions(ToolArguments arguments, ProgressListener progress)
            throws ReplException, InterruptedException {
        ReplSession.DefinitionList listing = session.definitions();
        boolean source = arguments.bool("source", false);
        var lines = new ArrayList<String>();
        JsonWriter structured = new JsonWriter().beginObject().name("definitions").beginArray();
        for (Definition definition : listing.definitions()) {
            if (isWanted(definition, arguments)) {
                write(definition, listing.values(), source, structured);
                lines.add(line(definition, listing.values(), source));
            }
        }
        structured.endArray();
        String none =
                listing.definitions().isEmpty()
                        ? "Nothing is defined."
                        : "Nothing such is defined.";
        String text = lines.isEmpty() ? none : String.join("\n", lines);
        return ReplToolResult.of(text, structured);
    }

    private static boolean isWanted(Definition definition, ToolArguments arguments) {
        return (!arguments.has("kind") || definition.kind().equals(arguments.text("kind")))
                && (!arguments.has("name") || definition.name().equals(arguments.text("name")));
    }

    private static String line(
            Definition definition, Map<String, String> values, boolean withSource) {
        if (withSource) {
            return "// snippet " + definition.id() + "\n" + definition.source();
        }
        String value = values.get(definition.id());
        String needs =
                definition.missing().isEmpty()
                        ? ""
                        : "  (needs " + String.join(", ", definition.missing()) + ")";
        return definition.signature() + (value == null ? "" : " = " + value) + needs;
    }

    private static void write(
            Definition definition,
            Map<String, String> values,
            boolean withSource,
            JsonWriter target) {
        target.beginObject();
        target.member("kind", definition.kind()).member("name", definition.name());
        target.member("signature", definition.signature());
        String value = values.get(definition.id());
        if (value != null) {
            target.member("value", value);
        }
        if (withSource) {
            target.member("source", definition.source());
        }
        if (!definition.missing().isEmpty()) {
            writeStrings("missing", definition.missing(), target);
        }
        target.endObject();
    }

    private ReplTool lastError() {
        return new ReplTool(
                "last_error",
                "Show the last exception",
                """
                Shows the exception that ended an evaluation last, in full: class, message, all \
                frames with snippets by number and line, and the causes.\
                """,
                Effect.READ_ONLY,
                List.of(),
                Json.of(
                        """
                        {"type":"object","properties":{"found":{"type":"boolean"},
                        "error":{"type":"object"}},"required":["found"]}
                        """),
                (arguments, progress) -> {
                    JsonWriter structured = new JsonWriter().beginObject();
                    var error = session.lastError();
                    structured.member("found", error.isPresent());
                    error.ifPresent(report -> report.write(structured.name("error")));
                    String text = error.map(ErrorReport::fullText).orElse("No evaluation threw.");
                    return ReplToolResult.of(text, structured);
                });
    }
}
