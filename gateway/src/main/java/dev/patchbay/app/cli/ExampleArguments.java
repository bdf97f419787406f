package dev.patchbay.app.cli;

import dev.patchbay.config.ShellText;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.schema.CompilationResult;
import dev.patchbay.schema.InputSchema;
import dev.patchbay.schema.ValidationResult;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes valid example arguments from an input schema. Every example is checked against the schema,
 * so that one that is shown is accepted.
 */
final class ExampleArguments {
    private static final int DEPTH_MAX = 8;
    private static final int ITEMS_MAX = 10;
    private static final int LENGTH_MAX = 200;

    private final boolean withOptional;
    private final SchemaNode root;

    private ExampleArguments(SchemaNode root, boolean withOptional) {
        this.root = root;
        this.withOptional = withOptional;
    }

    /** Valid arguments with the required members; null if none were found. */
    static @Nullable Json of(Json schema) {
        if (!(InputSchema.compile(schema) instanceof CompilationResult.Compiled(var compiled))) {
            return null;
        }
        SchemaNode root = SchemaNode.of(schema);
        for (boolean all : List.of(false, true)) {
            for (SchemaNode start : withChoices(root)) {
                Json example = new ExampleArguments(root, all).object(start, 0);
                if (compiled.validate(example) instanceof ValidationResult.Valid) {
                    return example;
                }
            }
        }
        return null;
    }

    private static List<SchemaNode> withChoices(SchemaNode root) {
        var starts = new ArrayList<SchemaNode>();
        starts.add(root);
        starts.addAll(root.choices());
        return starts;
    }

    /** The command that calls a tool with these arguments. */
    static String command(String tool, Json arguments, Json schema) {
        var line = new StringBuilder("patchbay call " + ShellText.quote(tool));
        var pairs = new ArrayList<String>();
        for (Json.Member member : arguments.members()) {
            Json value = member.value();
            pairs.add(member.name() + "=" + (value.isString() ? value.text() : value.toString()));
        }
        if (isSame(arguments, pairs, schema)) {
            pairs.forEach(pair -> line.append(' ').append(ShellText.quote(pair)));
        } else {
            line.append(" --args ").append(ShellText.quote(arguments.toString()));
        }
        return line.toString();
    }

    private static boolean isSame(Json arguments, List<String> pairs, Json schema) {
        try {
            return CallArguments.parse(null, pairs, schema).equals(arguments);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private Json object(SchemaNode schema, int depth) {
        Map<String, SchemaNode> properties = schema.properties();
        var names = new ArrayList<>(schema.required());
        long least = number(schema, "minProperties", 0);
        for (String name : properties.keySet()) {
            boolean wanted = withOptional && depth == 0;
            if ((wanted || names.size() < least) && !names.contains(name)) {
                names.add(name);
            }
        }
        var members = new LinkedHashMap<String, Json>();
        SchemaNode others = schema.child("additionalProperties");
        for (String name : names) {
            SchemaNode property = properties.get(name);
            SchemaNode known = property == null ? others : property;
            members.put(name, known == null ? Json.string("text") : value(known, name, depth + 1));
        }
        var writer = new JsonWriter().beginObject();
        members.forEach(writer::member);
        return writer.endObject().toJson();
    }

    private Json value(SchemaNode schema, String name, int depth) {
        Json given = givenValue(schema);
        if (given != null) {
            return given;
        }
        if (depth > DEPTH_MAX) {
            return Json.NULL;
        }
        List<String> types = schema.types();
        if (types.isEmpty() || (types.contains("object") && schema.properties().isEmpty())) {
            for (SchemaNode choice : schema.choices()) {
                if (!choice.types().equals(List.of("null"))) {
                    return value(withoutChoices(choice), name, depth + 1);
                }
            }
        }
        return switch (types.isEmpty() ? "string" : types.getFirst()) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, name, depth);
            case "integer", "number" -> firstValid(schema, ExampleValues.numbers(schema));
            case "boolean" -> Json.TRUE;
            case "null" -> Json.NULL;
            default -> firstValid(schema, ExampleValues.texts(schema, name));
        };
    }

    /** The choice alone: its parts come first, so that the choices of the parent are not taken. */
    private static SchemaNode withoutChoices(SchemaNode choice) {
        List<Json> parts =
                choice.parts().stream()
                        .filter(it -> it.member("anyOf") == null && it.member("oneOf") == null)
                        .toList();
        return new SchemaNode(choice.root(), parts.isEmpty() ? choice.parts() : parts);
    }

    /** A value that the schema itself names. */
    private static @Nullable Json givenValue(SchemaNode schema) {
        Json constant = schema.keyword("const");
        if (constant != null) {
            return constant;
        }
        for (String keyword : List.of("examples", "enum")) {
            for (Json candidate : schema.list(keyword)) {
                if (!candidate.isNull() && isValid(schema, candidate)) {
                    return candidate;
                }
            }
        }
        Json usual = schema.keyword("default");
        return usual != null && !usual.isNull() && isValid(schema, usual) ? usual : null;
    }

    private Json array(SchemaNode schema, String name, int depth) {
        long least = number(schema, "minItems", 1);
        long most = number(schema, "maxItems", ITEMS_MAX);
        List<Json> first = schema.list("prefixItems");
        SchemaNode items = schema.child("items");
        long count = Math.clamp(Math.max(least, first.size()), 0, Math.min(most, ITEMS_MAX));
        var writer = new JsonWriter().beginArray();
        for (int i = 0; i < count; i++) {
            SchemaNode item = i < first.size() ? root.at(first.get(i)) : items;
            writer.value(item == null ? Json.string("text" + i) : value(item, name, depth + 1));
        }
        return writer.endArray().toJson();
    }

    private static Json firstValid(SchemaNode schema, List<Json> candidates) {
        for (Json candidate : candidates) {
            if (isValid(schema, candidate)) {
                return candidate;
            }
        }
        return candidates.getFirst();
    }

    /** Whether each part of the schema accepts a value; a part that cannot be used does. */
    private static boolean isValid(SchemaNode schema, Json value) {
        for (Json part : schema.parts()) {
            Json alone = inDocument(schema.root(), part);
            if (InputSchema.compile(alone) instanceof CompilationResult.Compiled(var compiled)
                    && compiled.validate(wrapped(value)) instanceof ValidationResult.Invalid) {
                return false;
            }
        }
        return true;
    }

    private static Json wrapped(Json value) {
        return new JsonWriter().beginObject().member("value", value).endObject().toJson();
    }

    /** A schema of an object whose member {@code value} has the given schema. */
    private static Json inDocument(Json root, Json part) {
        var writer = new JsonWriter().beginObject().member("type", "object");
        for (String shared : List.of("$schema", "$defs", "definitions")) {
            Json definitions = root.member(shared);
            if (definitions != null) {
                writer.member(shared, definitions);
            }
        }
        return writer.name("properties")
                .beginObject()
                .member("value", part)
                .endObject()
                .endObject()
                .toJson();
    }

    static long number(SchemaNode schema, String keyword, long other) {
        Json value = schema.keyword(keyword);
        return value == null || !value.isNumber()
                ? other
                : Math.clamp(value.asLong(other), 0, LENGTH_MAX);
    }
}
