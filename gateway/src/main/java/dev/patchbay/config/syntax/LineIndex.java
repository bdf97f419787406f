package dev.patchbay.config.syntax;

import dev.patchbay.config.TextPosition;

import java.util.Arrays;

/** The offsets of the lines of a text. CRLF, LF and CR end a line. */
final class LineIndex {
    private final int length;
    private int[] starts = new int[64];
    private int count = 1;

    LineIndex(String text) {
        length = text.length();
        // Editors do not show a byte order mark, so it has no column.
        starts[0] = text.startsWith("\uFEFF") ? 1 : 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean half = c == '\r' && i + 1 < length && text.charAt(i + 1) == '\n';
            if (JsoncParser.isLineEnd(c) && !half) {
                addLineStart(i + 1);
            }
        }
    }

    TextPosition positionAt(int offset) {
        int at = Math.max(starts[0], Math.min(offset, length));
        int found = Arrays.binarySearch(starts, 0, count, at);
        int line = found >= 0 ? found : -found - 2;
        return new TextPosition(line + 1, at - starts[line] + 1);
    }

    private void addLineStart(int start) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = start;
    }
}
