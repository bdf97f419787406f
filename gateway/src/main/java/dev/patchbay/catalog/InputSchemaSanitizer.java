package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Member;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

/**
 * The rules for a tool's {@code inputSchema} that official clients hold the whole list to: an
 * object of {@code type} object, whose {@code properties} are objects and whose {@code required}
 * are names.
 */
final class InputSchemaSanitizer {
    private static final Json ANY_OBJECT = Json.of("{\"type\":\"object\"}");
    private static final Json OBJECT = Json.string("object");
    private static final Json MATCHES_NOTHING = Json.of("{\"not\":{}}");

    private InputSchemaSanitizer() {}

    /** What is wrong with a schema and cannot be repaired without changing what it says. */
    static @Nullable String defect(@Nullable Json schema) {
        if (schema == null) {
            return null;
        }
        if (!schema.isObject()) {
            return "Its inputSchema is not an object";
        }
        Json type = schema.member("type");
        if (type != null && !type.isText("object")) {
            return "The type of its inputSchema is not \"object\"";
        }
        Json properties = schema.member("properties");
        if (properties != null && !arePropertySchemas(properties)) {
            return "The properties of its inputSchema are no schemas";
        }
        Json required = schema.member("required");
        return required == null || areNames(required)
                ? null
                : "What its inputSchema requires is no list of names";
    }

    /** The schema, said so that every client takes it; it has no {@link #defect}. */
    static Json sanitize(@Nullable Json schema) {
        if (schema == null) {
            return ANY_OBJECT;
        }
        Json typed =
                schema.member("type") == null ? MemberPatch.with(schema, "type", OBJECT) : schema;
        Json properties = typed.member("properties");
        if (properties == null) {
            return typed;
        }
        Json mended = properties;
        for (Member property : properties.members()) {
            if (!property.value().isObject()) {
                Json same = property.value().isTrue() ? Json.EMPTY_OBJECT : MATCHES_NOTHING;
                mended = MemberPatch.with(mended, property.name(), same);
            }
        }
        return mended.equals(properties) ? typed : MemberPatch.with(typed, "properties", mended);
    }

    private static boolean arePropertySchemas(Json properties) {
        return properties.isObject()
                && properties.members().stream()
                        .map(Member::value)
                        .allMatch(it -> it.isObject() || it.kind() == Json.Kind.BOOLEAN);
    }

    private static boolean areNames(Json required) {
        return required.isArray() && required.elements().stream().allMatch(Json::isString);
    }
}
