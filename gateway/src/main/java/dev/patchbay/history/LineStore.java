package dev.patchbay.history;

import dev.patchbay.files.PrivateFile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of files with one JSON object per line, of bounded size. The files are numbered; lines
 * are appended to the last one, and the first ones are deleted when there is too much. Several
 * processes append at the same time without a lock: each batch of lines is one write at the end of
 * the file, and whoever finds the last file full begins the next one.
 */
public final class LineStore {
    private static final String SUFFIX = ".jsonl";
    private static final int NUMBER_DIGITS = 8;
    private static final int FILES_PER_STORE = 16;
    private static final long FILE_BYTES_MIN = 64 * 1024;
    private static final long FILE_BYTES_MAX = 8 * 1024 * 1024;

    private final Path folder;
    private final String prefix;
    private final long bytesMax;

    /** Whether the last write failed and may have left a part of a line. */
    private boolean mayEndInsideLine;

    /**
     * A store; nothing is created before the first line.
     *
     * @param prefix what the names of the files begin with
     * @param bytesMax the size of all files together
     */
    public LineStore(Path folder, String prefix, long bytesMax) {
        this.folder = folder;
        this.prefix = prefix;
        this.bytesMax = bytesMax;
    }

    /** A file and its number. */
    record NumberedFile(long number, Path path) {}

    private long fileBytesMax() {
        return Math.clamp(bytesMax / FILES_PER_STORE, FILE_BYTES_MIN, FILE_BYTES_MAX);
    }

    /** Appends whole lines. Used by one thread. */
    void append(byte[] lines) throws IOException {
        PrivateFile.createFolder(folder);
        List<NumberedFile> files = files();
        long number = files.isEmpty() ? 1 : files.getLast().number();
        if (!files.isEmpty() && size(files.getLast().path()) + lines.length > fileBytesMax()) {
            number++;
            deleteOldest(files, Math.max(lines.length, fileBytesMax()));
        }
        try (FileChannel channel = PrivateFile.openForAppend(path(number))) {
            if (mayEndInsideLine) {
                PrivateFile.write(channel, new byte[] {'\n'});
            }
            mayEndInsideLine = true;
            PrivateFile.write(channel, lines);
            mayEndInsideLine = false;
        }
    }

    Path folder() {
        return folder;
    }

    private Path path(long number) {
        String digits = Long.toString(number);
        String zeros = "0".repeat(Math.max(0, NUMBER_DIGITS - digits.length()));
        return folder.resolve(prefix + "-" + zeros + digits + SUFFIX);
    }

    private void deleteOldest(List<NumberedFile> files, long bytesMore) throws IOException {
        long total = bytesMore;
        for (NumberedFile file : files.reversed()) {
            total += size(file.path());
            if (total > bytesMax) {
                Files.deleteIfExists(file.path());
            }
        }
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException _) {
            return 0; // another process has just deleted it
        }
    }

    /** The files, the oldest first. Empty if there is no folder. */
    List<NumberedFile> files() throws IOException {
        var files = new ArrayList<NumberedFile>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                long number = number(String.valueOf(entry.getFileName()));
                if (number > 0) {
                    files.add(new NumberedFile(number, entry));
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        // Not Comparator.comparingLong: the AOT cache cannot hold its function.
        files.sort((a, b) -> Long.compare(a.number(), b.number()));
        return files;
    }

    /** The number in the name of a file; 0 if it is none of this store. */
    private long number(String name) {
        int from = prefix.length() + 1;
        int end = name.length() - SUFFIX.length();
        boolean isNumbered =
                name.startsWith(prefix + "-")
                        && name.endsWith(SUFFIX)
                        && end - from >= NUMBER_DIGITS
                        && end - from < 18
                        && name.chars().skip(from).limit(end - from).allMatch(Character::isDigit);
        return isNumbered ? Long.parseLong(name, from, end, 10) : 0;
    }
}
