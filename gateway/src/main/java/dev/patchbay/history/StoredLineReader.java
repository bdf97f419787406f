package dev.patchbay.history;

import org.jspecify.annotations.Nullable;

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
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads the lines of a {@link LineStore}, which all processes of the user have written.
 *
 * @param <T> what a line is
 */
public final class StoredLineReader<T> {
    /** The longest file that is read; the store begins a new one long before. */
    private static final long FILE_BYTES_MAX = 64 * 1024 * 1024;

    private final LineStore store;
    private final Function<StoredLine, T> parser;

    /** The file and the position up to which {@link #readNew} has read. */
    private long lastNumber;

    private long lastOffset;

    private StoredLineReader(LineStore store, Function<StoredLine, T> parser) {
        this.store = store;
        this.parser = parser;
    }

    /** A reader of the calls that {@link CallHistory} has recorded. */
    public static StoredLineReader<RecordedCall> ofCalls(Path folder) {
        return new StoredLineReader<>(
                new LineStore(folder, CallHistory.PREFIX, Long.MAX_VALUE), RecordedCall::new);
    }

    /** A reader of what {@link EventLog} has recorded. */
    public static StoredLineReader<LogEvent> ofEvents(Path folder) {
        return new StoredLineReader<>(
                new LineStore(folder, EventLog.PREFIX, Long.MAX_VALUE), LogEvent::new);
    }

    /** What is wanted of the lines. */
    public record Query<T>(Predicate<T> filter, @Nullable Instant since) {
        public static <T> Query<T> all() {
            return new Query<>(_ -> true, null);
        }
    }

    /** A line and what it is. */
    private record Item<T>(Instant at, T value) {}

    /** The newest lines that are wanted, the oldest of them first. */
    public List<T> newest(Query<T> query, int linesMax) throws IOException {
        var found = new ArrayList<Item<T>>();
        for (LineStore.NumberedFile file : store.files().reversed()) {
            if (found.size() >= linesMax || isOlder(file.path(), query)) {
                break;
            }
            List<Item<T>> items = new ArrayList<>();
            forEachLine(readFrom(file.path(), 0), query, items::add);
            found.addAll(0, items);
        }
        found.sort(Comparator.comparing(Item::at));
        return found.stream().skip(Math.max(0, found.size() - linesMax)).map(Item::value).toList();
    }

    /** Passes on all lines that are wanted, one file after the other. */
    public void forEach(Query<T> query, Consumer<T> receiver) throws IOException {
        for (LineStore.NumberedFile file : store.files()) {
            if (!isOlder(file.path(), query)) {
                forEachLine(readFrom(file.path(), 0), query, item -> receiver.accept(item.value()));
            }
        }
    }

    /** Whether a file was last written before the lines that are wanted. */
    private static boolean isOlder(Path file, Query<?> query) throws IOException {
        try {
            Instant since = query.since();
            return since != null && Files.getLastModifiedTime(file).toInstant().isBefore(since);
        } catch (NoSuchFileException _) {
            return true;
        }
    }

    /** From now on, {@link #readNew} passes on the lines that are added. */
    public void skipToEnd() throws IOException {
        List<LineStore.NumberedFile> files = store.files();
        if (!files.isEmpty()) {
            lastNumber = files.getLast().number();
            lastOffset = readFrom(files.getLast().path(), 0).length;
        }
    }

    /** Passes on the lines that were added since it was called last. */
    public void readNew(Query<T> query, Consumer<T> receiver) throws IOException {
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
            forEachLine(lines, query, item -> receiver.accept(item.value()));
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

    private void forEachLine(byte[] lines, Query<T> query, Consumer<Item<T>> receiver) {
        int from = 0;
        for (int at = 0; at < lines.length; at++) {
            if (lines[at] == '\n') {
                StoredLine line =
                        at == from ? null : StoredLine.parse(Arrays.copyOfRange(lines, from, at));
                if (line != null && isWanted(line.at(), query)) {
                    T value = parser.apply(line);
                    if (query.filter().test(value)) {
                        receiver.accept(new Item<>(line.at(), value));
                    }
                }
                from = at + 1;
            }
        }
    }

    private static boolean isWanted(Instant at, Query<?> query) {
        return query.since() == null || !at.isBefore(query.since());
    }
}
