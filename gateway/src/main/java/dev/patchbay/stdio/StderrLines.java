package dev.patchbay.stdio;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Splits what a process writes to its standard error into lines of limited length. */
final class StderrLines {
    static final int LINE_BYTES_MAX = 4 * 1024;

    private final Consumer<String> receiver;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    StderrLines(Consumer<String> receiver) {
        this.receiver = receiver;
    }

    void add(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n' || line.size() == LINE_BYTES_MAX) {
                end();
            }
            if (bytes[i] != '\n') {
                line.write(bytes[i]);
            }
        }
    }

    /** Passes on a last line without an end. */
    void end() {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        if (!text.isEmpty()) {
            receiver.accept(text);
        }
    }
}
