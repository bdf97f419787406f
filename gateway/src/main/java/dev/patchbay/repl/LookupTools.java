package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.Tool.Effect;

import java.util.ArrayList;
import java.util.List;

/** The tools that look things up: classes, members, and what fits at a place in code. */
final class LookupTools {
    private static final int NAME_CHARS_MAX = 1_000;
    private static final int FOUND_DEFAULT = 50;
    private static final int FOUND_MAX = 500;
    private static final int SUGGESTIONS_SHOWN_MAX = 100;

    private final Session session;

    LookupTools(Session session) {
        this.session = session;
    }

    List<Tool> all() {
        return List.of(describe(), search(), complete());
    }

    private Tool describe() {
        return new Tool(
                "describe",
                "Describe a class or method",
                """
                Describes a class (declaration, documentation, members), a method with all its \
                overloads, a field, or something that the session has defined. Names may be \
                simple or full: "List", "java.util.List", "String.repeat", "Map.Entry". \
                Documentation comes from the JDK's src.zip or from a -sources.jar beside a jar.\
                """,
                Effect.READS,
                List.of(
                        Parameter.text(
                                "name", NAME_CHARS_MAX, "A class, Class.member, or a definition.")),
                Json.of(
                        """
                        {"type":"object","properties":{
                        "found":{"type":"array","items":{"type":"object","properties":{
                         "kind":{"type":"string"},"signature":{"type":"string"},
                         "declaredIn":{"type":"string"},"documentation":{"type":"string"},
                         "source":{"type":"string"},
                         "members":{"type":"array","items":{"type":"string"}}},
                         "required":["kind","signature","declaredIn"]}},
                        "candidates":{"type":"array","items":{"type":"string"},
                         "description":"full names that the simple name may mean"}},
                        "required":["found","candidates"]}
                        """),
                (arguments, progress) -> described(arguments.text("name")));
    }

    private ToolAnswer described(String name) throws SessionException, InterruptedException {
        Json answer = session.describe(name);
        List<Json> found = Fields.elements(answer, "found");
        List<String> candidates = Fields.texts(answer, "candidates");
        if (found.isEmpty() && candidates.isEmpty()) {
            throw new SessionException(
                    "There is no class, member or definition " + name + ". Try search.");
        }
        var parts = new ArrayList<String>();
        found.forEach(one -> parts.add(described(one)));
        if (!candidates.isEmpty()) {
            parts.add(name + " may be any of:\n  " + String.join("\n  ", candidates));
        }
        JsonWriter structured = new JsonWriter().beginObject().name("found").beginArray();
        found.forEach(structured::value);
        InspectTools.array("candidates", candidates, structured.endArray());
        return ToolAnswer.of(String.join("\n\n", parts), structured);
    }

    private static String described(Json one) {
        var text = new StringBuilder(Fields.text(one, "signature"));
        text.append("\n  in ").append(Fields.text(one, "declaredIn"));
        String documentation = Fields.text(one, "documentation");
        if (!documentation.isEmpty()) {
            text.append("\n").append(documentation.indent(2).stripTrailing());
        }
        String source = Fields.text(one, "source");
        if (!source.isEmpty()) {
            text.append("\n").append(source);
        }
        List<String> members = Fields.texts(one, "members");
        if (!members.isEmpty()) {
            text.append("\nMembers:\n  ").append(String.join("\n  ", members));
        }
        return text.toString();
    }

    private Tool search() {
        return new Tool(
                "search",
                "Search classes by name",
                """
                Finds classes of the JDK and of the class path by a part of their name, in any \
                case, or by a pattern with * and ?. With a dot in it the full name is searched.\
                """,
                Effect.READS,
                List.of(
                        Parameter.text(
                                "pattern", NAME_CHARS_MAX, "A part of a name, or a pattern."),
                        Parameter.integer("limit", 1, FOUND_MAX, "How many to list. Default 50.")),
                Json.of(
                        """
                        {"type":"object","properties":{"count":{"type":"integer"},
                        "classes":{"type":"array","items":{"type":"object","properties":{
                         "name":{"type":"string"},"origin":{"type":"string"}},
                         "required":["name","origin"]}}},"required":["count","classes"]}
                        """),
                (arguments, progress) -> {
                    int limit = (int) arguments.number("limit", FOUND_DEFAULT);
                    return found(session.search(arguments.text("pattern"), limit));
                });
    }

