package dev.patchbay.config.hosts;

import dev.patchbay.config.syntax.JsonLayout;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.json.Json;

import org.tomlj.Toml;

import java.util.ArrayList;
import java.util.List;

/** Changes tables of a TOML text and leaves every other byte as it is. */
final class TomlTextEditor {
    /** A table: the offsets of its header and of the end of its last line with content. */
    private record TableSpan(List<String> path, int from, int to) {}

    private final String text;
    private int offset;

    private TomlTextEditor(String text) {
        this.text = text;
    }

    /** The text with a table added at the end. */
    static String addTable(String text, List<String> path, Json members) {
        String lineEnd = JsonLayout.detect(text).lineEnd();
        var out = new StringBuilder(text);
        if (!text.isEmpty()) {
            out.append(text.endsWith("\n") ? "" : lineEnd).append(lineEnd);
        }
        out.append('[').append(Toml.joinKeyPath(path)).append(']').append(lineEnd);
        for (Json.Member member : members.members()) {
            String key = Toml.joinKeyPath(List.of(member.name()));
            out.append(key).append(" = ").append(formatValue(member.value())).append(lineEnd);
        }
        return out.toString();
    }

    /** The text without a table and its subtables. */
    static String removeTable(String text, List<String> path) {
        var out = new StringBuilder();
        int at = 0;
        for (TableSpan span : new TomlTextEditor(text).findTables()) {
            if (span.path().size() >= path.size()
                    && span.path().subList(0, path.size()).equals(path)) {
                out.append(text, at, span.from());
                at = span.to();
                removeTrailingEmptyLine(out);
            }
        }
        return out.append(text, at, text.length()).toString();
    }

    /** Removes the empty line that separated the table from the one before it. */
    private static void removeTrailingEmptyLine(StringBuilder out) {
        for (String empty : List.of("\r\n\r\n", "\n\n")) {
            if (out.length() >= empty.length()
                    && out.substring(out.length() - empty.length()).equals(empty)) {
                out.setLength(out.length() - empty.length() / 2);
                return;
            }
        }
    }

    private static String formatValue(Json value) {
        return switch (value.kind()) {
            case ARRAY -> {
                var parts = value.elements().stream().map(TomlTextEditor::formatValue).toList();
                yield "[" + String.join(", ", parts) + "]";
            }
            case OBJECT -> {
                var parts = new ArrayList<String>();
                for (Json.Member member : value.members()) {
                    parts.add(
                            Toml.joinKeyPath(List.of(member.name()))
                                    + " = "
                                    + formatValue(member.value()));
                }
                yield parts.isEmpty() ? "{}" : "{ " + String.join(", ", parts) + " }";
            }
            // TOML has the same escapes as JSON.
            case STRING -> JsonLayout.quote(value.text());
            case NUMBER, BOOLEAN -> value.toString();
            case NULL -> "\"\"";
        };
    }

    private List<TableSpan> findTables() {
        var spans = new ArrayList<TableSpan>();
        while (offset < text.length()) {
            int start = offset;
            offset += JsonLayout.indentAt(text, offset).length();
            char c = offset < text.length() ? text.charAt(offset) : '\n';
            if (c == '[') {
                spans.add(new TableSpan(parseHeader(), start, offset));
            } else if (c == '#' || JsoncParser.isLineEnd(c)) {
                skipLine();
            } else {
                skipStatement();
                if (!spans.isEmpty()) {
                    TableSpan last = spans.removeLast();
                    spans.add(new TableSpan(last.path(), last.from(), offset));
                }
            }
        }
        return spans;
    }

    private List<String> parseHeader() {
        int from = offset;
        skipStatement();
        String inside = text.substring(from, offset).strip();
        int open = inside.startsWith("[[") ? 2 : 1;
        // A quoted key, or a comment after the header, may contain brackets.
        for (int end = inside.indexOf(']'); end >= 0; end = inside.indexOf(']', end + 1)) {
            try {
                return Toml.parseDottedKey(inside.substring(open, end));
            } catch (IllegalArgumentException e) {
                // The bracket was inside a quoted key; try the next one.
            }
        }
        return List.of();
    }

    /** Skips a statement, including the lines that its brackets and quotes span. */
    private void skipStatement() {
        int depth = 0;
        while (offset < text.length()) {
            char c = text.charAt(offset);
            if (c == '"' || c == '\'') {
                skipString(c);
            } else if (c == '#') {
                skipLine();
                if (depth <= 0) {
                    return;
                }
            } else if (c == '\n') {
                offset++;
                if (depth <= 0) {
                    return;
                }
            } else {
                depth += c == '[' || c == '{' ? 1 : 0;
                depth -= c == ']' || c == '}' ? 1 : 0;
                offset++;
            }
        }
    }

    private void skipString(char quote) {
        String three = String.valueOf(quote).repeat(3);
        boolean many = text.startsWith(three, offset);
        String end = many ? three : String.valueOf(quote);
        offset += end.length();
        while (offset < text.length() && !text.startsWith(end, offset)) {
            offset += quote == '"' && text.charAt(offset) == '\\' ? 2 : 1;
        }
        offset = Math.min(text.length(), offset + end.length());
        // Up to two quotes may precede the closing three.
        while (many && offset < text.length() && text.charAt(offset) == quote) {
            offset++;
        }
    }

    private void skipLine() {
        while (offset < text.length() && text.charAt(offset) != '\n') {
            offset++;
        }
        offset = Math.min(text.length(), offset + 1);
    }
}
