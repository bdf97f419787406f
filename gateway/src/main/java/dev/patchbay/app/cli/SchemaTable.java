package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** The properties of an object schema as a table. Properties of nested objects have rows, too. */
final class SchemaTable {
    private static final int DEPTH_MAX = 4;
    private static final int ROWS_MAX = 200;
    private static final int VALUES_SHOWN_MAX = 8;

    /** A property, under its path from the top. */
    record Row(String name, String type, boolean required, String description) {}

    private final List<Row> rows = new ArrayList<>();

    private SchemaTable() {}

    static List<Row> rows(Json schema) {
        var table = new SchemaTable();
        table.addProperties(SchemaNode.of(schema), "", 1);
        return table.rows;
    }

    static void print(Terminal terminal, String heading, List<Row> rows) {
        var table = new TextTable(heading, "TYPE", "REQUIRED", "DESCRIPTION");
        for (Row row : rows) {
            table.add(
                    TextTable.Cell.of(row.name(), terminal::bold),
                    TextTable.Cell.of(row.type()),
                    TextTable.Cell.of(row.required() ? "yes" : "no"),
                    TextTable.Cell.of(row.description()));
        }
        table.printWrapped(terminal);
    }

    private void addProperties(SchemaNode object, String prefix, int depth) {
        for (Map.Entry<String, SchemaNode> property : object.properties().entrySet()) {
            if (rows.size() >= ROWS_MAX) {
                return;
            }
            SchemaNode schema = property.getValue();
            String name = prefix + property.getKey();
            boolean required = object.required().contains(property.getKey());
            rows.add(new Row(name, type(schema, 1), required, description(schema)));
            if (depth < DEPTH_MAX) {
                addProperties(schema, name + ".", depth + 1);
                SchemaNode items = schema.child("items");
                if (items != null) {
                    addProperties(items, name + "[].", depth + 1);
                }
            }
        }
    }

    private static String type(SchemaNode schema, int depth) {
        Json constant = schema.keyword("const");
        if (constant != null) {
            return constant.toString();
        }
        List<Json> values = schema.list("enum");
        if (!values.isEmpty()) {
            return alternatives(values.stream().map(SchemaTable::shortForm).toList());
        }
        List<String> types = schema.types();
        if (types.isEmpty() && !schema.branches().isEmpty() && depth < DEPTH_MAX) {
            return alternatives(schema.branches().stream().map(it -> type(it, depth + 1)).toList());
        }
        SchemaNode items = schema.child("items");
        if (types.contains("array") && items != null && depth < DEPTH_MAX) {
            String element = type(items, depth + 1);
            types.set(
                    types.indexOf("array"),
                    (element.contains("|") ? "(" + element + ")" : element) + "[]");
        }
        return types.isEmpty() ? "any" : alternatives(types);
    }

    private static String alternatives(List<String> all) {
        var distinct = new ArrayList<>(new LinkedHashSet<>(all));
        int shown = Math.min(distinct.size(), VALUES_SHOWN_MAX);
        String text = String.join("|", distinct.subList(0, shown));
        return shown < distinct.size() ? text + "|…" : text;
    }

    private static String shortForm(Json value) {
        return value.isString() ? value.text() : value.toString();
    }

    private static String description(SchemaNode schema) {
        var limits = new StringJoiner(", ", " (", ")").setEmptyValue("");
        addLimit(limits, schema, "default", "default");
        addLimit(limits, schema, "minimum", "at least");
        addLimit(limits, schema, "exclusiveMinimum", "more than");
        addLimit(limits, schema, "maximum", "at most");
        addLimit(limits, schema, "exclusiveMaximum", "less than");
        addLimit(limits, schema, "minLength", "characters at least");
        addLimit(limits, schema, "maxLength", "characters at most");
        addLimit(limits, schema, "minItems", "elements at least");
        addLimit(limits, schema, "maxItems", "elements at most");
        addLimit(limits, schema, "format", "format");
        addLimit(limits, schema, "pattern", "pattern");
        String text =
                schema.text("description").isEmpty()
                        ? schema.text("title")
                        : schema.text("description");
        return (text + limits).strip();
    }

    private static void addLimit(
            StringJoiner limits, SchemaNode schema, String keyword, String label) {
        Json value = schema.keyword(keyword);
        if (value != null) {
            limits.add(label + " " + shortForm(value));
        }
    }
}
