package dev.patchbay.app.cli;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses the arguments of a call from the command line. */
final class CallArguments {
    private CallArguments() {}

    /**
     * Combines the object of {@code --args} with the {@code KEY=VALUE} pairs.
     *
     * @param schema the tool's input schema, which decides whether {@code 5} is a number or a
     *     string
     */
    static Json parse(@Nullable String args, List<String> pairs, Json schema) {
        Map<String, Json> members = new LinkedHashMap<>();
        if (args != null) {
            Json given = parseJson(args, "--args");
            if (!given.isObject()) {
                throw new IllegalArgumentException("--args must be a JSON object");
            }
            given.members().forEach(member -> members.put(member.name(), member.value()));
        }
        pairs.forEach(pair -> putPair(members, pair, schema));
        var writer = new JsonWriter().beginObject();
        members.forEach((name, value) -> writer.name(name).value(value));
        return writer.endObject().toJson();
    }

    /**
     * Parses pairs whose values are all strings, as the arguments of prompts are.
     *
     * @throws IllegalArgumentException if one is not a pair
     */
    static Json parseTexts(List<String> pairs) {
        Map<String, String> members = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "'" + pair + "' is not an argument: write KEY=VALUE");
            }
            members.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        var writer = new JsonWriter().beginObject();
        members.forEach(writer::member);
        return writer.endObject().toJson();
    }

    private static void putPair(Map<String, Json> members, String pair, Json schema) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    "'" + pair + "' is not an argument: write KEY=VALUE or KEY:=JSON");
        }
        String value = pair.substring(equals + 1);
        if (pair.charAt(equals - 1) == ':') {
            String key = pair.substring(0, equals - 1);
            members.put(key, parseJson(value, key));
        } else {
            String key = pair.substring(0, equals);
            members.put(key, inferValue(value, schema, key));
        }
    }

    /** A string if the schema says so or does not say, else the value parsed as JSON. */
    private static Json inferValue(String value, Json schema, String key) {
        Json properties = schema.member("properties");
        Json property = properties == null ? null : properties.member(key);
        Json type = property == null ? null : property.member("type");
        if (type == null || type.isText("string")) {
            return Json.string(value);
        }
        try {
            return Json.parse(value.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException _) {
            return Json.string(value);
        }
    }

    private static Json parseJson(String text, String where) {
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            throw new IllegalArgumentException(where + " is not valid JSON: " + e.reason(), e);
        }
    }
}
