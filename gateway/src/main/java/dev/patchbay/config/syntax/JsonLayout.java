package dev.patchbay.config.syntax;

import dev.patchbay.json.Json;

/** The layout of a JSON text, and values formatted in that layout. */
public record JsonLayout(String lineEnd, String indentUnit) {
    private static final JsonLayout DEFAULT = new JsonLayout("\n", "  ");

    /** Detects the layout of a text from its first line ending and its first indentation. */
    public static JsonLayout detect(String text) {
        int end = 0;
        while (end < text.length() && !JsoncParser.isLineEnd(text.charAt(end))) {
            end++;
        }
        if (end == text.length()) {
            return DEFAULT;
        }
        String lineEnd = "\n";
        if (text.charAt(end) == '\r') {
            lineEnd = text.startsWith("\r\n", end) ? "\r\n" : "\r";
        }
        for (int at = end; at < text.length(); at++) {
            if (JsoncParser.isLineEnd(text.charAt(at))) {
                String indent = indentAt(text, at + 1);
                int first = at + 1 + indent.length();
                boolean quoted = first < text.length() && text.charAt(first) == '"';
                if (quoted && !indent.isEmpty()) {
                    return new JsonLayout(lineEnd, indent);
                }
            }
        }
        return new JsonLayout(lineEnd, DEFAULT.indentUnit);
    }

    /** The whitespace at an offset. */
    public static String indentAt(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return text.substring(from, at);
    }

    /** The offset of the beginning of a line. */
    public static int lineStart(String text, int offset) {
        int at = offset;
        while (at > 0 && !JsoncParser.isLineEnd(text.charAt(at - 1))) {
            at--;
        }
        return at == 0 && text.startsWith("\uFEFF") ? 1 : at;
    }

    /** Formats a value over several lines, with the first line at the given indentation. */
    public String format(Json value, String indent) {
        if (!value.isObject() || value.members().isEmpty()) {
            return formatOnOneLine(value);
        }
        var out = new StringBuilder("{");
        String separator = "";
        for (Json.Member member : value.members()) {
            out.append(separator).append(lineEnd).append(indent).append(indentUnit);
            out.append(quote(member.name())).append(": ");
            out.append(format(member.value(), indent + indentUnit));
            separator = ",";
        }
        return out.append(lineEnd).append(indent).append('}').toString();
    }

    /** Formats a value on one line. */
    public static String formatOnOneLine(Json value) {
        var out = new StringBuilder();
        switch (value.kind()) {
            case OBJECT -> {
                for (Json.Member member : value.members()) {
                    out.append(out.isEmpty() ? "{" : ", ");
                    out.append(quote(member.name()))
                            .append(": ")
                            .append(formatOnOneLine(member.value()));
                }
                out.append(out.isEmpty() ? "{}" : "}");
            }
            case ARRAY -> {
                for (Json element : value.elements()) {
                    out.append(out.isEmpty() ? "[" : ", ").append(formatOnOneLine(element));
                }
                out.append(out.isEmpty() ? "[]" : "]");
            }
            case STRING -> out.append(quote(value.text()));
            case NUMBER, BOOLEAN, NULL -> out.append(value);
        }
        return out.toString();
    }

    /** A JSON string in which every letter stays readable. */
    public static String quote(String text) {
        var out = new StringBuilder("\"");
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '"', '\\' -> out.append('\\').append((char) c);
                                case '\n' -> out.append("\\n");
                                case '\r' -> out.append("\\r");
                                case '\t' -> out.append("\\t");
                                default -> append(out, c);
                            }
                        });
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int c) {
        boolean plain = Character.getType(c) != Character.SURROGATE && !Character.isISOControl(c);
        if (plain && c != 0x2028 && c != 0x2029) {
            out.appendCodePoint(c);
        } else {
            out.append("\\u%04x".formatted(c));
        }
    }
}
