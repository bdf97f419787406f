package dev.patchbay.conformance.wire;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a type in the notation that {@code message-types.txt} explains into a JSON Schema. */
final class SchemaNotation {
    /** Where a schema refers to another type. */
    static final String REFERENCE = "#/$defs/";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"[^\"]*\"|[A-Za-z_$][\\w$-]*|-?\\d+|\\(-?\\d*\\.\\.-?\\d*\\)"
                            + "|\\[(?:\\.\\.\\d+)?]|\\.\\.\\.|[{}();:?|&]");
    private static final Set<String> JSON_TYPES =
            Set.of("null", "boolean", "integer", "number", "string", "object");
    private static final Set<String> FORMATS = Set.of("uri", "uri-template", "byte");

    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private int position;

    private SchemaNotation(String text) {
        this.text = text;
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        while (token.find()) {
            require(text.substring(end, token.start()).isBlank());
            tokens.add(token.group());
            end = token.end();
        }
        require(text.substring(end).isBlank());
    }

    /** The JSON Schema of a type; other types are references below {@link #REFERENCE}. */
    static ObjectNode toJsonSchema(String type) {
        var notation = new SchemaNotation(type);
        ObjectNode schema = notation.alternatives();
        notation.require(notation.position == notation.tokens.size());
        return schema;
    }

    private ObjectNode alternatives() {
        return joined("|", "anyOf");
    }

    /** One operand, or several of them between which an operator stands. */
    private ObjectNode joined(String operator, String keyword) {
        ObjectNode first = operator.equals("|") ? joined("&", "allOf") : array();
        if (!isNext(operator)) {
            return first;
        }
        ArrayNode all = JSON.arrayNode().add(first);
        while (skip(operator)) {
            all.add(operator.equals("|") ? joined("&", "allOf") : array());
        }
        ObjectNode schema = JSON.objectNode();
        schema.set(keyword, all);
        return schema;
    }

    private ObjectNode array() {
        ObjectNode schema = single();
        while (position < tokens.size() && tokens.get(position).startsWith("[")) {
            String bound = next().replaceAll("[\\[\\].]", "");
            ObjectNode array = JSON.objectNode().put("type", "array");
            array.set("items", schema);
            if (!bound.isEmpty()) {
                array.put("maxItems", Integer.parseInt(bound));
            }
            schema = array;
        }
        return schema;
    }

    private ObjectNode single() {
        String token = next();
        if (token.equals("(")) {
            ObjectNode inner = alternatives();
            require(skip(")"));
            return inner;
        }
        if (token.equals("{")) {
            return object();
        }
        if (token.startsWith("\"")) {
            return JSON.objectNode().put("const", unquote(token));
        }
        if (token.matches("-?\\d+")) {
            return JSON.objectNode().put("const", Integer.parseInt(token));
        }
        return named(token);
    }

    private ObjectNode named(String word) {
        require(Character.isLetter(word.charAt(0)));
        ObjectNode schema = JSON.objectNode();
        if (JSON_TYPES.contains(word)) {
            schema.put("type", word);
            addBounds(schema);
        } else if (FORMATS.contains(word)) {
            schema.put("type", "string").put("format", word);
        } else if (word.equals("never")) {
            schema.set("not", JSON.objectNode());
        } else if (!word.equals("any")) {
            schema.put("$ref", REFERENCE + word);
        }
        return schema;
    }

    private void addBounds(ObjectNode schema) {
        if (position < tokens.size() && tokens.get(position).startsWith("(")) {
            String bounds = next();
            int dots = bounds.indexOf("..");
            String low = bounds.substring(1, dots);
            String high = bounds.substring(dots + 2, bounds.length() - 1);
            if (!low.isEmpty()) {
                schema.put("minimum", Integer.parseInt(low));
            }
            if (!high.isEmpty()) {
                schema.put("maximum", Integer.parseInt(high));
            }
        }
    }

    private ObjectNode object() {
        ObjectNode properties = JSON.objectNode();
        ArrayNode required = JSON.arrayNode();
        ObjectNode schema = JSON.objectNode().put("type", "object");
        do {
            String name = next();
            if (name.equals("...")) {
                require(skip(":"));
                schema.set("additionalProperties", alternatives());
            } else {
                boolean optional = skip("?");
                require(skip(":"));
                properties.set(unquote(name), alternatives());
                if (!optional) {
                    required.add(unquote(name));
                }
            }
        } while (skip(";"));
        require(skip("}"));
        schema.set("properties", properties);
        schema.set("required", required);
        return schema;
    }

    private static String unquote(String token) {
        return token.startsWith("\"") ? token.substring(1, token.length() - 1) : token;
    }

    private boolean isNext(String token) {
        return position < tokens.size() && tokens.get(position).equals(token);
    }

    private boolean skip(String token) {
        boolean found = isNext(token);
        if (found) {
            position++;
        }
        return found;
    }

    private String next() {
        require(position < tokens.size());
        return tokens.get(position++);
    }

    private void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("Not understood near token " + position + ": " + text);
        }
    }
}
