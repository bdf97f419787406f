package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a regular expression of ECMA-262 in Unicode mode. It also takes what is common and cannot
 * be misunderstood: a brace that begins no repetition, {@code \A} and {@code \Z}, and {@code
 * (?P<name>}.
 */
final class RegexParser {
    private static final int DEPTH_MAX = 100;
    private static final int REPEATS_MAX = 100_000;
    private static final int NO_PLACE = -1;

    private final String source;
    private final RegexEscapes escapes;
    private int at;
    private int depth;

    RegexParser(String source) {
        this.source = source;
        this.escapes = new RegexEscapes(source);
    }

    RegexNode parse() {
        RegexNode node = choice();
        if (at < source.length()) {
            throw new UnusableException("has a ) too many");
        }
        return node;
    }

    private RegexNode choice() {
        var parts = new ArrayList<RegexNode>();
        do {
            parts.add(sequence());
        } while (take("|"));
        return parts.size() == 1 ? parts.getFirst() : new RegexNode.Choice(parts);
    }

    private RegexNode sequence() {
        var parts = new ArrayList<RegexNode>();
        while (at < source.length() && source.charAt(at) != '|' && source.charAt(at) != ')') {
            RegexNode part = part();
            parts.add(repeated(part));
        }
        return parts.size() == 1 ? parts.getFirst() : new RegexNode.Sequence(parts);
    }

    private RegexNode part() {
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return switch (c) {
            case '^' -> new RegexNode.Place(RegexProgram.BEGIN);
            case '$' -> new RegexNode.Place(RegexProgram.END);
            case '.' -> new RegexNode.One(CharSet.DOT);
            case '(' -> group();
            case '[' -> new RegexNode.One(bracket());
            case '\\' -> escape();
            case '*', '+', '?' -> throw new UnusableException("repeats nothing");
            default -> new RegexNode.One(CharSet.range(c, c));
        };
    }

    private RegexNode repeated(RegexNode part) {
        int min;
        int max = RegexNode.NO_END;
        if (take("*")) {
            min = 0;
        } else if (take("+")) {
            min = 1;
        } else if (take("?")) {
            min = 0;
            max = 1;
        } else {
            int end = bracesEnd();
            if (end < 0) {
                return part;
            }
            String inside = source.substring(at + 1, end);
            int comma = inside.indexOf(',');
            min = number(comma < 0 ? inside : inside.substring(0, comma));
            if (comma < 0) {
                max = min;
            } else if (comma < inside.length() - 1) {
                max = number(inside.substring(comma + 1));
            }
            at = end + 1;
        }
        if (max < min) {
            throw new UnusableException("repeats more often than it may");
        }
        // Whether it prefers few or many makes no difference to whether it matches.
        take("?");
        return new RegexNode.Repeat(part, min, max);
    }

    /** The end of a repetition in braces that begins here; -1 if none does. */
    private int bracesEnd() {
        if (at >= source.length() || source.charAt(at) != '{') {
            return -1;
        }
        int commas = 0;
        for (int i = at + 1; i < source.length(); i++) {
            char c = source.charAt(i);
            if (c == '}') {
                return i == at + 1 || source.charAt(at + 1) == ',' ? -1 : i;
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
                throw new UnusableException("repeats more than " + REPEATS_MAX + " times");
            }
        }
        return number;
    }

    private RegexNode group() {
        depth++;
        if (depth > DEPTH_MAX) {
            throw new UnusableException("nests groups deeper than " + DEPTH_MAX);
        }
        RegexNode node;
        if (take("?=") || take("?!")) {
            boolean wanted = source.charAt(at - 1) == '=';
            node = new RegexNode.Around(choice(), false, wanted);
        } else if (take("?<=") || take("?<!")) {
            boolean wanted = source.charAt(at - 1) == '=';
            node = new RegexNode.Around(choice(), true, wanted);
        } else {
            if (take("?<") || take("?P<")) {
                at = source.indexOf('>', at) + 1;
                if (at == 0) {
                    throw new UnusableException("has a name without an end");
                }
            } else if (!take("?:") && take("?")) {
                throw new UnusableException("has a group of an unknown kind");
            }
            node = choice();
        }
        if (!take(")")) {
            throw new UnusableException("has a ( without its )");
        }
        depth--;
        return node;
    }

    private RegexNode escape() {
        if (at == source.length()) {
            throw new UnusableException("ends with a backslash");
        }
        int place =
                switch (source.charAt(at)) {
                    case 'b' -> RegexProgram.EDGE;
                    case 'B' -> RegexProgram.NO_EDGE;
                    case 'A' -> RegexProgram.BEGIN;
                    case 'z', 'Z' -> RegexProgram.END;
                    default -> NO_PLACE;
                };
        if (place != NO_PLACE) {
            at++;
            return new RegexNode.Place(place);
        }
        CharSet set = escapes.set(at);
        if (set == null) {
            int character = escapes.character(at);
            set = CharSet.range(character, character);
        }
        at = escapes.end();
        return new RegexNode.One(set);
    }

    private CharSet bracket() {
        boolean negated = take("^");
        List<CharSet> sets = new ArrayList<>();
        while (!take("]")) {
            if (at == source.length()) {
                throw new UnusableException("has a [ without its ]");
            }
            CharSet first = setInBracket();
            if (first != null) {
                sets.add(first);
                continue;
            }
            int from = characterInBracket();
            boolean range = source.startsWith("-", at) && !source.startsWith("-]", at);
            if (!range) {
                sets.add(CharSet.range(from, from));
                continue;
            }
            at++;
            CharSet behind = setInBracket();
            if (behind != null) {
                // A minus beside a set is a minus.
                sets.add(behind);
                sets.add(CharSet.range(from, from));
                sets.add(CharSet.range('-', '-'));
                continue;
            }
            int to = characterInBracket();
            if (to < from) {
                throw new UnusableException("has a range whose end is before its begin");
            }
            sets.add(CharSet.range(from, to));
        }
        CharSet set = sets.isEmpty() ? CharSet.of(c -> false) : CharSet.union(sets);
        return negated ? set.complement() : set;
    }

    private @Nullable CharSet setInBracket() {
        if (!source.startsWith("\\", at) || at + 1 == source.length()) {
            return null;
        }
        CharSet set = escapes.set(at + 1);
        if (set != null) {
            at = escapes.end();
        }
        return set;
    }

    private int characterInBracket() {
        if (at >= source.length()) {
            throw new UnusableException("has a [ without its ]");
        }
        if (take("\\b")) {
            return '\b';
        }
        if (take("\\")) {
            if (at == source.length()) {
                throw new UnusableException("ends with a backslash");
            }
            int character = escapes.character(at);
            at = escapes.end();
            return character;
        }
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    private boolean take(String expected) {
        if (source.startsWith(expected, at)) {
            at += expected.length();
            return true;
        }
        return false;
    }
}
