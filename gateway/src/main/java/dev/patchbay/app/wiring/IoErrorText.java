package dev.patchbay.app.wiring;

import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What a file that could not be read or written means to the person who typed the command. */
public final class IoErrorText {
    /** With less than that a disk is full, whatever was to be written. */
    private static final long FREE_BYTES_MIN = 1024 * 1024;

    private IoErrorText() {}

    /** What happened, where, and what to do. */
    public static String describe(IOException e) {
        if (!(e instanceof FileSystemException fault) || fault.getFile() == null) {
            return "Reading or writing failed: "
                    + DisplayText.oneLine(String.valueOf(e.getMessage()));
        }
        String file = DisplayText.oneLine(fault.getFile());
        return switch (fault) {
            case AccessDeniedException _ ->
                    file + " may not be read or written. See who owns it: ls -l " + file;
            case NoSuchFileException _ -> file + " is not there.";
            default ->
                    file
                            + ": "
                            + DisplayText.oneLine(String.valueOf(fault.getReason()))
                            + "."
                            + diskAdvice(Path.of(fault.getFile()));
        };
    }

    /** What to do about the disk, if it takes nothing. */
    private static String diskAdvice(Path file) {
        try {
            Path there = file.toAbsolutePath();
            while (there.getParent() != null && !Files.exists(there)) {
                there = there.getParent();
            }
            FileStore disk = Files.getFileStore(there);
            if (disk.isReadOnly()) {
                return " Make its file system writable first.";
            }
            boolean full = disk.getUsableSpace() < FREE_BYTES_MIN;
            return full ? " Make room on its disk first." : "";
        } catch (IOException _) {
            return "";
        }
    }
}
