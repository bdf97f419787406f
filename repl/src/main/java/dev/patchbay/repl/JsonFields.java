package dev.patchbay.repl;

import dev.patchbay.json.Json;

import java.util.List;

/** Members of an object, with a plain value where one is missing. */
final class JsonFields {
    private JsonFields() {}

    static String text(Json object, String name) {
        String text = object.memberText(name);
        return text == null ? "" : text;
    }

    static long number(Json object, String name) {
        Json number = object.member(name);
        return number == null ? 0 : number.asLong(0);
    }

    static boolean isTrue(Json object, String name) {
        Json value = object.member(name);
        return value != null && value.isTrue();
    }

    static List<Json> elements(Json object, String name) {
        Json array = object.member(name);
        return array == null || !array.isArray() ? List.of() : array.elements();
    }

    static List<String> texts(Json object, String name) {
        return elements(object, name).stream().filter(Json::isString).map(Json::text).toList();
    }
}
