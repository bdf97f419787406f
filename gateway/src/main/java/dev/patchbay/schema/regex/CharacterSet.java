package dev.patchbay.schema.regex;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A set of code points. ASCII is stored as bits. */
final class CharacterSet {
    static final CharacterSet DIGIT = of(c -> c >= '0' && c <= '9');
    static final CharacterSet WORD = of(CharacterSet::isWord);
    static final CharacterSet SPACE = of(CharacterSet::isSpace);
    static final CharacterSet DOT = of(c -> !isLineEnd(c));

    private final long low;
    private final long high;
    private final IntPredicate predicate;

    private CharacterSet(IntPredicate all) {
        long lowBits = 0;
        long highBits = 0;
        for (int i = 0; i < 64; i++) {
            lowBits |= all.test(i) ? 1L << i : 0;
            highBits |= all.test(i + 64) ? 1L << i : 0;
        }
        this.low = lowBits;
        this.high = highBits;
        this.predicate = all;
    }

    static CharacterSet of(IntPredicate all) {
        return new CharacterSet(all);
    }

    static CharacterSet range(int from, int to) {
        return of(c -> c >= from && c <= to);
    }

    /** The union of several sets. */
    static CharacterSet union(List<CharacterSet> sets) {
        if (sets.size() == 1) {
            return sets.getFirst();
        }
        List<CharacterSet> all = new ArrayList<>(sets);
        return of(
                c -> {
                    for (int i = 0; i < all.size(); i++) {
                        if (all.get(i).contains(c)) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    CharacterSet complement() {
        return of(c -> !contains(c));
    }

    boolean contains(int c) {
        if (c < 64) {
            return (low >>> c & 1) != 0;
        }
        return c < 128 ? (high >>> c & 1) != 0 : predicate.test(c);
    }

    static boolean isWord(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_';
    }

    private static boolean isLineEnd(int c) {
        return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
    }

    private static boolean isSpace(int c) {
        return (c >= '\t' && c <= '\r')
                || c == 0xFEFF
                || c == 0x2028
                || c == 0x2029
                || Character.getType(c) == Character.SPACE_SEPARATOR;
    }
}
