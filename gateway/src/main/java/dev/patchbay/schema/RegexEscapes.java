package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

/** The escapes of a regular expression: what stands behind a backslash. */
final class RegexEscapes {
    private final String source;
    private int end;

    RegexEscapes(String source) {
        this.source = source;
    }

    /** The position behind the escape that was read last. */
    int end() {
        return end;
    }

    /** The set that an escape stands for, or null if it stands for a character. */
    @Nullable CharSet set(int at) {
        char c = source.charAt(at);
        end = at + 1;
        return switch (c) {
            case 'd' -> CharSet.DIGIT;
            case 'D' -> CharSet.DIGIT.complement();
            case 'w' -> CharSet.WORD;
            case 'W' -> CharSet.WORD.complement();
            case 's' -> CharSet.SPACE;
            case 'S' -> CharSet.SPACE.complement();
            case 'p' -> property(at + 1);
            case 'P' -> property(at + 1).complement();
            default -> null;
        };
    }

    private CharSet property(int at) {
        int close = source.indexOf('}', at);
        if (!source.startsWith("{", at) || close < 0) {
            throw new UnusableException("has a \\p without the name of a property");
        }
        end = close + 1;
        return CharProperties.of(source.substring(at + 1, close));
    }

    /** The character that an escape stands for. */
    int character(int at) {
        char c = source.charAt(at);
        end = at + 1;
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 0x0B;
            case 'f' -> '\f';
            case 'r' -> '\r';
            case '0' -> nul(at);
            case 'c' -> control(at + 1);
            case 'x' -> hex(at + 1, 2);
            case 'u' -> unicode(at + 1);
            case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
                    throw new UnusableException(
                            "refers back to a group, which has no bound in time");
            default -> itself(at);
        };
    }

    private int nul(int at) {
        if (at + 1 < source.length() && Character.digit(source.charAt(at + 1), 10) >= 0) {
            throw new UnusableException("has an octal escape");
        }
        return 0;
    }

    private int control(int at) {
        int letter = at < source.length() ? source.charAt(at) | 0x20 : 0;
        if (letter < 'a' || letter > 'z') {
            throw new UnusableException("has a \\c without a letter");
        }
        end = at + 1;
        return letter & 0x1F;
    }

    private int unicode(int at) {
        if (source.startsWith("{", at)) {
            int close = source.indexOf('}', at);
            int c = close < 0 || close - at > 7 ? -1 : hex(at + 1, close - at - 1);
            if (!Character.isValidCodePoint(c)) {
                throw new UnusableException("has a \\u{} without a character");
            }
            end = close + 1;
            return c;
        }
        int first = hex(at, 4);
        if (Character.isHighSurrogate((char) first) && source.startsWith("\\u", at + 4)) {
            int second = hex(at + 6, 4);
            if (Character.isLowSurrogate((char) second)) {
                return Character.toCodePoint((char) first, (char) second);
            }
            end = at + 4;
        }
        return first;
    }

    private int hex(int at, int digits) {
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = i < source.length() ? Character.digit(source.charAt(i), 16) : -1;
            if (digit < 0) {
                throw new UnusableException("has an escape with too few digits");
            }
            value = value << 4 | digit;
        }
        if (digits == 0) {
            throw new UnusableException("has an escape with too few digits");
        }
        end = at + digits;
        return value;
    }

    private int itself(int at) {
        int c = source.codePointAt(at);
        if (CharSet.isWord(c) && c != '_') {
            throw new UnusableException("has the unknown escape \\" + (char) c);
        }
        end = at + Character.charCount(c);
        return c;
    }
}
