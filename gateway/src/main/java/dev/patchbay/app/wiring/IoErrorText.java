package dev.patchbay.app.wiring;

import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Describes failures to read or write a file. */
public final class IoErrorText {
    /** A disk with less free space counts as full. */
    private static final long FREE_BYTES_MIN = 1024 * 1024;

    private IoErrorText() {}

    /** What happened, to which file, and what to do. */
    public static String describe(IOException e) {
        if (!(e instanceof FileSystemException fault) || fault.getFile() == null) {
            return "Input or output failed: " + DisplayText.oneLine(String.valueOf(e.getMessage()));
        }
        String file = DisplayText.oneLine(fault.getFile());
        return switch (fault) {
            case AccessDeniedException _ ->
                    file + ": permission denied. Check the owner: ls -l " + file;
            case NoSuchFileException _ -> "No such file: " + file;
            default ->
                    file
                            + ": "
                            + DisplayText.oneLine(String.valueOf(fault.getReason()))
                            + "."
                            + diskAdvice(Path.of(fault.getFile()));
        };
    }

    /** Advice about the file system, if it is full or read-only. */
    private static String diskAdvice(Path file) {
        try {
            Path there = file.toAbsolutePath();
            while (there.getParent() != null && !Files.exists(there)) {
                there = there.getParent();
            }
            FileStore disk = Files.getFileStore(there);
            if (disk.isReadOnly()) {
                return " The file system is read-only.";
            }
            boolean full = disk.getUsableSpace() < FREE_BYTES_MIN;
            return full ? " The disk is full." : "";
        } catch (IOException _) {
            return "";
        }
    }
}
