package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;

import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads TOML into the same values as JSON. Their places are not kept. */
final class TomlNodes {
    private TomlNodes() {}

    /** The whole text as an object; null after adding its faults. */
    static Node.@Nullable Table read(String text, List<Finding> faults) {
        var result = Toml.parse(text);
        // The parser's own words may quote the text, and with it a secret.
        for (var error : result.errors()) {
            var place = new Place(error.position().line(), error.position().column());
            faults.add(
                    new Finding(
                            Kind.SYNTAX, place, "", "This is no TOML", "Mend it, then try again"));
        }
        return result.hasErrors() ? null : table(result);
    }

    private static Node.Table table(TomlTable table) {
        var members = new ArrayList<Node.Member>();
        for (Map.Entry<String, Object> entry : table.entrySet()) {
            var name = new Node.Text(0, 0, entry.getKey());
            members.add(new Node.Member(name, node(entry.getValue()), -1));
        }
        return new Node.Table(0, 0, List.copyOf(members));
    }

    private static Node node(Object value) {
        return switch (value) {
            case TomlTable table -> table(table);
            case TomlArray array -> {
                var elements = new ArrayList<Node>();
                for (int i = 0; i < array.size(); i++) {
                    elements.add(node(array.get(i)));
                }
                yield new Node.Sequence(0, 0, List.copyOf(elements));
            }
            case Boolean flag -> new Node.Flag(0, 0, flag);
            case Long number -> new Node.Numeral(0, 0, number.toString());
            case Double number when Double.isFinite(number) ->
                    new Node.Numeral(0, 0, number.toString());
            case TemporalAccessor time -> new Node.Text(0, 0, time.toString());
            default -> new Node.Text(0, 0, value.toString());
        };
    }
}
