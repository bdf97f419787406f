package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/**
 * A parameter of a tool: what its schema says of it, and the check that the schema means.
 *
 * @param min the least number, or the least length of a text
 * @param max the greatest number, or the greatest length of a text
 * @param choices what a choice is among
 */
record ToolParameter(
        String name,
        Kind kind,
        boolean isRequired,
        long min,
        long max,
        String description,
        List<String> choices) {
    private static final int NUMBER_CHARS_MAX = 30;

    /** What an argument may be. */
    enum Kind {
        TEXT,
        CHOICE,
        INTEGER,
        FLAG,
        TEXTS
    }

    static ToolParameter text(String name, int charsMax, String description) {
        return new ToolParameter(name, Kind.TEXT, true, 0, charsMax, description, List.of());
    }

    /** One of these words, if any. */
    static ToolParameter choice(String name, List<String> words, String description) {
        return new ToolParameter(name, Kind.CHOICE, false, 0, 0, description, List.copyOf(words));
    }

    static ToolParameter integer(String name, long least, long greatest, String description) {
        return new ToolParameter(
                name, Kind.INTEGER, false, least, greatest, description, List.of());
    }

    static ToolParameter flag(String name, String description) {
        return new ToolParameter(name, Kind.FLAG, false, 0, 0, description, List.of());
    }

    static ToolParameter texts(String name, int charsMax, String description) {
        return new ToolParameter(name, Kind.TEXTS, false, 0, charsMax, description, List.of());
    }

    ToolParameter optional() {
        return new ToolParameter(name, kind, false, min, max, description, choices);
    }

    /** Why a value is no argument for this; null if it is one. */
    @Nullable String validationError(Json value) {
        return switch (kind) {
            case TEXT -> textError(value);
            case CHOICE -> choiceError(value);
            case INTEGER -> integerError(value);
            case FLAG -> value.kind() == Json.Kind.BOOLEAN ? null : name + " must be true or false";
            case TEXTS -> textsError(value);
        };
    }

    private @Nullable String textError(Json value) {
        if (!value.isString()) {
            return name + " must be a string";
        }
        boolean fits = value.text().length() <= max;
        return fits ? null : name + " must not be longer than " + max + " characters";
    }

    private @Nullable String choiceError(Json value) {
        boolean fits = value.isString() && choices.contains(value.text());
        return fits ? null : name + " must be one of " + String.join(", ", choices);
    }

    private @Nullable String textsError(Json value) {
        boolean fits =
                value.isArray()
                        && value.length() <= max
                        && value.elements().stream().allMatch(Json::isString);
        return fits ? null : name + " must be an array of strings";
    }

    private @Nullable String integerError(Json value) {
        if (!value.isNumber() || value.length() > NUMBER_CHARS_MAX) {
            return name + " must be an integer";
        }
        var number = new BigDecimal(value.toString());
        boolean whole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        boolean inside =
                number.compareTo(BigDecimal.valueOf(min)) >= 0
                        && number.compareTo(BigDecimal.valueOf(max)) <= 0;
        return whole && inside
                ? null
                : "%s must be an integer from %d to %d".formatted(name, min, max);
    }

    static Json schema(List<ToolParameter> parameters) {
        JsonWriter target = new JsonWriter().beginObject().member("type", "object");
        target.name("properties").beginObject();
        for (ToolParameter parameter : parameters) {
            target.name(parameter.name());
            parameter.write(target);
        }
        target.endObject();
        if (parameters.stream().anyMatch(ToolParameter::isRequired)) {
            target.name("required").beginArray();
            parameters.stream()
                    .filter(ToolParameter::isRequired)
                    .forEach(p -> target.string(p.name()));
            target.endArray();
        }
        return target.member("additionalProperties", false).endObject().toJson();
    }

    private void write(JsonWriter target) {
        target.beginObject();
        switch (kind) {
            case TEXT -> target.member("type", "string").member("maxLength", max);
            case CHOICE -> {
                target.member("type", "string").name("enum").beginArray();
                choices.forEach(target::string);
                target.endArray();
            }
            case INTEGER ->
                    target.member("type", "integer").member("minimum", min).member("maximum", max);
            case FLAG -> target.member("type", "boolean");
            case TEXTS ->
                    target.member("type", "array")
                            .member("items", Json.of("{\"type\":\"string\"}"));
        }
        target.member("description", description).endObject();
    }
}
