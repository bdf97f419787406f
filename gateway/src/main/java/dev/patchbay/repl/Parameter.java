package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/**
 * A parameter of a tool: what its schema says of it, and the check that the schema means.
 *
 * @param least the least number, or the least length of a text
 * @param greatest the greatest number, or the greatest length of a text
 * @param words what a choice is among
 */
record Parameter(
        String name,
        Kind kind,
        boolean isRequired,
        long least,
        long greatest,
        String description,
        List<String> words) {
    private static final int NUMBER_CHARS_MAX = 30;

    /** What an argument may be. */
    enum Kind {
        TEXT,
        CHOICE,
        INTEGER,
        FLAG,
        TEXTS
    }

    static Parameter text(String name, int charsMax, String description) {
        return new Parameter(name, Kind.TEXT, true, 0, charsMax, description, List.of());
    }

    /** One of these words, if any. */
    static Parameter choice(String name, List<String> words, String description) {
        return new Parameter(name, Kind.CHOICE, false, 0, 0, description, List.copyOf(words));
    }

    static Parameter integer(String name, long least, long greatest, String description) {
        return new Parameter(name, Kind.INTEGER, false, least, greatest, description, List.of());
    }

    static Parameter flag(String name, String description) {
        return new Parameter(name, Kind.FLAG, false, 0, 0, description, List.of());
    }

    static Parameter texts(String name, int charsMax, String description) {
        return new Parameter(name, Kind.TEXTS, false, 0, charsMax, description, List.of());
    }

    Parameter optional() {
        return new Parameter(name, kind, false, least, greatest, description, words);
    }

    /** Why a value is no argument for this; null if it is one. */
    @Nullable String fault(Json value) {
        return switch (kind) {
            case TEXT -> textFault(value);
            case CHOICE -> choiceFault(value);
            case INTEGER -> integerFault(value);
            case FLAG -> value.kind() == Json.Kind.BOOLEAN ? null : name + " must be true or false";
            case TEXTS -> textsFault(value);
        };
    }

    private @Nullable String textFault(Json value) {
        if (!value.isString()) {
            return name + " must be a string";
        }
        boolean fits = value.text().length() <= greatest;
        return fits ? null : name + " must not be longer than " + greatest + " characters";
    }

    private @Nullable String choiceFault(Json value) {
        boolean fits = value.isString() && words.contains(value.text());
        return fits ? null : name + " must be one of " + String.join(", ", words);
    }

    private @Nullable String textsFault(Json value) {
        boolean fits =
                value.isArray()
                        && value.length() <= greatest
                        && value.elements().stream().allMatch(Json::isString);
        return fits ? null : name + " must be an array of strings";
    }

    private @Nullable String integerFault(Json value) {
        if (!value.isNumber() || value.length() > NUMBER_CHARS_MAX) {
            return name + " must be an integer";
        }
        var number = new BigDecimal(value.toString());
        boolean whole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        boolean inside =
                number.compareTo(BigDecimal.valueOf(least)) >= 0
                        && number.compareTo(BigDecimal.valueOf(greatest)) <= 0;
        return whole && inside
                ? null
                : "%s must be an integer from %d to %d".formatted(name, least, greatest);
    }

    static Json schema(List<Parameter> parameters) {
        JsonWriter target = new JsonWriter().beginObject().member("type", "object");
        target.name("properties").beginObject();
        for (Parameter parameter : parameters) {
            target.name(parameter.name());
            parameter.write(target);
        }
        target.endObject();
        if (parameters.stream().anyMatch(Parameter::isRequired)) {
            target.name("required").beginArray();
            parameters.stream().filter(Parameter::isRequired).forEach(p -> target.string(p.name()));
            target.endArray();
        }
        return target.member("additionalProperties", false).endObject().toJson();
    }

    private void write(JsonWriter target) {
        target.beginObject();
        switch (kind) {
            case TEXT -> target.member("type", "string").member("maxLength", greatest);
            case CHOICE -> {
                target.member("type", "string").name("enum").beginArray();
                words.forEach(target::string);
                target.endArray();
            }
            case INTEGER ->
                    target.member("type", "integer")
                            .member("minimum", least)
                            .member("maximum", greatest);
            case FLAG -> target.member("type", "boolean");
            case TEXTS ->
                    target.member("type", "array")
                            .member("items", Json.of("{\"type\":\"string\"}"));
        }
        target.member("description", description).endObject();
    }
}
