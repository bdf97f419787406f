package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads JSON as people write it: with comments and trailing commas. A mistake whose meaning is
 * plain (a missing comma, a name without quotes) is noted and reading goes on, so that one run
 * finds as much as it can.
 */
final class Jsonc {
    private static final int DEPTH_MAX = 100;

    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");

    /** Ends the reading of a text that makes no sense from here on. */
    private static final class Stop extends Exception {
        Stop() {
            super("", null, false, false);
        }
    }

    private final String text;
    private final Findings findings;
    private int p;
    private int depth;

    private Jsonc(String text, Findings findings) {
        this.text = text;
        this.findings = findings;
    }

    /** The value that the text is, or null after a mistake that leaves no meaning. */
    static @Nullable Node read(String text, Findings findings) {
        var jsonc = new Jsonc(text, findings);
        try {
            return jsonc.whole();
        } catch (Stop e) {
            return null;
        }
    }

    private Node whole() throws Stop {
        if (text.startsWith("\uFEFF")) {
            p++;
        }
        space();
        if (p == text.length()) {
            throw stop(p, "The file is empty", "Write {\"mcpServers\": {}} at least");
        }
        Node root = value("");
        space();
        if (p < text.length()) {
            fault(p, "Something follows the end of the value", "Remove it, or a bracket before it");
        }
        return root;
    }

    private Node value(String path) throws Stop {
        if (p >= text.length()) {
            throw stop(p, "The file ends where a value should be", "Write the value");
        }
        char c = text.charAt(p);
        return switch (c) {
            case '{' -> table(path);
            case '[' -> sequence(path);
            case '"', '\'' -> string();
            default -> {
                if (c == '-' || c == '+' || c == '.' || isDigit(c)) {
                    yield number();
                }
                if (isWordPart(c)) {
                    yield word();
                }
                throw stop(p, "A value is missing here", "Write a value, or remove the comma");
            }
        };
    }

    private Node table(String path) throws Stop {
        int from = p;
        enter(from);
        var members = new ArrayList<Node.Member>();
        Map<String, Integer> seen = new HashMap<>();
        space();
        while (!closes('}', from)) {
            Node.Text name = name();
            String way = Quoted.member(path, name.value());
            Integer first = seen.putIfAbsent(name.value(), name.from());
            if (first != null) {
                findings.add(
                        Kind.DUPLICATE_KEY,
                        new Spot(way, name.from()),
                        "The key stands twice; it is already at " + findings.place(first),
                        "Remove one of the two");
            }
            colon();
            Node value = value(way);
            members.add(new Node.Member(name, value, separator('}', value.to())));
        }
        depth--;
        return new Node.Table(from, p, List.copyOf(members));
    }

    private Node sequence(String path) throws Stop {
        int from = p;
        enter(from);
        var elements = new ArrayList<Node>();
        space();
        while (!closes(']', from)) {
            Node element = value(path + "[" + elements.size() + "]");
            elements.add(element);
            separator(']', element.to());
        }
        depth--;
        return new Node.Sequence(from, p, List.copyOf(elements));
    }

    private void enter(int from) throws Stop {
        p++;
        if (++depth > DEPTH_MAX) {
            throw stop(from, "Nested deeper than " + DEPTH_MAX, "Remove some brackets");
        }
    }

    private boolean closes(char bracket, int from) throws Stop {
        if (p >= text.length()) {
            var opened = findings.place(from);
            throw stop(
                    p,
                    "The file ends inside the brackets opened at " + opened,
                    "Add the missing " + bracket);
        }
        char c = text.charAt(p);
        if (c == '}' || c == ']') {
            if (c != bracket) {
                var opened = findings.place(from);
                throw stop(
                        p,
                        "This bracket does not match the one opened at " + opened,
                        "Write " + bracket);
            }
            p++;
            return true;
        }
        return false;
    }

    /** Goes past what stands between two values; the place of the comma, or -1. */
    private int separator(char bracket, int valueEnd) throws Stop {
        space();
        int comma = -1;
        while (p < text.length() && text.charAt(p) == ',') {
            if (comma >= 0) {
                fault(p, "Two commas in a row", "Remove one");
            } else {
                comma = p;
            }
            p++;
            space();
        }
        boolean more = p < text.length() && text.charAt(p) != '}' && text.charAt(p) != ']';
        if (comma < 0 && more) {
            char c = text.charAt(p);
            boolean starts = c == '"' || c == '\'' || isWordPart(c) || c == '-';
            if (!starts && !(bracket == ']' && (c == '{' || c == '['))) {
                throw stop(p, "Neither a comma nor " + bracket + " is here", "Remove it");
            }
            fault(valueEnd, "A comma is missing behind this value", "Write a comma");
        }
        return comma;
    }

