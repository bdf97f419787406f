package dev.patchbay.config.syntax;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

/** Converts a syntax tree to plain JSON. */
public final class SyntaxNodeJson {
    private SyntaxNodeJson() {}

    public static Json toJson(SyntaxNode node) {
        var json = new JsonWriter();
        write(node, json);
        return json.toJson();
    }

    private static void write(SyntaxNode node, JsonWriter json) {
        switch (node) {
            case SyntaxNode.ObjectNode table -> {
                json.beginObject();
                for (SyntaxNode.Member member : table.members()) {
                    json.name(member.name().value());
                    write(member.value(), json);
                }
                json.endObject();
            }
            case SyntaxNode.ArrayNode sequence -> {
                json.beginArray();
                sequence.elements().forEach(element -> write(element, json));
                json.endArray();
            }
            case SyntaxNode.StringNode text -> json.string(text.value());
            case SyntaxNode.NumberNode number -> json.value(Json.of(number.digits()));
            case SyntaxNode.BooleanNode flag -> json.bool(flag.value());
            case SyntaxNode.NullNode _, SyntaxNode.InvalidNode _ -> json.value(Json.NULL);
        }
    }
}
