package dev.patchbay.conformance.fleet;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What a JSON Schema says, as a text. Two schemas of MCP's kind that accept the same values have
 * the same text: order, descriptions and other ways to write the same make no difference.
 */
final class SchemaText {
    private static final Set<String> ANNOTATIONS =
            Set.of("description", "title", "default", "examples", "$comment");

    private SchemaText() {}

    static String of(JsonNode schema) {
        var keywords = new TreeMap<String, JsonNode>();
        schema.properties().forEach(it -> keywords.put(it.getKey(), it.getValue()));
        keywords.keySet().removeAll(ANNOTATIONS);
        if (schema.isBoolean()) {
            return schema.asBoolean() ? "any" : "never";
        }
        if (keywords.containsKey("const") || keywords.containsKey("enum")) {
            keywords.remove("type");
        }
        var parts = new TreeSet<String>();
        keywords.forEach((keyword, value) -> parts.add(part(schema, keyword, value)));
        parts.remove("");
        return parts.isEmpty() ? "any" : String.join(" & ", parts);
    }

    private static String part(JsonNode schema, String keyword, JsonNode value) {
        return switch (keyword) {
            case "$ref" -> lastSegment(value.asString());
            case "anyOf" -> either(texts(value));
            case "allOf" -> String.join(" & ", texts(value));
            case "const" -> value.toString();
            case "enum" -> either(elements(value).map(JsonNode::toString).toList());
            case "type" -> type(value);
            case "properties" -> members(value, schema.path("required"));
            case "required" -> schema.has("properties") ? "" : "required " + value;
            case "not" -> of(value).equals("any") ? "never" : "not " + of(value);
            case "additionalProperties" -> {
                String others = of(value);
                yield others.equals("any") ? "" : "others " + others;
            }
            case "items" -> "items (" + of(value) + ")";
            case "format", "minimum", "maximum", "maxItems" -> keyword + " " + value;
            default -> throw new AssertionError("Not understood: " + keyword + " in " + schema);
        };
    }

    private static String type(JsonNode value) {
        return value.isArray()
                ? either(elements(value).map(JsonNode::asString).toList())
                : value.asString();
    }

    private static String members(JsonNode properties, JsonNode required) {
        Set<String> names = elements(required).map(JsonNode::asString).collect(Collectors.toSet());
        var members = new TreeSet<String>();
        for (Map.Entry<String, JsonNode> member : properties.properties()) {
            String mark = names.contains(member.getKey()) ? ": " : "?: ";
            members.add(member.getKey() + mark + of(member.getValue()));
        }
        return members.isEmpty() ? "" : "{ " + String.join("; ", members) + " }";
    }

    private static Collection<String> texts(JsonNode schemas) {
        return elements(schemas).map(SchemaText::of).toList();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static String either(Collection<String> texts) {
        return texts.stream().sorted().distinct().collect(Collectors.joining(" | ", "(", ")"));
    }

    private static String lastSegment(String reference) {
        return Arrays.asList(reference.split("/")).getLast();
    }
}
