package dev.patchbay.config;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** Makes plain JSON of a text with comments. */
final class NodeJson {
    private NodeJson() {}

    static Json of(Node node) {
        var json = new JsonWriter();
        write(node, json);
        return json.toJson();
    }

    private static void write(Node node, JsonWriter json) {
        switch (node) {
            case Node.Table table -> {
                json.beginObject();
                for (Node.Member member : table.members()) {
                    json.name(member.name().value());
                    write(member.value(), json);
                }
                json.endObject();
            }
            case Node.Sequence sequence -> {
                json.beginArray();
                sequence.elements().forEach(element -> write(element, json));
                json.endArray();
            }
            case Node.Text text -> json.string(text.value());
            case Node.Numeral number -> json.value(Json.of(number.lexeme()));
            case Node.Flag flag -> json.bool(flag.value());
            case Node.Null _, Node.Broken _ -> json.value(Json.NULL);
        }
    }
}
