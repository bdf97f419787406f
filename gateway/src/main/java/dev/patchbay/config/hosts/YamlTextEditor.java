package dev.patchbay.config.hosts;

import dev.patchbay.config.syntax.JsonLayout;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.YamlParser;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Adds and removes entries below one top-level key of a YAML text, and leaves every other byte as
 * it is. If the layout of the text does not allow that, the text is returned unchanged.
 */
final class YamlTextEditor {
    private static final String UNIT = "  ";

    /** Words that need no quotes and are not a number, a boolean or null. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9_./-]*");

    private static final Set<String> RESERVED =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private final String text;
    private final String key;
    private final String lineEnd;
    private final SyntaxNode.@Nullable Member section;

    YamlTextEditor(String text, String key) {
        this.text = text;
        this.key = key;
        lineEnd = JsonLayout.detect(text).lineEnd();
        SyntaxNode.ObjectNode root = YamlParser.parse(text, Set.of(key), new ArrayList<>());
        section = root == null ? null : root.member(key);
    }

    /** Adds an entry to a mapping; its name is the key. */
    String addMember(String name, Json definition) {
        String line = scalar(name) + ":" + lineEnd;
        return add(indent -> indent + line + members(definition, indent + UNIT));
    }

    /** Adds an entry to a sequence. */
    String addElement(Json definition) {
        return add(
                indent ->
                        indent
                                + "- "
                                + members(definition, indent + UNIT)
                                        .substring(indent.length() + UNIT.length()));
    }

    /** Writes an entry at an indentation, each line with its ending. */
    private interface EntryWriter {
        String write(String indent);
    }

    private String add(EntryWriter entry) {
        if (section == null) {
            String before = text.isEmpty() || endsWithLineEnd() ? text : text + lineEnd;
            return before + key + ":" + lineEnd + entry.write(UNIT);
        }
        SyntaxNode value = section.value();
        boolean isEmpty =
                value instanceof SyntaxNode.NullNode
                        || (value instanceof SyntaxNode.ObjectNode table
                                && table.members().isEmpty())
                        || (value instanceof SyntaxNode.ArrayNode list
                                && list.elements().isEmpty());
        if (isEmpty) {
            int colon = text.lastIndexOf(':', value.from());
            int end = afterLine(value.to());
            String rest = text.substring(value.to(), end);
            String line = text.substring(0, colon + 1) + rest;
            return withLineEnd(line) + entry.write(UNIT) + text.substring(end);
        }
        if (isFlow(value)) {
            return text;
        }
        int start = JsonLayout.lineStart(text, value.from());
        String indent = text.substring(start, value.from());
        int end = afterLine(value.to());
        return withLineEnd(text.substring(0, end)) + entry.write(indent) + text.substring(end);
    }

    private boolean isFlow(SyntaxNode value) {
        return "[{".indexOf(text.charAt(value.from())) >= 0;
    }

    /** The text without the entry, with an empty collection if it was the only one. */
    String remove(String name) {
        if (section == null) {
            return text;
        }
        return switch (section.value()) {
            case SyntaxNode.ObjectNode table when !isFlow(table) -> removeMember(table, name);
            case SyntaxNode.ArrayNode list when !isFlow(list) -> removeElement(list, name);
            default -> text;
        };
    }

    private String removeMember(SyntaxNode.ObjectNode table, String name) {
        SyntaxNode.Member member = table.member(name);
        if (member == null) {
            return text;
        }
        int to = Math.max(member.value().to(), member.name().to());
        return cut(member.name().from(), to, table.members().size() == 1 ? "{}" : null);
    }

    private String removeElement(SyntaxNode.ArrayNode list, String name) {
        for (SyntaxNode element : list.elements()) {
            if (element instanceof SyntaxNode.ObjectNode entry
                    && name.equals(serverName(entry))
                    && text.charAt(firstOfLine(entry.from())) == '-') {
                return cut(
                        firstOfLine(entry.from()),
                        entry.to(),
                        list.elements().size() == 1 ? "[]" : null);
            }
        }
        return text;
    }

    static @Nullable String serverName(SyntaxNode.ObjectNode entry) {
        return entry.value("name") instanceof SyntaxNode.StringNode name ? name.value() : null;
    }

    /** Removes whole lines, and writes an empty collection after the key if nothing is left. */
    private String cut(int from, int to, @Nullable String empty) {
        int start = JsonLayout.lineStart(text, from);
        String rest = text.substring(afterLine(to));
        if (empty == null) {
            return text.substring(0, start) + rest;
        }
        int colon = text.indexOf(':', Objects.requireNonNull(section, "has an entry").name().to());
        return text.substring(0, colon + 1) + " " + empty + text.substring(colon + 1, start) + rest;
    }

    private int firstOfLine(int offset) {
        int start = JsonLayout.lineStart(text, offset);
        return start + JsonLayout.indentAt(text, start).length();
    }

    /** The offset after the line that ends at or after an offset. */
    private int afterLine(int offset) {
        int end = offset;
        while (end < text.length() && !JsoncParser.isLineEnd(text.charAt(end))) {
            end++;
        }
        return Math.min(text.length(), end + (text.startsWith("\r\n", end) ? 2 : 1));
    }

    private boolean endsWithLineEnd() {
        return JsoncParser.isLineEnd(text.charAt(text.length() - 1));
    }

    private String withLineEnd(String start) {
        return JsoncParser.isLineEnd(start.charAt(start.length() - 1)) ? start : start + lineEnd;
    }

    private String members(Json table, String indent) {
        var out = new StringBuilder();
        for (Json.Member member : table.members()) {
            out.append(indent).append(scalar(member.name())).append(':');
            appendValue(out, member.value(), indent);
        }
        return out.toString();
    }

    private void appendValue(StringBuilder out, Json value, String indent) {
        boolean block =
                (value.isObject() && !value.members().isEmpty())
                        || (value.isArray() && !value.elements().isEmpty());
        if (!block) {
            out.append(' ').append(flow(value)).append(lineEnd);
        } else if (value.isObject()) {
            out.append(lineEnd).append(members(value, indent + UNIT));
        } else {
            out.append(lineEnd);
            for (Json element : value.elements()) {
                out.append(indent).append(UNIT).append("- ").append(flow(element)).append(lineEnd);
            }
        }
    }

    private static String flow(Json value) {
        return switch (value.kind()) {
            case STRING -> scalar(value.text());
            case NUMBER, BOOLEAN, NULL -> value.toString();
            // In YAML, JSON is a flow collection.
            case OBJECT, ARRAY -> JsonLayout.formatOnOneLine(value);
        };
    }

    private static String scalar(String value) {
        boolean plain =
                PLAIN.matcher(value).matches()
                        && !RESERVED.contains(value.toLowerCase(Locale.ROOT));
        // In double quotes, YAML has the escapes of JSON.
        return plain ? value : JsonLayout.quote(value);
    }

    /** The server list of a text as a mapping from names. */
    static SyntaxNode.ObjectNode byName(SyntaxNode.ArrayNode servers) {
        var members = new ArrayList<SyntaxNode.Member>();
        for (SyntaxNode element : servers.elements()) {
            String name = element instanceof SyntaxNode.ObjectNode entry ? serverName(entry) : null;
            var key =
                    new SyntaxNode.StringNode(
                            element.from(),
                            element.from(),
                            name == null ? "server-" + (members.size() + 1) : name);
            members.add(new SyntaxNode.Member(key, element, -1));
        }
        return new SyntaxNode.ObjectNode(servers.from(), servers.to(), List.copyOf(members));
    }
}
