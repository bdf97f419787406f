package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The member names of the open objects at one point of a text, to detect duplicates. A name is kept
 * as its position in the text; a name with escapes is kept decoded, so that different spellings are
 * equal. Large objects use a hash table with a secret seed, which keeps the time linear for names
 * chosen by an attacker.
 */
final class DuplicateNameDetector {
    private static final int LINEAR_SEARCH_MAX = 12;
    private static final int SEED = ThreadLocalRandom.current().nextInt() | 1;

    private final byte[] text;
    private byte[] decoded = new byte[0];
    private int decodedLength;

    /** Pairs of start and end; a negative start refers to {@link #decoded}. */
    private int[] spans = new int[32];

    private int spansLength;
    private int[] starts = new int[16];
    private @Nullable NameTable[] tables = new NameTable[16];
    private int depth;

    DuplicateNameDetector(byte[] text) {
        this.text = text;
    }

    void beginObject() {
        if (depth == starts.length) {
            starts = Arrays.copyOf(starts, depth * 2);
            tables = Arrays.copyOf(tables, depth * 2);
        }
        starts[depth++] = spansLength;
    }

    void endObject() {
        depth--;
        tables[depth] = null;
        spansLength = starts[depth];
    }

    /** Adds a name to the innermost object; returns false if it is a duplicate. */
    boolean add(int from, int to, boolean escaped) {
        if (spansLength + 2 > spans.length) {
            spans = Arrays.copyOf(spans, spans.length * 2);
        }
        if (escaped) {
            decode(from, to);
        } else {
            spans[spansLength] = from;
            spans[spansLength + 1] = to;
        }
        spansLength += 2;
        return isNew();
    }

    private boolean isNew() {
        int start = starts[depth - 1];
        int added = spansLength - 2;
        if (added - start <= LINEAR_SEARCH_MAX * 2) {
            for (int i = start; i < added; i += 2) {
                if (isSameName(i, added)) {
                    return false;
                }
            }
            return true;
        }
        NameTable table = tables[depth - 1];
        if (table == null) {
            table = new NameTable();
            tables[depth - 1] = table;
            for (int i = start; i < added; i += 2) {
                table.add(i);
            }
        }
        return table.add(added);
    }

    private boolean isSameName(int one, int other) {
        return Arrays.equals(
                source(one), from(one), to(one), source(other), from(other), to(other));
    }

    private byte[] source(int span) {
        return spans[span] < 0 ? decoded : text;
    }

    private int from(int span) {
        return spans[span] < 0 ? -spans[span] - 1 : spans[span];
    }

    private int to(int span) {
        return spans[span + 1];
    }

    private int hash(int span) {
        byte[] source = source(span);
        int to = to(span);
        int hash = SEED;
        for (int i = from(span); i < to; i++) {
            hash = (hash ^ source[i]) * 0x9E3779B1;
            hash ^= hash >>> 15;
        }
        return hash;
    }

    private void decode(int from, int to) {
        int room = decodedLength + (to - from);
        if (room > decoded.length) {
            decoded = Arrays.copyOf(decoded, Math.max(room, decoded.length * 2));
        }
        int length = JsonStrings.decodeTo(decoded, decodedLength, text, from, to);
        spans[spansLength] = -decodedLength - 1;
        spans[spansLength + 1] = length;
        decodedLength = length;
    }

    /** An open-addressing set of spans, at most half full. */
    private final class NameTable {
        private int[] slots = new int[64];
        private int size;

        boolean add(int span) {
            if (size * 2 >= slots.length) {
                grow();
            }
            int slot = find(span);
            if (slots[slot] != 0) {
                return false;
            }
            slots[slot] = span + 1;
            size++;
            return true;
        }

        private int find(int span) {
            int slot = hash(span) & (slots.length - 1);
            while (slots[slot] != 0 && !isSameName(slots[slot] - 1, span)) {
                slot = (slot + 1) & (slots.length - 1);
            }
            return slot;
        }

        private void grow() {
            int[] old = slots;
            slots = new int[old.length * 2];
            for (int entry : old) {
                if (entry != 0) {
                    slots[find(entry - 1)] = entry;
                }
            }
        }
    }
}
