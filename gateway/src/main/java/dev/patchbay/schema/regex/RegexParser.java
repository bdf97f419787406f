package dev.patchbay.schema.regex;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses regular expressions of ECMA-262 in Unicode mode. It also accepts common unambiguous
 * extensions: a literal brace, {@code \A} and {@code \Z}, and {@code (?P<name>}.
 */
final class RegexParser {
    private static final int DEPTH_MAX = 100;
    private static final int REPEATS_MAX = 100_000;
    private static final int NO_ASSERTION = -1;

    private final String source;
    private final RegexEscapeParser escapes;
    private int position;
    private int depth;

    RegexParser(String source) {
        this.source = source;
        this.escapes = new RegexEscapeParser(source);
    }

    RegexNode parse() {
        RegexNode node = alternation();
        if (position < source.length()) {
            throw new RegexSyntaxException("has a ) too many");
        }
        return node;
    }

    private RegexNode alternation() {
        var parts = new ArrayList<RegexNode>();
        do {
            parts.add(sequence());
        } while (consume("|"));
        return parts.size() == 1 ? parts.getFirst() : new RegexNode.Alternation(parts);
    }

    private RegexNode sequence() {
        var parts = new ArrayList<RegexNode>();
        while (position < source.length()
                && source.charAt(position) != '|'
                && source.charAt(position) != ')') {
            RegexNode part = atom();
            parts.add(quantified(part));
        }
        return parts.size() == 1 ? parts.getFirst() : new RegexNode.Sequence(parts);
    }

    private RegexNode atom() {
        int c = source.codePointAt(position);
        position += Character.charCount(c);
        return switch (c) {
            case '^' -> new RegexNode.Assertion(RegexProgram.TEXT_START);
            case '$' -> new RegexNode.Assertion(RegexProgram.TEXT_END);
            case '.' -> new RegexNode.OneCharacter(CharacterSet.DOT);
            case '(' -> group();
            case '[' -> new RegexNode.OneCharacter(characterClass());
            case '\\' -> escape();
            case '*', '+', '?' -> throw new RegexSyntaxException("repeats nothing");
            default -> new RegexNode.OneCharacter(CharacterSet.range(c, c));
        };
    }

    private RegexNode quantified(RegexNode part) {
        int min;
        int max = RegexNode.UNBOUNDED;
        if (consume("*")) {
            min = 0;
        } else if (consume("+")) {
            min = 1;
        } else if (consume("?")) {
            min = 0;
            max = 1;
        } else {
            int end = quantifierEnd();
            if (end < 0) {
                return part;
            }
            String inside = source.substring(position + 1, end);
            int comma = inside.indexOf(',');
            min = number(comma < 0 ? inside : inside.substring(0, comma));
            if (comma < 0) {
                max = min;
            } else if (comma < inside.length() - 1) {
                max = number(inside.substring(comma + 1));
            }
            position = end + 1;
        }
        if (max < min) {
            throw new RegexSyntaxException("repeats more often than it may");
        }
        // Greediness does not affect whether an expression matches.
        consume("?");
        return new RegexNode.Repeat(part, min, max);
    }

    /** The end of a quantifier in braces at this position; -1 if there is none. */
    private int quantifierEnd() {
        if (position >= source.length() || source.charAt(position) != '{') {
            return -1;
        }
        int commas = 0;
        for (int i = position + 1; i < source.length(); i++) {
            char c = source.charAt(i);
            if (c == '}') {
                return i == position + 1 || source.charAt(position + 1) == ',' ? -1 : i;
            }
            commas += c == ',' ? 1 : 0;
            if ((c != ',' && (c < '0' || c > '9')) || commas > 1) {
                return -1;
            }
        }
        return -1;
    }

    private static int number(String digits) {
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            number = number * 10 + digits.charAt(i) - '0';
            if (number > REPEATS_MAX) {
                throw new RegexSyntaxException("repeats more than " + REPEATS_MAX + " times");
            }
        }
        return number;
    }

    private RegexNode group() {
        depth++;
        if (depth > DEPTH_MAX) {
            throw new RegexSyntaxException("nests groups deeper than " + DEPTH_MAX);
        }
        RegexNode node;
        if (consume("?=") || consume("?!")) {
            boolean wanted = source.charAt(position - 1) == '=';
            node = new RegexNode.Lookaround(alternation(), false, wanted);
        } else if (consume("?<=") || consume("?<!")) {
            boolean wanted = source.charAt(position - 1) == '=';
            node = new RegexNode.Lookaround(alternation(), true, wanted);
        } else {
            if (consume("?<") || consume("?P<")) {
                position = source.indexOf('>', position) + 1;
                if (position == 0) {
                    throw new RegexSyntaxException("has a name without an end");
                }
            } else if (!consume("?:") && consume("?")) {
                throw new RegexSyntaxException("has a group of an unknown kind");
            }
            node = alternation();
        }
        if (!consume(")")) {
            throw new RegexSyntaxException("has a ( without its )");
        }
        depth--;
        return node;
    }

    private RegexNode escape() {
        if (position == source.length()) {
            throw new RegexSyntaxException("ends with a backslash");
        }
        int place =
                switch (source.charAt(position)) {
                    case 'b' -> RegexProgram.WORD_BOUNDARY;
                    case 'B' -> RegexProgram.NOT_WORD_BOUNDARY;
                    case 'A' -> RegexProgram.TEXT_START;
                    case 'z', 'Z' -> RegexProgram.TEXT_END;
                    default -> NO_ASSERTION;
                };
        if (place != NO_ASSERTION) {
            position++;
            return new RegexNode.Assertion(place);
        }
        CharacterSet set = escapes.characterSet(position);
        if (set == null) {
            int character = escapes.character(position);
            set = CharacterSet.range(character, character);
        }
        position = escapes.end();
        return new RegexNode.OneCharacter(set);
    }

    private CharacterSet characterClass() {
        boolean negated = consume("^");
        List<CharacterSet> sets = new ArrayList<>();
        while (!consume("]")) {
            if (position == source.length()) {
                throw new RegexSyntaxException("has a [ without its ]");
            }
            CharacterSet first = setInClass();
            if (first != null) {
                sets.add(first);
                continue;
            }
            int from = characterInClass();
            boolean range = source.startsWith("-", position) && !source.startsWith("-]", position);
            if (!range) {
                sets.add(CharacterSet.range(from, from));
                continue;
            }
            position++;
            CharacterSet behind = setInClass();
            if (behind != null) {
                // A hyphen next to a set is literal.
                sets.add(behind);
                sets.add(CharacterSet.range(from, from));
                sets.add(CharacterSet.range('-', '-'));
                continue;
            }
            int to = characterInClass();
            if (to < from) {
                throw new RegexSyntaxException("has a range whose end is before its begin");
            }
            sets.add(CharacterSet.range(from, to));
        }
        CharacterSet set = sets.isEmpty() ? CharacterSet.of(c -> false) : CharacterSet.union(sets);
        return negated ? set.complement() : set;
    }

    private @Nullable CharacterSet setInClass() {
        if (!source.startsWith("\\", position) || position + 1 == source.length()) {
            return null;
        }
        CharacterSet set = escapes.characterSet(position + 1);
        if (set != null) {
            position = escapes.end();
        }
        return set;
    }

    private int characterInClass() {
        if (position >= source.length()) {
            throw new RegexSyntaxException("has a [ without its ]");
        }
        if (consume("\\b")) {
            return '\b';
        }
        if (consume("\\")) {
            if (position == source.length()) {
                throw new RegexSyntaxException("ends with a backslash");
            }
            int character = escapes.character(position);
            position = escapes.end();
            return character;
        }
        int c = source.codePointAt(position);
        position += Character.charCount(c);
        return c;
    }

    private boolean consume(String expected) {
        if (source.startsWith(expected, position)) {
            position += expected.length();
            return true;
        }
        return false;
    }
}
