package dev.patchbay.config;

import java.util.Arrays;

/** Where the lines of a text begin. CRLF, LF and CR each end one. */
final class Lines {
    private final int length;
    private int[] starts = new int[64];
    private int count = 1;

    Lines(String text) {
        length = text.length();
        // A byte order mark is not seen in an editor and has no column.
        starts[0] = text.startsWith("\uFEFF") ? 1 : 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean half = c == '\r' && i + 1 < length && text.charAt(i + 1) == '\n';
            if (Jsonc.isLineEnd(c) && !half) {
                add(i + 1);
            }
        }
    }

    Place place(int offset) {
        int at = Math.max(starts[0], Math.min(offset, length));
        int found = Arrays.binarySearch(starts, 0, count, at);
        int line = found >= 0 ? found : -found - 2;
        return new Place(line + 1, at - starts[line] + 1);
    }

    private void add(int start) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = start;
    }
}
