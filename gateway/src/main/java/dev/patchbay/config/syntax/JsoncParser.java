package dev.patchbay.config.syntax;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.syntax.FindingCollector.Location;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Parses JSON with comments and trailing commas. After an error with an obvious meaning (a missing
 * comma, a key without quotes) it continues, so that one run finds as many errors as possible.
 */
public final class JsoncParser {
    private static final int DEPTH_MAX = 100;

    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");

    /** Stops parsing, because the rest of the text cannot be interpreted. */
    private static final class ParseAborted extends Exception {
        ParseAborted() {
            super("", null, false, false);
        }
    }

    private final String text;
    private final FindingCollector findings;
    private int offset;
    private int depth;

    private JsoncParser(String text, FindingCollector findings) {
        this.text = text;
        this.findings = findings;
    }

    /** Parses the text; null after an error that leaves no value. */
    static @Nullable public SyntaxNode parse(String text, FindingCollector findings) {
        var jsonc = new JsoncParser(text, findings);
        try {
            return jsonc.parseDocument();
        } catch (ParseAborted e) {
            return null;
        }
    }

    private SyntaxNode parseDocument() throws ParseAborted {
        if (text.startsWith("\uFEFF")) {
            offset++;
        }
        skipSpaceAndComments();
        if (offset == text.length()) {
            throw abort(offset, "The file is empty", "Write {\"mcpServers\": {}} at least");
        }
        SyntaxNode root = parseValue("");
        skipSpaceAndComments();
        if (offset < text.length()) {
            addError(offset, "Unexpected text after the end", "Remove it, or a bracket before it");
        }
        return root;
    }

    private SyntaxNode parseValue(String path) throws ParseAborted {
        if (offset >= text.length()) {
            throw abort(offset, "The file ends before a value", "Write the value");
        }
        char c = text.charAt(offset);
        return switch (c) {
            case '{' -> parseObject(path);
            case '[' -> parseArray(path);
            case '"', '\'' -> parseString();
            default -> {
                if (c == '-' || c == '+' || c == '.' || isDigit(c)) {
                    yield parseNumber();
                }
                if (isWordPart(c)) {
                    yield parseWord();
                }
                throw abort(offset, "Missing value", "Write a value, or remove the comma");
            }
        };
    }

    private SyntaxNode parseObject(String path) throws ParseAborted {
        int from = offset;
        enterNested(from);
        var members = new ArrayList<SyntaxNode.Member>();
        Map<String, Integer> seen = new HashMap<>();
        skipSpaceAndComments();
        while (!atClosingBracket('}', from)) {
            SyntaxNode.StringNode name = parseName();
            String way = SanitizedText.memberPath(path, name.value());
            Integer first = seen.putIfAbsent(name.value(), name.from());
            if (first != null) {
                findings.add(
                        Kind.DUPLICATE_KEY,
                        new Location(way, name.from()),
                        "Duplicate key; first used at " + findings.positionAt(first),
                        "Remove one of the two");
            }
            parseColon();
            SyntaxNode value = parseValue(way);
            members.add(new SyntaxNode.Member(name, value, parseSeparator('}', value.to())));
        }
        depth--;
        return new SyntaxNode.ObjectNode(from, offset, List.copyOf(members));
    }

    private SyntaxNode parseArray(String path) throws ParseAborted {
        int from = offset;
        enterNested(from);
        var elements = new ArrayList<SyntaxNode>();
        skipSpaceAndComments();
        while (!atClosingBracket(']', from)) {
            SyntaxNode element = parseValue(path + "[" + elements.size() + "]");
            elements.add(element);
            parseSeparator(']', element.to());
        }
        depth--;
        return new SyntaxNode.ArrayNode(from, offset, List.copyOf(elements));
    }

    private void enterNested(int from) throws ParseAborted {
        offset++;
        if (++depth > DEPTH_MAX) {
            throw abort(from, "Nested deeper than " + DEPTH_MAX, "Remove some levels");
        }
    }

    private boolean atClosingBracket(char bracket, int from) throws ParseAborted {
        if (offset >= text.length()) {
            var opened = findings.positionAt(from);
            throw abort(
                    offset,
                    "The file ends inside the brackets opened at " + opened,
                    "Add the missing " + bracket);
        }
        char c = text.charAt(offset);
        if (c == '}' || c == ']') {
            if (c != bracket) {
                var opened = findings.positionAt(from);
                throw abort(
                        offset,
                        "This bracket does not match the one opened at " + opened,
                        "Write " + bracket);
            }
            offset++;
            return true;
        }
        return false;
    }

    /** Skips what is between two values. Returns the offset of the comma, or -1. */
    private int parseSeparator(char bracket, int valueEnd) throws ParseAborted {
        skipSpaceAndComments();
        int comma = -1;
        while (offset < text.length() && text.charAt(offset) == ',') {
            if (comma >= 0) {
                addError(offset, "Two commas in a row", "Remove one");
            } else {
                comma = offset;
            }
            offset++;
            skipSpaceAndComments();
        }
        boolean more =
                offset < text.length() && text.charAt(offset) != '}' && text.charAt(offset) != ']';
        if (comma < 0 && more) {
            char c = text.charAt(offset);
            boolean starts = c == '"' || c == '\'' || isWordPart(c) || c == '-';
            if (!starts && !(bracket == ']' && (c == '{' || c == '['))) {
                throw abort(offset, "Expected a comma or " + bracket, "Remove it");
            }
            addError(valueEnd, "Missing comma after this value", "Add a comma");
        }
        return comma;
    }