    private static ToolAnswer found(Json answer) {
        List<Json> classes = Fields.elements(answer, "classes");
        long count = Fields.number(answer, "count");
        var lines = new ArrayList<String>();
        for (Json one : classes) {
            lines.add(Fields.text(one, "name") + "  (" + Fields.text(one, "origin") + ")");
        }
        if (count > classes.size()) {
            lines.add("… and " + (count - classes.size()) + " more");
        }
        JsonWriter structured = new JsonWriter().beginObject().member("count", count);
        structured.name("classes").beginArray();
        classes.forEach(structured::value);
        String text = lines.isEmpty() ? "No class has such a name." : String.join("\n", lines);
        return ToolAnswer.of(text, structured.endArray());
    }

    private Tool complete() {
        return new Tool(
                "complete",
                "Complete code at a position",
                """
                Lists what may stand at a position in Java code: variables, methods, classes, \
                packages; and the signatures of the method whose arguments are being written.\
                """,
                Effect.READS,
                List.of(
                        Parameter.text("code", Session.CODE_CHARS_MAX, "The code so far."),
                        Parameter.integer(
                                "position",
                                0,
                                Session.CODE_CHARS_MAX,
                                "The position in characters, from 0. Default: the end.")),
                Json.of(
                        """
                        {"type":"object","properties":{
                        "from":{"type":"integer","description":"where a suggestion begins"},
                        "count":{"type":"integer"},
                        "suggestions":{"type":"array","items":{"type":"object","properties":{
                         "text":{"type":"string"},"fits":{"type":"boolean",
                         "description":"whether it has the type that is wanted there"}},
                         "required":["text","fits"]}},
                        "signatures":{"type":"array","items":{"type":"string"}}},
                        "required":["from","count","suggestions","signatures"]}
                        """),
                (arguments, progress) -> {
                    String code = arguments.text("code");
                    long position = arguments.number("position", code.length());
                    if (position > code.length()) {
                        throw new SessionException("position lies behind the code");
                    }
                    return completed(session.complete(code, (int) position));
                });
    }

    private static ToolAnswer completed(Json answer) {
        List<Json> suggestions = Fields.elements(answer, "suggestions");
        List<String> signatures = Fields.texts(answer, "signatures");
        var lines = new ArrayList<>(signatures);
        // Where an argument is wanted everything may stand; those of its type are worth reading.
        boolean fitting =
                !signatures.isEmpty()
                        && suggestions.stream().anyMatch(one -> Fields.isTrue(one, "fits"));
        List<String> shown =
                suggestions.stream()
                        .filter(one -> !fitting || Fields.isTrue(one, "fits"))
                        .limit(SUGGESTIONS_SHOWN_MAX)
                        .map(one -> Fields.text(one, "text"))
                        .toList();
        lines.addAll(shown);
        long hidden = Fields.number(answer, "count") - shown.size();
        if (hidden > 0) {
            lines.add("… and " + hidden + (fitting ? " of other types" : " more"));
        }
        JsonWriter structured = new JsonWriter().beginObject();
        structured.member("from", Fields.number(answer, "from"));
        structured.member("count", Fields.number(answer, "count"));
        structured.name("suggestions").beginArray();
        suggestions.forEach(structured::value);
        InspectTools.array("signatures", signatures, structured.endArray());
        String text = lines.isEmpty() ? "Nothing fits there." : String.join("\n", lines);
        return ToolAnswer.of(text, structured);
    }
}
