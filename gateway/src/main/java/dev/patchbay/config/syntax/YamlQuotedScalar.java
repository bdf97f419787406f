package dev.patchbay.config.syntax;

import dev.patchbay.config.syntax.YamlScalarParser.NotUnderstood;

/** Parses a scalar of YAML in single or double quotes, which may span lines. */
final class YamlQuotedScalar {
    private static final String ESCAPES = "0abtnvfre \"/\\";
    private static final String ESCAPED = "\0\u0007\b\t\n\u000B\f\r\u001B \"/\\";

    private final String text;
    private final int from;
    private final StringBuilder value = new StringBuilder();
    private int at;

    YamlQuotedScalar(String text, int from) {
        this.text = text;
        this.from = from;
    }

    SyntaxNode.StringNode parse() throws NotUnderstood {
        char quote = text.charAt(from);
        at = from + 1;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                if (quote == '"' || at >= text.length() || text.charAt(at) != quote) {
                    return new SyntaxNode.StringNode(from, at, value.toString());
                }
                value.append(quote);
                at++;
            } else if (c == '\\' && quote == '"') {
                at++;
                parseEscape();
            } else if (JsoncParser.isLineEnd(c)) {
                foldLines();
            } else {
                value.append(c);
                at++;
            }
        }
        throw new NotUnderstood(from, "Missing closing quote");
    }

    private void parseEscape() throws NotUnderstood {
        char c = at < text.length() ? text.charAt(at) : '?';
        int known = ESCAPES.indexOf(c);
        if (known >= 0) {
            value.append(ESCAPED.charAt(known));
            at++;
        } else if (JsoncParser.isLineEnd(c)) {
            skipLineEndAndIndent();
        } else {
            int digits =
                    switch (c) {
                        case 'x' -> 2;
                        case 'u' -> 4;
                        case 'U' -> 8;
                        default -> throw new NotUnderstood(at, "Unknown escape");
                    };
            parseCodePoint(digits);
        }
    }

    private void parseCodePoint(int digits) throws NotUnderstood {
        int end = at + 1 + digits;
        try {
            int code = Integer.parseInt(text.substring(at + 1, end), 16);
            value.appendCodePoint(code);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new NotUnderstood(at, "Invalid escape");
        }
        at = end;
    }

    /** One line ending is a space; each further one is kept. */
    private void foldLines() {
        while (!value.isEmpty() && " \t".indexOf(value.charAt(value.length() - 1)) >= 0) {
            value.setLength(value.length() - 1);
        }
        int count = 0;
        while (at < text.length() && JsoncParser.isLineEnd(text.charAt(at))) {
            skipLineEndAndIndent();
            count++;
        }
        value.append(count == 1 ? " " : "\n".repeat(count - 1));
    }

    private void skipLineEndAndIndent() {
        at += text.startsWith("\r\n", at) ? 2 : 1;
        at = YamlScalarParser.skipSpaces(text, at);
    }
}