    private SyntaxNode.StringNode parseName() throws ParseAborted {
        char c = text.charAt(offset);
        if (c == '"' || c == '\'') {
            return parseString();
        }
        if (!isWordPart(c)) {
            throw abort(offset, "Missing key in double quotes", "Write a key and its value");
        }
        int from = offset;
        String word = readBareWord();
        addError(from, "The key has no quotes", "Write it in double quotes");
        return new SyntaxNode.StringNode(from, offset, word);
    }

    private void parseColon() throws ParseAborted {
        skipSpaceAndComments();
        if (offset < text.length() && text.charAt(offset) == '=') {
            addError(offset, "Found '=' instead of ':'", "Write :");
        } else if (offset >= text.length() || text.charAt(offset) != ':') {
            throw abort(offset, "Missing colon after the key", "Write : and the value");
        }
        offset++;
        skipSpaceAndComments();
    }

    private SyntaxNode.StringNode parseString() throws ParseAborted {
        int from = offset;
        char quote = text.charAt(offset++);
        if (quote == '\'') {
            addError(from, "Strings need double quotes", "Write it in double quotes");
        }
        var value = new StringBuilder();
        while (true) {
            if (offset >= text.length() || isLineEnd(text.charAt(offset))) {
                throw abort(from, "The string is not closed on this line", "Add the closing quote");
            }
            char c = text.charAt(offset++);
            if (c == quote) {
                return new SyntaxNode.StringNode(from, offset, value.toString());
            }
            if (c == '\\') {
                parseEscape(value);
            } else {
                if (c < 0x20) {
                    addError(offset - 1, "Control character in a string", "Write an escape");
                }
                value.append(c);
            }
        }
    }

    private void parseEscape(StringBuilder value) {
        int at = offset - 1;
        char c = offset < text.length() ? text.charAt(offset) : ' ';
        int plain = "\"\\/bfnrt".indexOf(c);
        if (plain >= 0) {
            value.append("\"\\/\b\f\n\r\t".charAt(plain));
            offset++;
        } else if (c == 'u' && offset + 5 <= text.length() && isHex(text, offset + 1)) {
            value.append((char) Integer.parseInt(text.substring(offset + 1, offset + 5), 16));
            offset += 5;
        } else {
            addError(at, "Invalid escape sequence", "Write \\\\ for one backslash");
            value.append('\\');
        }
    }

    private SyntaxNode parseNumber() {
        int from = offset;
        while (offset < text.length()
                && (isWordPart(text.charAt(offset)) || "+-.".indexOf(text.charAt(offset)) >= 0)) {
            offset++;
        }
        String lexeme = text.substring(from, offset);
        if (NUMBER.matcher(lexeme).matches()) {
            return new SyntaxNode.NumberNode(from, offset, lexeme);
        }
        addError(from, "Invalid number", "Write digits, or put a text in double quotes");
        return new SyntaxNode.InvalidNode(from, offset);
    }

    private SyntaxNode parseWord() {
        int from = offset;
        String word = readBareWord();
        return switch (word) {
            case "true" -> new SyntaxNode.BooleanNode(from, offset, true);
            case "false" -> new SyntaxNode.BooleanNode(from, offset, false);
            case "null" -> new SyntaxNode.NullNode(from, offset);
            default -> {
                boolean flag = word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false");
                addError(
                        from,
                        "A word without quotes is not a value",
                        flag ? "Write it in small letters" : "Put a text in double quotes");
                yield new SyntaxNode.InvalidNode(from, offset);
            }
        };
    }

    private String readBareWord() {
        int from = offset;
        while (offset < text.length()
                && (isWordPart(text.charAt(offset)) || text.charAt(offset) == '-')) {
            offset++;
        }
        return text.substring(from, offset);
    }

    private void skipSpaceAndComments() throws ParseAborted {
        int next = indexAfterSpace(text, offset);
        if (next < 0) {
            throw abort(~next, "The comment is not closed", "Add */");
        }
        offset = next;
    }

    /**
     * The offset of the next character that is neither whitespace nor part of a comment. If a
     * comment is not closed, the bitwise complement of its offset.
     */
    static int indexAfterSpace(String text, int from) {
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || isLineEnd(c)) {
                at++;
            } else if (text.startsWith("//", at)) {
                while (at < text.length() && !isLineEnd(text.charAt(at))) {
                    at++;
                }
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    return ~at;
                }
                at = end + 2;
            } else {
                break;
            }
        }
        return at;
    }

    private ParseAborted abort(int at, String problem, String remedy) {
        addError(at, problem, remedy);
        return new ParseAborted();
    }

    private void addError(int at, String problem, String remedy) {
        findings.add(Kind.SYNTAX, new Location("", at), problem, remedy);
    }

    public static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    private static boolean isHex(String text, int from) {
        for (int i = from; i < from + 4; i++) {
            if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
                return false;
            }
        }
        return true;
    }
}
