package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.Members;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads which arguments of a tool are marked with {@code x-mcp-header} in its input schema. A mark
 * in a wrong place or with a wrong name makes the whole tool invalid over HTTP.
 */
public final class HeaderParams {
    private static final String MARK = "x-mcp-header";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    /** Members of a schema whose values are data, in which a mark means nothing. */
    private static final Set<String> DATA = Set.of("const", "default", "enum", "examples");

    /** Members of a schema that hold schemas by name. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");

    /** What a schema says of its headers. */
    public sealed interface Reading {
        /** The arguments that are marked, in their order; often none. */
        record Valid(List<HeaderParam> params) implements Reading {
            public Valid {
                params = List.copyOf(params);
            }
        }

        /** The marks break a rule. */
        record Invalid(String why) implements Reading {}
    }

    private static final Reading NONE = new Reading.Valid(List.of());

    private final List<HeaderParam> params = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private @Nullable String fault;

    private HeaderParams() {}

    public static Reading of(Json inputSchema) {
        if (!inputSchema.isObject() || !mayHaveMark(inputSchema)) {
            return NONE;
        }
        var reader = new HeaderParams();
        reader.schema(inputSchema, List.of());
        return reader.fault != null
                ? new Reading.Invalid(reader.fault)
                : new Reading.Valid(reader.params);
    }

    /** Nearly no schema has a mark, and most calls ask for it. */
    private static boolean mayHaveMark(Json schema) {
        int last = schema.length() - MARK.length();
        for (int at = 0; at <= last; at++) {
            byte c = schema.byteAt(at);
            if (c == '\\' || (c == 'x' && isMarkAt(schema, at))) {
                return true; // an escape may spell it
            }
        }
        return false;
    }

    private static boolean isMarkAt(Json schema, int at) {
        for (int i = 1; i < MARK.length(); i++) {
            if (schema.byteAt(at + i) != MARK.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Looks through a schema; the path is null where not only properties lead to it. */
    private void schema(Json schema, @Nullable List<String> path) {
        Members members = schema.walk();
        while (members.next()) {
            if (members.nameIs(MARK)) {
                mark(schema, members.value(), path);
            } else if (members.nameIs("properties") && members.value().isObject()) {
                properties(members.value(), path);
            } else {
                other(members.name(), members.value());
            }
        }
    }

    private void properties(Json properties, @Nullable List<String> path) {
        Members members = properties.walk();
        while (members.next()) {
            if (members.value().isObject()) {
                schema(members.value(), path == null ? null : longer(path, members.name()));
            }
        }
    }

    private static List<String> longer(List<String> path, String step) {
        var steps = new ArrayList<>(path);
        steps.add(step);
        return steps;
    }

    private void other(String name, Json value) {
        if (DATA.contains(name)) {
            return;
        }
        if (NAMED.contains(name) && value.isObject()) {
            properties(value, null);
        } else if (value.isObject()) {
            schema(value, null);
        } else if (value.isArray()) {
            value.elements().stream()
                    .filter(Json::isObject)
                    .forEach(element -> schema(element, null));
        }
    }

    private void mark(Json schema, Json mark, @Nullable List<String> path) {
        String type = schema.memberText("type");
        if (!mark.isString() || !isToken(mark.text())) {
            fault("is no name of a header");
        } else if (path == null || path.isEmpty()) {
            fault("stands where not only properties lead to it");
        } else if (type == null || !TYPES.contains(type)) {
            fault("stands on something that is no string, integer or boolean");
        } else if (!names.add(mark.text().toLowerCase(Locale.ROOT))) {
            fault("has the same name twice");
        } else {
            params.add(new HeaderParam(mark.text(), path));
        }
    }

    private void fault(String what) {
        if (fault == null) {
            fault = MARK + " " + what;
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
