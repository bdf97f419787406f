package dev.patchbay.history;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.file.StandardOpenOption.APPEND;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of the history: bounded, for the owner only, and shared by processes. */
class LineStoreTest {
    private static final long BYTES_MAX = 256 * 1024;

    @TempDir private Path folder;

    private LineStore store() {
        return new LineStore(folder.resolve("history"), "calls", BYTES_MAX);
    }

    private static byte[] line(String at, int number, int bytes) {
        String text = "{\"at\":\"" + at + "\",\"n\":" + number + ",\"x\":\"";
        return (text + "x".repeat(bytes) + "\"}\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] line(int number) {
        return line("2026-11-18T09:00:00Z", number, 1_000);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("history"))) {
            return files.sorted().toList();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void deletesTheOldestLinesWhenThereAreTooMany() throws IOException {
        LineStore store = store();
        for (int i = 0; i < 1_000; i++) {
            store.append(line(i));
        }

        assertThat(files().stream().mapToLong(LineStoreTest::size).sum())
                .isBetween(BYTES_MAX / 2, BYTES_MAX);
        List<RecordedCall> kept = new ArrayList<>();
        StoredLineReader.ofCalls(folder.resolve("history"))
                .forEach(CallFilter.ALL.query(), kept::add);
        assertThat(kept.getLast().json().member("n").asLong(0)).isEqualTo(999);
        long first = kept.getFirst().json().member("n").asLong(0);
        assertThat(kept).as("none in between is missing").hasSize((int) (1_000 - first));
    }

    @Test
    void onlyTheOwnerCanReadTheFiles() throws IOException {
        store().append(line(1));

        Path file = files().getFirst();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void severalWritersAppendWholeLines() throws Exception {
        int writers = 4;
        int lines = 100;
        var threads = new ArrayList<Thread>();
        for (int writer = 0; writer < writers; writer++) {
            int from = writer * lines;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        LineStore own = store();
                                        for (int i = 0; i < lines; i++) {
                                            try {
                                                own.append(
                                                        line("2026-11-18T09:00:00Z", from + i, 50));
                                            } catch (IOException e) {
                                                throw new UncheckedIOException(e);
                                            }
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        List<Long> seen = new ArrayList<>();
        StoredLineReader.ofCalls(folder.resolve("history"))
                .forEach(CallFilter.ALL.query(), it -> seen.add(it.json().member("n").asLong(-1)));
        assertThat(seen).doesNotHaveDuplicates().hasSize(writers * lines);
    }

    @Test
    void skipsDamagedAndIncompleteLines() throws IOException {
        LineStore store = store();
        store.append(line(1));
        Path file = files().getFirst();
        Files.writeString(file, "{\"at\":\n\n[1]\n", APPEND);
        store.append(line(2));
        Files.writeString(file, "{\"at\":\"2026-", APPEND);

        List<Long> seen = new ArrayList<>();
        StoredLineReader.ofCalls(folder.resolve("history"))
                .forEach(CallFilter.ALL.query(), it -> seen.add(it.json().member("n").asLong(-1)));
        assertThat(seen).containsExactly(1L, 2L);
    }

    @Test
    void newestStopsAtTheLimitAndSortsByTime() throws IOException {
        LineStore store = store();
        store.append(line("2026-11-18T09:00:02Z", 2, 10));
        store.append(line("2026-11-18T09:00:01Z", 1, 10));
        store.append(line("2026-11-18T09:00:03Z", 3, 10));

        var reader = StoredLineReader.ofCalls(folder.resolve("history"));
        assertThat(reader.newest(CallFilter.ALL.query(), 2))
                .extracting(it -> it.json().member("n").asLong(-1))
                .containsExactly(2L, 3L);
        assertThat(
                        StoredLineReader.ofCalls(folder.resolve("nothing"))
                                .newest(CallFilter.ALL.query(), 2))
                .isEmpty();
    }

    @Test
    void followsAcrossFiles() throws IOException {
        LineStore store = store();
        store.append(line(1));
        var reader = StoredLineReader.ofCalls(folder.resolve("history"));
        reader.skipToEnd();
        List<Long> seen = new ArrayList<>();
        for (int i = 2; i <= 120; i++) {
            store.append(line(i));
        }
        assertThat(files()).hasSizeGreaterThan(1);
        reader.readNew(CallFilter.ALL.query(), it -> seen.add(it.json().member("n").asLong(-1)));
        store.append(line(121));
        reader.readNew(CallFilter.ALL.query(), it -> seen.add(it.json().member("n").asLong(-1)));

        assertThat(seen).hasSize(120).startsWith(2L).endsWith(121L);
    }
}
