package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;

import java.util.ArrayList;
import java.util.List;

/** The tools that look things up: classes, members, and what fits at a place in code. */
final class LookupTools {
    private static final int NAME_CHARS_MAX = 1_000;
    private static final int FOUND_DEFAULT = 50;
    private static final int FOUND_MAX = 500;
    private static final int SUGGESTIONS_SHOWN_MAX = 100;

    private final ReplSession session;

    LookupTools(ReplSession session) {
        this.session = session;
    }

    List<ReplTool> all() {
        return List.of(describe(), search(), complete());
    }

    private ReplTool describe() {
        return new ReplTool(
                "describe",
                "Describe a class or method",
                """
                Describes a class (declaration, documentation, members), a method with all its \
                overloads, a field, or something that the session has defined. Names may be \
                simple or full: "List", "java.util.List", "String.repeat", "Map.Entry". \
                Documentation comes from the JDK's src.zip or from a -sources.jar beside a jar.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text(
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

    private ReplToolResult described(String name) throws ReplException, InterruptedException {
        Json answer = session.describe(name);
        List<Json> found = JsonFields.elements(answer, "found");
        List<String> candidates = JsonFields.texts(answer, "candidates");
        if (found.isEmpty() && candidates.isEmpty()) {
            throw new ReplException(
                    "There is no class, member or definition " + name + ". Try search.");
        }
        var parts = new ArrayList<String>();
        found.forEach(one -> parts.add(described(one)));
        if (!candidates.isEmpty()) {
            parts.add(name + " may be any of:\n  " + String.join("\n  ", candidates));
        }
        JsonWriter structured = new JsonWriter().beginObject().name("found").beginArray();
        found.forEach(structured::value);
        InspectTools.writeStrings("candidates", candidates, structured.endArray());
        return ReplToolResult.of(String.join("\n\n", parts), structured);
    }

    private static String described(Json one) {
        var text = new StringBuilder(JsonFields.text(one, "signature"));
        text.append("\n  in ").append(JsonFields.text(one, "declaredIn"));
        String documentation = JsonFields.text(one, "documentation");
        if (!documentation.isEmpty()) {
            text.append("\n").append(documentation.indent(2).stripTrailing());
        }
        String source = JsonFields.text(one, "source");
        if (!source.isEmpty()) {
            text.append("\n").append(source);
        }
        List<String> members = JsonFields.texts(one, "members");
        if (!members.isEmpty()) {
            text.append("\nMembers:\n  ").append(String.join("\n  ", members));
        }
        return text.toString();
    }

    private ReplTool search() {
        return new ReplTool(
                "search",
                "Search classes by name",
                """
                Finds classes of the JDK and of the class path by a part of their name, in any \
                case, or by a pattern with * and ?. With a dot in it the full name is searched.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text(
                                "pattern", NAME_CHARS_MAX, "A part of a name, or a pattern."),
                        ToolParameter.integer(
                                "limit", 1, FOUND_MAX, "How many to list. Default 50.")),
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

    private static ReplToolResult found(Json answer) {
        List<Json> classes = JsonFields.elements(answer, "classes");
        long count = JsonFields.number(answer, "count");
        var lines = new ArrayList<String>();
        for (Json one : classes) {
            lines.add(JsonFields.text(one, "name") + "  (" + JsonFields.text(one, "origin") + ")");
        }
        if (count > classes.size()) {
            lines.add("… and " + (count - classes.size()) + " more");
        }
        JsonWriter structured = new JsonWriter().beginObject().member("count", count);
        structured.name("classes").beginArray();
        classes.forEach(structured::value);
        String text = lines.isEmpty() ? "No class has such a name." : String.join("\n", lines);
        return ReplToolResult.of(text, structured.endArray());
    }

    private ReplTool complete() {
        return new ReplTool(
                "complete",
                "Complete code at a position",
                """
                Lists what may stand at a position in Java code: variables, methods, classes, \
                packages; and the signatures of the method whose arguments are being written.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text("code", ReplSession.CODE_CHARS_MAX, "The code so far."),
                        ToolParameter.integer(
                                "position",
                                0,
                                ReplSession.CODE_CHARS_MAX,
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
                        throw new ReplException("position lies behind the code");
                    }
                    return completed(session.complete(code, (int) position));
                });
    }

    private static ReplToolResult completed(Json answer) {
        List<Json> suggestions = JsonFields.elements(answer, "suggestions");
        List<String> signatures = JsonFields.texts(answer, "signatures");
        var lines = new ArrayList<>(signatures);
        // Where an argument is wanted everything may stand; those of its type are worth reading.
        boolean fitting =
                !signatures.isEmpty()
                        && suggestions.stream().anyMatch(one -> JsonFields.isTrue(one, "fits"));
        List<String> shown =
                suggestions.stream()
                        .filter(one -> !fitting || JsonFields.isTrue(one, "fits"))
                        .limit(SUGGESTIONS_SHOWN_MAX)
                        .map(one -> JsonFields.text(one, "text"))
                        .toList();
        lines.addAll(shown);
        long hidden = JsonFields.number(answer, "count") - shown.size();
        if (hidden > 0) {
            lines.add("… and " + hidden + (fitting ? " of other types" : " more"));
        }
        JsonWriter structured = new JsonWriter().beginObject();
        structured.member("from", JsonFields.number(answer, "from"));
        structured.member("count", JsonFields.number(answer, "count"));
        structured.name("suggestions").beginArray();
        suggestions.forEach(structured::value);
        InspectTools.writeStrings("signatures", signatures, structured.endArray());
        String text = lines.isEmpty() ? "Nothing fits there." : String.join("\n", lines);
        return ReplToolResult.of(text, structured);
    }
}
