package dev.patchbay.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** A set of characters, by code point. ASCII is answered from two words of bits. */
final class CharSet {
    static final CharSet DIGIT = of(c -> c >= '0' && c <= '9');
    static final CharSet WORD = of(CharSet::isWord);
    static final CharSet SPACE = of(CharSet::isSpace);
    static final CharSet DOT = of(c -> !isLineEnd(c));

    private final long low;
    private final long high;
    private final IntPredicate all;

    private CharSet(IntPredicate all) {
        long lowBits = 0;
        long highBits = 0;
        for (int i = 0; i < 64; i++) {
            lowBits |= all.test(i) ? 1L << i : 0;
            highBits |= all.test(i + 64) ? 1L << i : 0;
        }
        this.low = lowBits;
        this.high = highBits;
        this.all = all;
    }

    static CharSet of(IntPredicate all) {
        return new CharSet(all);
    }

    static CharSet range(int from, int to) {
        return of(c -> c >= from && c <= to);
    }

    /** The characters that are in one of the sets. */
    static CharSet union(List<CharSet> sets) {
        if (sets.size() == 1) {
            return sets.getFirst();
        }
        List<CharSet> all = new ArrayList<>(sets);
        return of(
                c -> {
                    for (int i = 0; i < all.size(); i++) {
                        if (all.get(i).has(c)) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    CharSet complement() {
        return of(c -> !has(c));
    }

    boolean has(int c) {
        if (c < 64) {
            return (low >>> c & 1) != 0;
        }
        return c < 128 ? (high >>> c & 1) != 0 : all.test(c);
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
