package dev.patchbay.json;

/**
 * Where the large values of a text begin and end, noted while the text was checked, so that nobody
 * walks through them again to find out. When there are too many, those noted last are kept: what
 * holds others ends behind them.
 */
final class Spans {
    private static final int SPANS_MAX = 16;
    private static final int SPAN_BYTES_MIN = 512;

    private final int bytesMin;
    private final int[] starts = new int[SPANS_MAX];
    private final int[] ends = new int[SPANS_MAX];
    private int noted;

    private Spans(int bytesMin) {
        this.bytesMin = bytesMin;
    }

    /** For a text of that length. */
    static Spans of(int textBytes) {
        return new Spans(Math.max(SPAN_BYTES_MIN, textBytes / SPANS_MAX));
    }

    /** For a text of which values from that length on are noted. */
    static Spans ofLarge(int bytesMin) {
        return new Spans(bytesMin);
    }

    /** Whether a text is so short that walking through it costs less than remembering. */
    static boolean areNeedless(int textBytes) {
        return textBytes < SPAN_BYTES_MIN;
    }

    void note(int start, int end) {
        if (end - start >= bytesMin) {
            int at = noted++ % SPANS_MAX;
            starts[at] = start;
            ends[at] = end;
        }
    }

    /** The end of the value that begins there; -1 if it is not known. */
    int end(int start) {
        for (int i = Math.min(noted, SPANS_MAX) - 1; i >= 0; i--) {
            if (starts[i] == start) {
                return ends[i];
            }
        }
        return -1;
    }

    /**
     * The spans of another text, in which what stood from one place to another of this one is
     * replaced, and of which the first byte stood at {@code origin} here.
     */
    Spans moved(int origin, int from, int to, int replacedBytes) {
        var moved = new Spans(bytesMin);
        int shift = replacedBytes - (to - from);
        for (int i = 0; i < Math.min(noted, SPANS_MAX); i++) {
            boolean before = ends[i] <= from;
            boolean behind = starts[i] >= to;
            boolean around = starts[i] < from && ends[i] >= to;
            if (starts[i] >= origin && (before || behind || around)) {
                int start = starts[i] - origin + (behind ? shift : 0);
                int end = ends[i] - origin + (before ? 0 : shift);
                moved.starts[moved.noted] = start;
                moved.ends[moved.noted++] = end;
            }
        }
        return moved;
    }
}
