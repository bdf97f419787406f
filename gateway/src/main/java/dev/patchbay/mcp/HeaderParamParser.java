package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberCursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the arguments of a tool that have the annotation {@code x-mcp-header} in its input schema.
 * An annotation in a wrong place or with an invalid name makes the tool invalid over HTTP.
 */
public final class HeaderParamParser {
    private static final String ANNOTATION = "x-mcp-header";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    /** Keywords whose values are data, in which the annotation has no meaning. */
    private static final Set<String> DATA_KEYWORDS = Set.of("const", "default", "enum", "examples");

    /** Keywords whose values are schemas by name. */
    private static final Set<String> SCHEMA_MAP_KEYWORDS =
            Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");

    /** The result of parsing a schema. */
    public sealed interface ParseResult {
        /** The annotated arguments in their order; often none. */
        record Valid(List<HeaderParam> params) implements ParseResult {
            public Valid {
                params = List.copyOf(params);
            }
        }

        /** An annotation is invalid. */
        record Invalid(String reason) implements ParseResult {}
    }

    private static final ParseResult NONE = new ParseResult.Valid(List.of());

    private final List<HeaderParam> params = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private @Nullable String error;

    private HeaderParamParser() {}

    public static ParseResult parse(Json inputSchema) {
        if (!inputSchema.isObject() || !mayHaveAnnotation(inputSchema)) {
            return NONE;
        }
        var reader = new HeaderParamParser();
        reader.visitSchema(inputSchema, List.of());
        return reader.error != null
                ? new ParseResult.Invalid(reader.error)
                : new ParseResult.Valid(reader.params);
    }

    /** A quick check: nearly no schema has the annotation, and most calls ask for it. */
    private static boolean mayHaveAnnotation(Json schema) {
        int last = schema.length() - ANNOTATION.length();
        for (int at = 0; at <= last; at++) {
            byte c = schema.byteAt(at);
            if (c == '\\' || (c == 'x' && isAnnotationAt(schema, at))) {
                return true; // an escape may be part of it
            }
        }
        return false;
    }

    private static boolean isAnnotationAt(Json schema, int at) {
        for (int i = 1; i < ANNOTATION.length(); i++) {
            if (schema.byteAt(at + i) != ANNOTATION.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Visits a schema. The path is null if more than properties lead to it. */
    private void visitSchema(Json schema, @Nullable List<String> path) {
        MemberCursor members = schema.memberCursor();
        while (members.next()) {
            if (members.nameIs(ANNOTATION)) {
                addAnnotated(schema, members.value(), path);
            } else if (members.nameIs("properties") && members.value().isObject()) {
                visitProperties(members.value(), path);
            } else {
                visitKeyword(members.name(), members.value());
            }
        }
    }

    private void visitProperties(Json properties, @Nullable List<String> path) {
        MemberCursor members = properties.memberCursor();
        while (members.next()) {
            if (members.value().isObject()) {
                visitSchema(members.value(), path == null ? null : append(path, members.name()));
            }
        }
    }

    private static List<String> append(List<String> path, String step) {
        var steps = new ArrayList<>(path);
        steps.add(step);
        return steps;
    }

    private void visitKeyword(String name, Json value) {
        if (DATA_KEYWORDS.contains(name)) {
            return;
        }
        if (SCHEMA_MAP_KEYWORDS.contains(name) && value.isObject()) {
            visitProperties(value, null);
        } else if (value.isObject()) {
            visitSchema(value, null);
        } else if (value.isArray()) {
            value.elements().stream()
                    .filter(Json::isObject)
                    .forEach(element -> visitSchema(element, null));
        }
    }

    private void addAnnotated(Json schema, Json mark, @Nullable List<String> path) {
        String type = schema.memberText("type");
        if (!mark.isString() || !isToken(mark.text())) {
            error("is no name of a header");
        } else if (path == null || path.isEmpty()) {
            error("stands where not only properties lead to it");
        } else if (type == null || !TYPES.contains(type)) {
            error("stands on something that is no string, integer or boolean");
        } else if (!names.add(mark.text().toLowerCase(Locale.ROOT))) {
            error("has the same name twice");
        } else {
            params.add(new HeaderParam(mark.text(), path));
        }
    }

    private void error(String what) {
        if (error == null) {
            error = ANNOTATION + " " + what;
        }
    }

    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(
                                c ->
                                        (c >= '0' && c <= '9')
                                                || (c >= 'A' && c <= 'Z')
                                                || (c >= 'a' && c <= 'z')
                                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }
}
