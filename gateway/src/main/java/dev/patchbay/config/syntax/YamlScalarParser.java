package dev.patchbay.config.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the scalars and the flow collections of YAML. */
final class YamlScalarParser {
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");
    private static final Set<String> NULLS = Set.of("~", "null", "Null", "NULL");
    private static final Set<String> TRUES = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSES = Set.of("false", "False", "FALSE");

    /** Characters with which no plain scalar begins. */
    private static final String INDICATORS = "&*!|>%@`,[]{}#\"'\t";

    /** The text is not YAML, or not of the part that is supported. */
    static final class NotUnderstood extends Exception {
        private final int offset;
        private final String problem;

        NotUnderstood(int offset, String problem) {
            super(problem, null, false, false);
            this.offset = offset;
            this.problem = problem;
        }

        int offset() {
            return offset;
        }

        String problem() {
            return problem;
        }
    }

    private final String text;
    private final int depthMax;
    private int at;

    YamlScalarParser(String text, int depthMax) {
        this.text = text;
        this.depthMax = depthMax;
    }

    static int skipSpaces(String text, int from) {
        int offset = from;
        while (offset < text.length() && isBlank(text.charAt(offset))) {
            offset++;
        }
        return offset;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** The offset of the colon after a key; -1 if the line does not begin with a key there. */
    static int findKeyEnd(String text, int offset, int lineEnd) {
        char first = offset < lineEnd ? text.charAt(offset) : '#';
        int from = offset;
        if (first == '"' || first == '\'') {
            from = closingQuote(text, offset, lineEnd);
            if (from < 0) {
                return -1;
            }
            from = skipSpaces(text, from + 1);
            return from < lineEnd && isKeyColon(text, from, lineEnd) ? from : -1;
        }
        if (INDICATORS.indexOf(first) >= 0) {
            return -1;
        }
        for (int i = from; i < lineEnd; i++) {
            if (isKeyColon(text, i, lineEnd)) {
                return i;
            }
            if (text.charAt(i) == '#' && i > from && isBlank(text.charAt(i - 1))) {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isKeyColon(String text, int offset, int lineEnd) {
        return text.charAt(offset) == ':'
                && (offset + 1 >= lineEnd || isBlank(text.charAt(offset + 1)));
    }

    private static int closingQuote(String text, int open, int lineEnd) {
        char quote = text.charAt(open);
        for (int i = open + 1; i < lineEnd; i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote == '"') {
                i++;
            } else if (c == quote) {
                if (quote == '\'' && i + 1 < lineEnd && text.charAt(i + 1) == quote) {
                    i++;
                } else {
                    return i;
                }
            }
        }
        return -1;
    }

    static SyntaxNode.StringNode parseKey(String text, int from, int colon) throws NotUnderstood {
        String written = text.substring(from, colon).stripTrailing();
        boolean explicit = written.equals("?") || written.startsWith("? ");
        if (explicit || written.equals("<<") || written.isEmpty()) {
            throw new NotUnderstood(from, "Explicit and merged keys are not supported");
        }
        char first = written.charAt(0);
        if (first == '"' || first == '\'') {
            return (SyntaxNode.StringNode) new YamlScalarParser(text, 1).parseFlow(from);
        }
        return new SyntaxNode.StringNode(from, from + written.length(), written);
    }

    /** Parses a plain scalar with its continuation lines, which are indented more. */
    SyntaxNode parsePlain(int offset, int indent) throws NotUnderstood {
        if (INDICATORS.indexOf(text.charAt(offset)) >= 0 || text.startsWith("? ", offset)) {
            throw new NotUnderstood(
                    offset, "Anchors, aliases, tags and explicit keys are not supported");
        }
        int end = endOfPlain(offset);
        var value = new StringBuilder(text.substring(offset, end));
        boolean more = atEndOfLine(skipSpaces(text, end));
        int next = nextLine(end);
        while (more && next < text.length()) {
            int content = skipSpaces(text, next);
            boolean blank = atEndOfLine(content);
            if (!blank && (content - next <= indent || text.charAt(content) == '#')) {
                break;
            }
            if (!blank) {
                end = endOfPlain(content);
                value.append(' ').append(text, content, end);
                more = atEndOfLine(skipSpaces(text, end));
            }
            next = nextLine(content);
        }
        return resolve(offset, end, value.toString());
    }

    /** The end of the plain text in a line, without a comment and the space before it. */
    private int endOfPlain(int from) throws NotUnderstood {
        int end = from;
        while (!atEndOfLine(end)
                && !(text.charAt(end) == '#' && end > from && isBlank(text.charAt(end - 1)))) {
            boolean last = atEndOfLine(end + 1) || isBlank(text.charAt(end + 1));
            if (text.charAt(end) == ':' && last) {
                throw new NotUnderstood(end, "Unexpected colon");
            }
            end++;
        }
        while (end > from && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private boolean atEndOfLine(int offset) {
        return offset >= text.length() || JsoncParser.isLineEnd(text.charAt(offset));
    }

    private int nextLine(int from) {
        int end = from;
        while (!atEndOfLine(end)) {
            end++;
        }
        return end + (text.startsWith("\r\n", end) ? 2 : 1);
    }

    private static SyntaxNode resolve(int from, int to, String value) {
        if (NULLS.contains(value)) {
            return new SyntaxNode.NullNode(from, to);
        }
        if (TRUES.contains(value) || FALSES.contains(value)) {
            return new SyntaxNode.BooleanNode(from, to, TRUES.contains(value));
        }
        return NUMBER.matcher(value).matches()
                ? new SyntaxNode.NumberNode(from, to, value)
                : new SyntaxNode.StringNode(from, to, value);
    }

    /** Parses a literal or folded scalar, whose lines are indented more than its parent. */
    SyntaxNode parseBlockScalar(int offset, int indent) throws NotUnderstood {
        int headerEnd = offset + 1;
        while (headerEnd < text.length() && "+-".indexOf(text.charAt(headerEnd)) >= 0) {
            headerEnd++;
        }
        int rest = skipSpaces(text, headerEnd);
        if (!atEndOfLine(rest) && text.charAt(rest) != '#') {
            throw new NotUnderstood(rest, "This kind of block scalar is not supported");
        }
        var content = new ArrayList<String>();
        int width = -1;
        int to = headerEnd;
        int next = nextLine(rest);
        while (next < text.length()) {
            int from = next;
            int first = from;
            while (first < text.length() && text.charAt(first) == ' ') {
                first++;
            }
            boolean blank = atEndOfLine(skipSpaces(text, first));
            if (!blank && first - from <= indent) {
                break;
            }
            width = width < 0 && !blank ? first - from : width;
            if (!blank && first - from < width) {
                throw new NotUnderstood(first, "Unexpected indentation");
            }
            next = nextLine(first);
            int end = first;
            while (!atEndOfLine(end)) {
                end++;
            }
            content.add(blank ? "" : text.substring(from + width, end));
            to = blank ? to : end;
        }
        return new SyntaxNode.StringNode(offset, to, joinBlock(content, offset));
    }

    private String joinBlock(List<String> content, int offset) {
        while (!content.isEmpty() && content.getLast().isEmpty()) {
            content.removeLast();
        }
        boolean strip = text.startsWith("-", offset + 1);
        String separator = text.charAt(offset) == '|' ? "\n" : " ";
        return String.join(separator, content) + (strip || content.isEmpty() ? "" : "\n");
    }

    /** Parses a flow collection or a quoted scalar. */
    SyntaxNode parseFlow(int offset) throws NotUnderstood {
        at = offset;
        return parseFlowValue(0);
    }

    private SyntaxNode parseFlowValue(int depth) throws NotUnderstood {
        if (depth > depthMax) {
            throw new NotUnderstood(at, "Nested too deeply");
        }
        char c = at < text.length() ? text.charAt(at) : ']';
        return switch (c) {
            case '[' -> parseFlowSequence(depth);
            case '{' -> parseFlowMapping(depth);
            case '"', '\'' -> parseQuoted();
            default -> parseFlowPlain();
        };
    }

    private SyntaxNode parseFlowSequence(int depth) throws NotUnderstood {
        int from = at++;
        var elements = new ArrayList<SyntaxNode>();
        skipFlowSpace();
        while (!atChar(']')) {
            elements.add(parseFlowValue(depth + 1));
            skipSeparator(']');
        }
        at++;
        return new SyntaxNode.ArrayNode(from, at, List.copyOf(elements));
    }

    private SyntaxNode parseFlowMapping(int depth) throws NotUnderstood {
        int from = at++;
        var members = new ArrayList<SyntaxNode.Member>();
        skipFlowSpace();
        while (!atChar('}')) {
            SyntaxNode key = parseFlowValue(depth + 1);
            String name = text.substring(key.from(), key.to());
            skipFlowSpace();
            if (!atChar(':')) {
                throw new NotUnderstood(at, "Missing colon");
            }
            at++;
            skipFlowSpace();
            SyntaxNode value = parseFlowValue(depth + 1);
            var node =
                    key instanceof SyntaxNode.StringNode string
                            ? string
                            : new SyntaxNode.StringNode(key.from(), key.to(), name);
            members.add(new SyntaxNode.Member(node, value, -1));
            skipSeparator('}');
        }
        at++;
        return new SyntaxNode.ObjectNode(from, at, List.copyOf(members));
    }

    private boolean atChar(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void skipSeparator(char close) throws NotUnderstood {
        skipFlowSpace();
        if (atChar(',')) {
            at++;
            skipFlowSpace();
        } else if (!atChar(close)) {
            throw new NotUnderstood(at, "Missing comma or closing bracket");
        }
    }

    private void skipFlowSpace() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#' && at > 0 && Character.isWhitespace(text.charAt(at - 1))) {
                at = nextLine(at);
            } else if (isBlank(c) || JsoncParser.isLineEnd(c)) {
                at++;
            } else {
                return;
            }
        }
    }

    private SyntaxNode parseFlowPlain() throws NotUnderstood {
        int from = at;
        if (at >= text.length() || INDICATORS.indexOf(text.charAt(at)) >= 0) {
            throw new NotUnderstood(at, "Missing value");
        }
        while (!atEndOfLine(at) && ",[]{}".indexOf(text.charAt(at)) < 0) {
            char c = text.charAt(at);
            boolean ends = atEndOfLine(at + 1) || " \t,]}".indexOf(text.charAt(at + 1)) >= 0;
            if ((c == ':' && ends) || (c == '#' && isBlank(text.charAt(at - 1)))) {
                break;
            }
            at++;
        }
        int to = at;
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return resolve(from, to, text.substring(from, to));
    }

    private SyntaxNode parseQuoted() throws NotUnderstood {
        var quoted = new YamlQuotedScalar(text, at);
        SyntaxNode node = quoted.parse();
        at = node.to();
        return node;
    }
}