    private Node.Text name() throws Stop {
        char c = text.charAt(p);
        if (c == '"' || c == '\'') {
            return string();
        }
        if (!isWordPart(c)) {
            throw stop(p, "A key in double quotes is missing here", "Write a key and its value");
        }
        int from = p;
        String word = bareWord();
        fault(from, "The key has no quotes", "Write it in double quotes");
        return new Node.Text(from, p, word);
    }

    private void colon() throws Stop {
        space();
        if (p < text.length() && text.charAt(p) == '=') {
            fault(p, "An equals sign stands where a colon should be", "Write :");
        } else if (p >= text.length() || text.charAt(p) != ':') {
            throw stop(p, "A colon is missing behind the key", "Write : and the value");
        }
        p++;
        space();
    }

    private Node.Text string() throws Stop {
        int from = p;
        char quote = text.charAt(p++);
        if (quote == '\'') {
            fault(from, "The text is in single quotes", "Write it in double quotes");
        }
        var value = new StringBuilder();
        while (true) {
            if (p >= text.length() || isLineEnd(text.charAt(p))) {
                throw stop(from, "The text has no end on its line", "Add the closing quote");
            }
            char c = text.charAt(p++);
            if (c == quote) {
                return new Node.Text(from, p, value.toString());
            }
            if (c == '\\') {
                escape(value);
            } else {
                if (c < 0x20) {
                    fault(p - 1, "A control character stands in the text", "Write an escape");
                }
                value.append(c);
            }
        }
    }

    private void escape(StringBuilder value) {
        int at = p - 1;
        char c = p < text.length() ? text.charAt(p) : ' ';
        int plain = "\"\\/bfnrt".indexOf(c);
        if (plain >= 0) {
            value.append("\"\\/\b\f\n\r\t".charAt(plain));
            p++;
        } else if (c == 'u' && p + 5 <= text.length() && isHex(text, p + 1)) {
            value.append((char) Integer.parseInt(text.substring(p + 1, p + 5), 16));
            p += 5;
        } else {
            fault(at, "The backslash begins no escape", "Write \\\\ for one backslash");
            value.append('\\');
        }
    }

    private Node number() {
        int from = p;
        while (p < text.length()
                && (isWordPart(text.charAt(p)) || "+-.".indexOf(text.charAt(p)) >= 0)) {
            p++;
        }
        String lexeme = text.substring(from, p);
        if (NUMBER.matcher(lexeme).matches()) {
            return new Node.Numeral(from, p, lexeme);
        }
        fault(from, "This is no number", "Write digits, or put a text in double quotes");
        return new Node.Broken(from, p);
    }

    private Node word() {
        int from = p;
        String word = bareWord();
        return switch (word) {
            case "true" -> new Node.Flag(from, p, true);
            case "false" -> new Node.Flag(from, p, false);
            case "null" -> new Node.Null(from, p);
            default -> {
                boolean flag = word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false");
                fault(
                        from,
                        "A word without quotes is no value",
                        flag ? "Write it in small letters" : "Put a text in double quotes");
                yield new Node.Broken(from, p);
            }
        };
    }

    private String bareWord() {
        int from = p;
        while (p < text.length() && (isWordPart(text.charAt(p)) || text.charAt(p) == '-')) {
            p++;
        }
        return text.substring(from, p);
    }

    private void space() throws Stop {
        int next = skipSpace(text, p);
        if (next < 0) {
            throw stop(~next, "A comment has no end", "Add */");
        }
        p = next;
    }

    /**
     * The place of the next char that is neither space nor comment; if a comment has no end, the
     * complement of the place where it begins.
     */
    static int skipSpace(String text, int from) {
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

    private Stop stop(int at, String problem, String remedy) {
        fault(at, problem, remedy);
        return new Stop();
    }

    private void fault(int at, String problem, String remedy) {
        findings.add(Kind.SYNTAX, new Spot("", at), problem, remedy);
    }

    static boolean isLineEnd(char c) {
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
