package dev.patchbay.history;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Reads the calls that {@link CallHistory} has recorded, of all processes. */
public final class HistoryReader {
    /** The longest file that is read; the store begins a new one long before. */
    private static final long FILE_BYTES_MAX = 64 * 1024 * 1024;

    private final LineStore store;

    /** The file and the position up to which {@link #readNew} has read. */
    private long lastNumber;

    private long lastOffset;

    public HistoryReader(Path folder) {
        this.store = new LineStore(folder, CallHistory.PREFIX, Long.MAX_VALUE);
    }

    /** The newest calls that fit, the oldest of them first. */
    public List<RecordedCall> newest(CallFilter filter, int callsMax) throws IOException {
        var found = new ArrayList<RecordedCall>();
        for (LineStore.NumberedFile file : store.files().reversed()) {
            if (found.size() >= callsMax || isOlder(file.path(), filter)) {
                break;
            }
            List<RecordedCall> calls = new ArrayList<>();
            read(file.path(), filter, calls::add);
            found.addAll(0, calls);
        }
        found.sort(Comparator.comparing(RecordedCall::at));
        return List.copyOf(found.subList(Math.max(0, found.size() - callsMax), found.size()));
    }

    /** Passes on all calls that fit, one file after the other. */
    public void forEach(CallFilter filter, Consumer<RecordedCall> receiver) throws IOException {
        for (LineStore.NumberedFile file : store.files()) {
            if (!isOlder(file.path(), filter)) {
                read(file.path(), filter, receiver);
            }
        }
    }

    /** Whether a file was last written before the calls that are wanted. */
    private static boolean isOlder(Path file, CallFilter filter) throws IOException {
        try {
            Instant since = filter.since();
            return since != null && Files.getLastModifiedTime(file).toInstant().isBefore(since);
        } catch (NoSuchFileException _) {
            return true;
        }
    }

    private static void read(Path file, CallFilter filter, Consumer<RecordedCall> receiver)
            throws IOException {
        forEachLine(readFrom(file, 0), filter, receiver);
    }

    /** From now on, {@link #readNew} passes on the calls that are added. */
    public void skipToEnd() throws IOException {
        List<LineStore.NumberedFile> files = store.files();
        if (!files.isEmpty()) {
            lastNumber = files.getLast().number();
            lastOffset = readFrom(files.getLast().path(), 0).length;
        }
    }

    /** Passes on the calls that were added since it was called last. */
    public void readNew(CallFilter filter, Consumer<RecordedCall> receiver) throws IOException {
        for (LineStore.NumberedFile file : store.files()) {
            if (file.number() < lastNumber) {
                continue;
            }
            if (file.number() > lastNumber) {
                lastNumber = file.number();
                lastOffset = 0;
            }
            byte[] lines = readFrom(file.path(), lastOffset);
            lastOffset += lines.length;
            forEachLine(lines, filter, receiver);
        }
    }

    /** The complete lines of a file from a position on. */
    private static byte[] readFrom(Path file, long offset) throws IOException {
        try (var input = new RandomAccessFile(file.toFile(), "r")) {
            long length = Math.min(input.length() - offset, FILE_BYTES_MAX);
            if (length <= 0) {
                return new byte[0];
            }
            var content = new byte[(int) length];
            input.seek(offset);
            input.readFully(content);
            int end = content.length;
            while (end > 0 && content[end - 1] != '\n') {
                end--;
            }
            return Arrays.copyOf(content, end);
        } catch (FileNotFoundException _) {
            return new byte[0]; // deleted in the meantime
        }
    }

    private static void forEachLine(
            byte[] lines, CallFilter filter, Consumer<RecordedCall> receiver) {
        int from = 0;
        for (int at = 0; at < lines.length; at++) {
            if (lines[at] == '\n') {
                RecordedCall call =
                        at == from ? null : RecordedCall.parse(Arrays.copyOfRange(lines, from, at));
                if (call != null && filter.fits(call)) {
                    receiver.accept(call);
                }
                from = at + 1;
            }
        }
    }
}
