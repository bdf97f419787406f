package dev.patchbay.config.syntax;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.TextPosition;

import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parses TOML to the same nodes as JSON, without positions. */
public final class TomlParser {
    private TomlParser() {}

    /** Parses the text to an object; null if it has errors, which are added. */
    public static SyntaxNode.@Nullable ObjectNode parse(String text, List<Finding> faults) {
        var result = Toml.parse(text);
        // The message of the library may quote the text and thus a secret.
        for (var error : result.errors()) {
            var place = new TextPosition(error.position().line(), error.position().column());
            faults.add(new Finding(Kind.SYNTAX, place, "", "Invalid TOML", "Fix it and try again"));
        }
        return result.hasErrors() ? null : toObject(result);
    }

    private static SyntaxNode.ObjectNode toObject(TomlTable table) {
        var members = new ArrayList<SyntaxNode.Member>();
        for (Map.Entry<String, Object> entry : table.entrySet()) {
            var name = new SyntaxNode.StringNode(0, 0, entry.getKey());
            members.add(new SyntaxNode.Member(name, toNode(entry.getValue()), -1));
        }
        return new SyntaxNode.ObjectNode(0, 0, List.copyOf(members));
    }

    private static SyntaxNode toNode(Object value) {
        return switch (value) {
            case TomlTable table -> toObject(table);
            case TomlArray array -> {
                var elements = new ArrayList<SyntaxNode>();
                for (int i = 0; i < array.size(); i++) {
                    elements.add(toNode(array.get(i)));
                }
                yield new SyntaxNode.ArrayNode(0, 0, List.copyOf(elements));
            }
            case Boolean flag -> new SyntaxNode.BooleanNode(0, 0, flag);
            case Long number -> new SyntaxNode.NumberNode(0, 0, number.toString());
            case Double number when Double.isFinite(number) ->
                    new SyntaxNode.NumberNode(0, 0, number.toString());
            case TemporalAccessor time -> new SyntaxNode.StringNode(0, 0, time.toString());
            default -> new SyntaxNode.StringNode(0, 0, value.toString());
        };
    }
}
