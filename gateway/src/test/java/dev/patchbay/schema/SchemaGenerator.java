package dev.patchbay.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Values, and schemas made to accept them; everything follows from the seed. */
final class SchemaGenerator {
    private static final List<String> NAMES = List.of("a", "b", "c", "name", "x-y", "é");
    private static final List<String> TEXTS = List.of("", "a", "abc", "a.b", "ünï", "😀", "1");

    private final Random random;
    private int definitions;
    private final StringBuilder defs = new StringBuilder();

    SchemaGenerator(long seed) {
        random = new Random(seed);
    }

    /** A value of lists, maps, texts, numbers and booleans. */
    Object value(int depth) {
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> TEXTS.get(random.nextInt(TEXTS.size()));
            case 1 -> random.nextInt(-20, 20);
            case 2 -> random.nextInt(-40, 40) / 4.0;
            case 3 -> random.nextBoolean();
            case 4 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(depth - 1));
                }
                yield list;
            }
            default -> object(depth);
        };
    }

    Map<String, Object> object(int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            object.put(NAMES.get(random.nextInt(NAMES.size())), value(depth - 1));
        }
        return object;
    }

    static String json(Object value) {
        return switch (value) {
            case String text -> "\"" + text + "\"";
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> "\"" + entry.getKey() + "\":" + json(entry.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            case List<?> list ->
                    list.stream()
                            .map(SchemaGenerator::json)
                            .collect(Collectors.joining(",", "[", "]"));
            default -> value.toString();
        };
    }

    /** A schema of its own, with its definitions, that accepts the value. */
    String schemaFor(Object value) {
        defs.setLength(0);
        String schema = schema(value, 3);
        return "{\"allOf\":[" + schema + "],\"$defs\":{" + defs + "}}";
    }

    private String schema(Object value, int depth) {
        if (depth == 0) {
            return random.nextBoolean() ? "true" : "{}";
        }
        return switch (random.nextInt(9)) {
            case 0 -> "{\"anyOf\":[" + other(depth) + "," + schema(value, depth - 1) + "]}";
            case 1 -> {
                String twice = schema(value, depth - 1);
                yield "{\"allOf\":[" + twice + "," + schema(value, depth - 1) + "]}";
            }
            case 2 -> "{\"not\":{\"not\":" + schema(value, depth - 1) + "}}";
            case 3 -> "{\"if\":" + schema(value, depth - 1) + ",\"else\":false}";
            case 4 -> {
                int number = definitions++;
                String schema = schema(value, depth - 1);
                defs.append(defs.isEmpty() ? "" : ",");
                defs.append("\"d").append(number).append("\":").append(schema);
                yield "{\"$ref\":\"#/$defs/d" + number + "\"}";
            }
            default -> direct(value, depth);
        };
    }

    /** A schema for some other value, which may accept this one too. */
    private String other(int depth) {
        return schema(value(1), depth - 1);
    }

    private String direct(Object value, int depth) {
        return switch (value) {
            case String text -> text(text);
            case Integer number -> number(number, "integer");
            case Double number -> number(number, "number");
            case List<?> list -> array(list, depth);
            case Map<?, ?> map -> object(map, depth);
            default ->
                    random.nextBoolean() ? "{\"type\":\"boolean\"}" : "{\"const\":" + value + "}";
        };
    }

    private String text(String text) {
        int length = text.codePointCount(0, text.length());
        return switch (random.nextInt(4)) {
            case 0 -> "{\"type\":\"string\",\"minLength\":" + random.nextInt(length + 1) + "}";
            case 1 -> "{\"maxLength\":" + (length + random.nextInt(3)) + "}";
            case 2 -> "{\"enum\":[1,\"" + text + "\",\"zz\"]}";
            default -> "{\"pattern\":\"^" + text.replace(".", "[.]") + "$\"}";
        };
    }

    private String number(Number number, String type) {
        double value = number.doubleValue();
        return switch (random.nextInt(4)) {
            case 0 -> "{\"type\":[\"" + type + "\",\"null\"],\"minimum\":" + value + "}";
            case 1 -> "{\"exclusiveMaximum\":" + (value + 0.25) + ",\"type\":\"number\"}";
            case 2 -> "{\"const\":" + value + "}";
            default -> "{\"multipleOf\":0.25,\"maximum\":" + value + "}";
        };
    }

    private String array(List<?> list, int depth) {
        var words = new ArrayList<String>(List.of("\"type\":\"array\""));
        if (random.nextBoolean()) {
            words.add("\"minItems\":" + random.nextInt(list.size() + 1));
        }
        if (!list.isEmpty() && random.nextBoolean()) {
            int prefix = 1 + random.nextInt(list.size());
            words.add("\"prefixItems\":[" + schemas(list.subList(0, prefix), depth) + "]");
            if (prefix == list.size()) {
                words.add(random.nextBoolean() ? "\"items\":false" : "\"unevaluatedItems\":false");
            }
        } else if (!list.isEmpty()) {
            words.add("\"items\":{\"anyOf\":[" + schemas(list, depth) + "]}");
            words.add("\"contains\":" + schema(list.getFirst(), depth - 1));
        }
        return "{" + String.join(",", words) + "}";
    }

    private String schemas(List<?> values, int depth) {
        return values.stream()
                .map(value -> schema(value, depth - 1))
                .collect(Collectors.joining(","));
    }

    private String object(Map<?, ?> map, int depth) {
        var words = new ArrayList<String>();
        String properties =
                map.entrySet().stream()
                        .map(e -> "\"" + e.getKey() + "\":" + schema(e.getValue(), depth - 1))
                        .collect(Collectors.joining(",", "\"properties\":{", "}"));
        words.add(properties);
        switch (random.nextInt(5)) {
            case 0 -> words.add("\"additionalProperties\":false,\"type\":\"object\"");
            case 1 -> words.add("\"unevaluatedProperties\":false");
            case 2 -> words.add("\"maxProperties\":" + (map.size() + random.nextInt(2)));
            case 3 -> words.add("\"propertyNames\":{\"maxLength\":4}");
            default -> words.add("\"patternProperties\":{\"^zz\":false}");
        }
        if (random.nextBoolean()) {
            words.add(
                    map.keySet().stream()
                            .map(name -> "\"" + name + "\"")
                            .collect(Collectors.joining(",", "\"required\":[", "]")));
        }
        return "{" + String.join(",", words) + "}";
    }
}
