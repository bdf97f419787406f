package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/**
 * A thing that a session has defined.
 *
 * @param id the number of its snippet
 * @param kind import, type, method or variable
 * @param key what it shares with the definition that would replace it
 * @param type the type of a variable, the signature of a method, the sort of a type
 * @param isTemporary whether it only holds the value of an expression
 * @param missing what must be declared before it can be used
 */
public record Definition(
        String id,
        String kind,
        String name,
        String key,
        String type,
        String source,
        boolean isTemporary,
        List<String> missing) {
    /** What may be defined. */
    static final List<String> KINDS = List.of("variable", "method", "type", "import");

    static Definition from(Json json) {
        return new Definition(
                JsonFields.text(json, "id"),
                JsonFields.text(json, "kind"),
                JsonFields.text(json, "name"),
                JsonFields.text(json, "key"),
                JsonFields.text(json, "type"),
                JsonFields.text(json, "source"),
                JsonFields.isTrue(json, "temporary"),
                JsonFields.texts(json, "missing"));
    }

    /** In one line, without what it does. */
    String signature() {
        return switch (kind) {
            case "import" -> "import " + name;
            case "variable" -> type + " " + name;
            case "method" -> {
                int end = type.lastIndexOf(')') + 1;
                yield type.substring(end) + " " + name + type.substring(0, end);
            }
            default -> type + " " + name;
        };
    }

    /** As a new session needs it to define the same again. */
    void write(JsonWriter target) {
        target.beginObject().member("kind", kind).member("name", name);
        target.member("type", type).member("source", source).endObject();
    }
}
