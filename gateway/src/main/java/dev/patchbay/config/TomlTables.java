package dev.patchbay.config;

import dev.patchbay.json.Json;

import org.tomlj.Toml;

import java.util.ArrayList;
import java.util.List;

/** Changes to the tables of a TOML text that leave every other byte as it is. */
final class TomlTables {
    /** A table: where its header begins, and where its last line with content ends. */
    private record Span(List<String> path, int from, int to) {}

    private final String text;
    private int p;

    private TomlTables(String text) {
        this.text = text;
    }

    /** The text with a table added at its end. */
    static String with(String text, List<String> path, Json members) {
        String lineEnd = Layout.of(text).lineEnd();
        var out = new StringBuilder(text);
        if (!text.isEmpty()) {
            out.append(text.endsWith("\n") ? "" : lineEnd).append(lineEnd);
        }
        out.append('[').append(Toml.joinKeyPath(path)).append(']').append(lineEnd);
        for (Json.Member member : members.members()) {
            String key = Toml.joinKeyPath(List.of(member.name()));
            out.append(key).append(" = ").append(value(member.value())).append(lineEnd);
        }
        return out.toString();
    }

    /** The text without the table of that path and those inside it. */
    static String without(String text, List<String> path) {
        var out = new StringBuilder();
        int at = 0;
        for (Span span : new TomlTables(text).spans()) {
            if (span.path().size() >= path.size()
                    && span.path().subList(0, path.size()).equals(path)) {
                out.append(text, at, span.from());
                at = span.to();
                dropEmptyLineAtEnd(out);
            }
        }
        return out.append(text, at, text.length()).toString();
    }

    /** The empty line that set the table off from the one before it. */
    private static void dropEmptyLineAtEnd(StringBuilder out) {
        for (String empty : List.of("\r\n\r\n", "\n\n")) {
            if (out.length() >= empty.length()
                    && out.substring(out.length() - empty.length()).equals(empty)) {
                out.setLength(out.length() - empty.length() / 2);
                return;
            }
        }
    }

    private static String value(Json value) {
        return switch (value.kind()) {
            case ARRAY -> {
                var parts = value.elements().stream().map(TomlTables::value).toList();
                yield "[" + String.join(", ", parts) + "]";
            }
            case OBJECT -> {
                var parts = new ArrayList<String>();
                for (Json.Member member : value.members()) {
                    parts.add(
                            Toml.joinKeyPath(List.of(member.name()))
                                    + " = "
                                    + value(member.value()));
                }
                yield parts.isEmpty() ? "{}" : "{ " + String.join(", ", parts) + " }";
            }
            // The escapes of JSON are escapes of TOML too.
            case STRING -> Layout.quote(value.text());
            case NUMBER, BOOLEAN -> value.toString();
            case NULL -> "\"\"";
        };
    }

    private List<Span> spans() {
        var spans = new ArrayList<Span>();
        while (p < text.length()) {
            int start = p;
            p += Layout.indentAt(text, p).length();
            char c = p < text.length() ? text.charAt(p) : '\n';
            if (c == '[') {
                spans.add(new Span(header(), start, p));
            } else if (c == '#' || Jsonc.isLineEnd(c)) {
                line();
            } else {
                statement();
                if (!spans.isEmpty()) {
                    Span last = spans.removeLast();
                    spans.add(new Span(last.path(), last.from(), p));
                }
            }
        }
        return spans;
    }

    private List<String> header() {
        int from = p;
        statement();
        String inside = text.substring(from, p).strip();
        int open = inside.startsWith("[[") ? 2 : 1;
        // A quoted key, or a comment behind the header, may have brackets of its own.
        for (int end = inside.indexOf(']'); end >= 0; end = inside.indexOf(']', end + 1)) {
            try {
                return Toml.parseDottedKey(inside.substring(open, end));
            } catch (IllegalArgumentException e) {
                // The bracket was inside a quoted key; the next may be the one.
            }
        }
        return List.of();
    }

    /** Goes past the line, and past the lines that its brackets and quotes reach over. */
    private void statement() {
        int depth = 0;
        while (p < text.length()) {
            char c = text.charAt(p);
            if (c == '"' || c == '\'') {
                string(c);
            } else if (c == '#') {
                line();
                if (depth <= 0) {
                    return;
                }
            } else if (c == '\n') {
                p++;
                if (depth <= 0) {
                    return;
                }
            } else {
                depth += c == '[' || c == '{' ? 1 : 0;
                depth -= c == ']' || c == '}' ? 1 : 0;
                p++;
            }
        }
    }

    private void string(char quote) {
        String three = String.valueOf(quote).repeat(3);
        boolean many = text.startsWith(three, p);
        String end = many ? three : String.valueOf(quote);
        p += end.length();
        while (p < text.length() && !text.startsWith(end, p)) {
            p += quote == '"' && text.charAt(p) == '\\' ? 2 : 1;
        }
        p = Math.min(text.length(), p + end.length());
        // Up to two quotes may stand right before the closing three.
        while (many && p < text.length() && text.charAt(p) == quote) {
            p++;
        }
    }

    private void line() {
        while (p < text.length() && text.charAt(p) != '\n') {
            p++;
        }
        p = Math.min(text.length(), p + 1);
    }
}
