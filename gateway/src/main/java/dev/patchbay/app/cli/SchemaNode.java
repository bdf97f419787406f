package dev.patchbay.app.cli;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a JSON Schema, with references followed and {@code allOf} joined, for display.
 *
 * @param root the whole schema, to which references refer
 * @param parts the schemas that hold together; the first has precedence
 */
record SchemaNode(Json root, List<Json> parts) {
    private static final int PARTS_MAX = 16;
    private static final int CHOICES_MAX = 16;

    SchemaNode {
        parts = List.copyOf(parts);
    }

    static SchemaNode of(Json root) {
        return of(root, root);
    }

    private static SchemaNode of(Json root, Json schema) {
        var parts = new ArrayList<Json>();
        collect(root, schema, parts);
        return new SchemaNode(root, parts);
    }

    private static void collect(Json root, Json schema, List<Json> parts) {
        if (!schema.isObject() || parts.size() >= PARTS_MAX || parts.contains(schema)) {
            return;
        }
        parts.add(schema);
        String reference = schema.memberText("$ref");
        if (reference != null) {
            collect(root, target(root, reference), parts);
        }
        for (Json other : elements(schema.member("allOf"))) {
            collect(root, other, parts);
        }
    }

    /** The schema that a reference within the document leads to; an empty one if there is none. */
    private static Json target(Json root, String reference) {
        if (!reference.startsWith("#")) {
            return Json.EMPTY_OBJECT;
        }
        Json at = root;
        for (String step : reference.substring(1).split("/", -1)) {
            if (!step.isEmpty()) {
                Json next =
                        at.isObject()
                                ? at.member(step.replace("~1", "/").replace("~0", "~"))
                                : null;
                if (next == null) {
                    return Json.EMPTY_OBJECT;
                }
                at = next;
            }
        }
        return at;
    }

    private static List<Json> elements(@Nullable Json array) {
        return array == null || !array.isArray() ? List.of() : array.elements();
    }

    /** The first value of a keyword; null if it is absent. */
    @Nullable Json keyword(String name) {
        for (Json part : parts) {
            Json value = part.member(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /** The text of a keyword; empty if it is absent. */
    String text(String name) {
        Json value = keyword(name);
        return value != null && value.isString() ? value.text() : "";
    }

    List<Json> list(String name) {
        return elements(keyword(name));
    }

    /** The names of the allowed types, {@code null} last; empty if any type is allowed. */
    List<String> types() {
        Json type = keyword("type");
        var names = new ArrayList<String>();
        if (type != null && type.isString()) {
            names.add(type.text());
        }
        elements(type).stream().filter(Json::isString).forEach(it -> names.add(it.text()));
        if (names.isEmpty() && !properties().isEmpty()) {
            names.add("object");
        }
        if (names.remove("null")) {
            names.add("null");
        }
        return names;
    }

    /** The branches of {@code anyOf} or {@code oneOf}, each together with this schema. */
    List<SchemaNode> choices() {
        List<Json> branches = list("anyOf").isEmpty() ? list("oneOf") : list("anyOf");
        var choices = new ArrayList<SchemaNode>();
        for (Json branch : branches.subList(0, Math.min(branches.size(), CHOICES_MAX))) {
            var all = new ArrayList<Json>();
            collect(root, branch, all);
            all.addAll(parts);
            choices.add(new SchemaNode(root, all));
        }
        return choices;
    }

    /** The branches alone, as they are shown. */
    List<SchemaNode> branches() {
        List<Json> branches = list("anyOf").isEmpty() ? list("oneOf") : list("anyOf");
        return branches.stream().limit(CHOICES_MAX).map(it -> of(root, it)).toList();
    }

    Map<String, SchemaNode> properties() {
        var properties = new LinkedHashMap<String, SchemaNode>();
        for (Json part : parts) {
            Json members = part.member("properties");
            if (members != null && members.isObject()) {
                members.members()
                        .forEach(it -> properties.putIfAbsent(it.name(), of(root, it.value())));
            }
        }
        return properties;
    }

    Set<String> required() {
        var names = new LinkedHashSet<String>();
        for (Json part : parts) {
            elements(part.member("required")).stream()
                    .filter(Json::isString)
                    .forEach(it -> names.add(it.text()));
        }
        return names;
    }

    /** The schema of a keyword that holds one, such as {@code items}; null if it is absent. */
    @Nullable SchemaNode child(String keyword) {
        Json child = keyword(keyword);
        return child == null ? null : of(root, child);
    }

    /** The same document with another schema as the part to look at. */
    SchemaNode at(Json schema) {
        return of(root, schema);
    }
}
