package dev.patchbay.schema.regex;

import org.jspecify.annotations.Nullable;

/** Parses the escapes of a regular expression. */
final class RegexEscapeParser {
    private final String source;
    private int end;

    RegexEscapeParser(String source) {
        this.source = source;
    }

    /** The position after the last escape. */
    int end() {
        return end;
    }

    /** The set that an escape denotes, or null if it denotes a character. */
    @Nullable CharacterSet characterSet(int at) {
        char c = source.charAt(at);
        end = at + 1;
        return switch (c) {
            case 'd' -> CharacterSet.DIGIT;
            case 'D' -> CharacterSet.DIGIT.complement();
            case 'w' -> CharacterSet.WORD;
            case 'W' -> CharacterSet.WORD.complement();
            case 's' -> CharacterSet.SPACE;
            case 'S' -> CharacterSet.SPACE.complement();
            case 'p' -> property(at + 1);
            case 'P' -> property(at + 1).complement();
            default -> null;
        };
    }

    private CharacterSet property(int at) {
        int close = source.indexOf('}', at);
        if (!source.startsWith("{", at) || close < 0) {
            throw new RegexSyntaxException("has a \\p without the name of a property");
        }
        end = close + 1;
        return UnicodeProperties.of(source.substring(at + 1, close));
    }

    /** The character that an escape denotes. */
    int character(int at) {
        char c = source.charAt(at);
        end = at + 1;
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 0x0B;
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '0' -> nulCharacter(at);
            case 'c' -> controlCharacter(at + 1);
            case 'x' -> hexCharacter(at + 1, 2);
            case 'u' -> unicodeCharacter(at + 1);
            case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                    throw RegexSyntaxException.backReference();
            default -> identityEscape(at);
        };
    }

    private int nulCharacter(int at) {
        if (at + 1 < source.length() && Character.digit(source.charAt(at + 1), 10) >= 0) {
            throw new RegexSyntaxException("has an octal escape");
        }
        return 0;
    }

    private int controlCharacter(int at) {
        int letter = at < source.length() ? source.charAt(at) | 0x20 : 0;
        if (letter < 'a' || letter > 'z') {
            throw new RegexSyntaxException("has a \\c without a letter");
        }
        end = at + 1;
        return letter & 0x1F;
    }

    private int unicodeCharacter(int at) {
        if (source.startsWith("{", at)) {
            int close = source.indexOf('}', at);
            int c = close < 0 || close - at > 7 ? -1 : hexCharacter(at + 1, close - at - 1);
            if (!Character.isValidCodePoint(c)) {
                throw new RegexSyntaxException("has a \\u{} without a character");
            }
            end = close + 1;
            return c;
        }
        int first = hexCharacter(at, 4);
        if (Character.isHighSurrogate((char) first) && source.startsWith("\\u", at + 4)) {
            int second = hexCharacter(at + 6, 4);
            if (Character.isLowSurrogate((char) second)) {
                return Character.toCodePoint((char) first, (char) second);
            }
            end = at + 4;
        }
        return first;
    }

    private int hexCharacter(int at, int digits) {
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = i < source.length() ? Character.digit(source.charAt(i), 16) : -1;
            if (digit < 0) {
                throw new RegexSyntaxException("has an escape with too few digits");
            }
            value = value << 4 | digit;
        }
        if (digits == 0) {
            throw new RegexSyntaxException("has an escape with too few digits");
        }
        end = at + digits;
        return value;
    }

    private int identityEscape(int at) {
        int c = source.codePointAt(at);
        if (CharacterSet.isWord(c) && c != '_') {
            throw new RegexSyntaxException("has the unknown escape \\" + (char) c);
        }
        end = at + Character.charCount(c);
        return c;
    }
}
