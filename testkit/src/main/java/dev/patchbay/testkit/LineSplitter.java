package dev.patchbay.testkit;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/** Cuts a stream of bytes into lines at 0x0A and at nothing else. */
final class LineSplitter {
    /** What is longer is delivered in pieces; no instrument needs such a line whole. */
    static final int LINE_BYTES_MAX = 256 << 20;

    private final Consumer<byte[]> lines;
    private ByteArrayOutputStream currentLine = new ByteArrayOutputStream();

    LineSplitter(Consumer<byte[]> lines) {
        this.lines = lines;
    }

    void accept(byte[] bytes, int length) {
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                currentLine.write(bytes, start, i - start);
                deliver();
                start = i + 1;
            }
        }
        currentLine.write(bytes, start, length - start);
        if (currentLine.size() > LINE_BYTES_MAX) {
            deliver();
        }
    }

    /** What came after the last line feed. */
    byte[] remainder() {
        return currentLine.toByteArray();
    }

    private void deliver() {
        byte[] line = currentLine.toByteArray();
        currentLine = new ByteArrayOutputStream();
        lines.accept(line);
    }
}
