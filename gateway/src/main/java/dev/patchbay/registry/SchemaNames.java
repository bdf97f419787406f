package dev.patchbay.registry;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Reads members of {@code server.json}. Older entries write {@code registry_type} instead of {@code
 * registryType}; both are read.
 */
final class SchemaNames {
    private SchemaNames() {}

    static @Nullable Json member(Json object, String name) {
        Json value = object.member(name);
        return value != null ? value : object.member(toSnakeCase(name));
    }

    private static String toSnakeCase(String name) {
        var snake = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                snake.append('_');
            }
            snake.append(Character.toLowerCase(c));
        }
        return snake.toString();
    }

    /** The text of a member; a number or a boolean counts as text; empty if it is absent. */
    static String text(Json object, String name) {
        Json value = member(object, name);
        if (value == null || value.isNull() || value.isObject() || value.isArray()) {
            return "";
        }
        return value.isString() ? value.text() : value.toString();
    }

    static boolean has(Json object, String name) {
        Json value = member(object, name);
        return value != null && !value.isNull();
    }

    static boolean isTrue(Json object, String name) {
        Json value = member(object, name);
        return value != null && value.isTrue();
    }

    static List<Json> list(Json object, String name) {
        Json value = member(object, name);
        return value == null || !value.isArray() ? List.of() : value.elements();
    }

    static Json object(Json object, String name) {
        Json value = member(object, name);
        return value == null || !value.isObject() ? Json.EMPTY_OBJECT : value;
    }
}
