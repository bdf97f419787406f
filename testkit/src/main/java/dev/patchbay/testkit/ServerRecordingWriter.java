package dev.patchbay.testkit;

import org.jspecify.annotations.Nullable;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files in which a {@link ScriptedServer} leaves its traces for a {@link ServerRecording}. */
final class ServerRecordingWriter {
    /** A longer line is kept up to here. */
    private static final int LINE_BYTES_MAX = 4 << 20;

    private final long pid = ProcessHandle.current().pid();
    private final @Nullable FileOutputStream traffic;

    private ServerRecordingWriter(@Nullable FileOutputStream traffic) {
        this.traffic = traffic;
    }

    static ServerRecordingWriter open(ScriptedServerOptions options) throws IOException {
        String file = options.text("traffic", "");
        return new ServerRecordingWriter(file.isEmpty() ? null : new FileOutputStream(file, true));
    }

    /** Adds a line to the counter file and says how many starts it holds now, this one included. */
    static int countStart(ScriptedServerOptions options) throws IOException {
        String pid = Long.toString(ProcessHandle.current().pid());
        appendToCounter(options, "start " + pid + " " + System.nanoTime());
        int starts = 0;
        if (options.has("counter")) {
            for (String line : Files.readAllLines(Path.of(options.text("counter", "")))) {
                starts += line.startsWith("start ") ? 1 : 0;
            }
        }
        return starts;
    }

    /** Adds a line to the counter file, if there is one. */
    static void appendToCounter(ScriptedServerOptions options, String line) throws IOException {
        if (options.has("counter")) {
            try (var file = new FileOutputStream(options.text("counter", ""), true)) {
                file.write(Utf8Text.encode(line + "\n"));
            }
        }
    }

    void received(byte[] line) {
        record("in", line);
    }

    void sent(byte[] line) {
        record("out", line);
    }

    private void record(String direction, byte[] line) {
        if (traffic == null) {
            return;
        }
        byte[] head = Utf8Text.encode(System.nanoTime() + " " + pid + " " + direction + " ");
        int kept = Math.min(line.length, LINE_BYTES_MAX);
        byte[] whole = new byte[head.length + kept + 1];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(line, 0, whole, head.length, kept);
        whole[whole.length - 1] = '\n';
        try {
            // One write per record: processes that share the file do not tear each other's lines.
            traffic.write(whole);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
