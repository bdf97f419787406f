package dev.patchbay.json;

/**
 * The positions of large values in a text, recorded during validation, so that they need not be
 * scanned again. If there are too many, the last ones are kept: an outer value ends after its inner
 * ones.
 */
final class LargeValueIndex {
    private static final int ENTRIES_MAX = 16;
    private static final int ENTRY_BYTES_MIN = 512;

    private final int bytesMin;
    private final int[] starts = new int[ENTRIES_MAX];
    private final int[] ends = new int[ENTRIES_MAX];
    private int added;

    private LargeValueIndex(int bytesMin) {
        this.bytesMin = bytesMin;
    }

    /** An index for a text of this length. */
    static LargeValueIndex forText(int textBytes) {
        return new LargeValueIndex(Math.max(ENTRY_BYTES_MIN, textBytes / ENTRIES_MAX));
    }

    /** An index of values of at least this length. */
    static LargeValueIndex withMinimum(int bytesMin) {
        return new LargeValueIndex(bytesMin);
    }

    /** Whether a text is so short that scanning it is cheaper than an index. */
    static boolean isUnnecessary(int textBytes) {
        return textBytes < ENTRY_BYTES_MIN;
    }

    void add(int start, int end) {
        if (end - start >= bytesMin) {
            int at = added++ % ENTRIES_MAX;
            starts[at] = start;
            ends[at] = end;
        }
    }

    /** The end of the value that begins there; -1 if it is unknown. */
    int endOf(int start) {
        for (int i = Math.min(added, ENTRIES_MAX) - 1; i >= 0; i--) {
            if (starts[i] == start) {
                return ends[i];
            }
        }
        return -1;
    }

    /**
     * The index of a changed text.
     *
     * @param origin the offset of the new text in the old one
     * @param from the start of the replaced range
     */
    LargeValueIndex shifted(int origin, int from, int to, int replacedBytes) {
        var moved = new LargeValueIndex(bytesMin);
        int shift = replacedBytes - (to - from);
        for (int i = 0; i < Math.min(added, ENTRIES_MAX); i++) {
            boolean before = ends[i] <= from;
            boolean behind = starts[i] >= to;
            boolean around = starts[i] < from && ends[i] >= to;
            if (starts[i] >= origin && (before || behind || around)) {
                int start = starts[i] - origin + (behind ? shift : 0);
                int end = ends[i] - origin + (before ? 0 : shift);
                moved.starts[moved.added] = start;
                moved.ends[moved.added++] = end;
            }
        }
        return moved;
    }
}
