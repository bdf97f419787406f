package dev.patchbay.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What a file that could not be read or written means to the person who typed the command. */
final class Faults {
    private Faults() {}

    /** What happened, where, and what to do. */
    static String told(IOException e) {
        if (!(e instanceof FileSystemException fault) || fault.getFile() == null) {
            return "Reading or writing failed: " + Terminal.plain(String.valueOf(e.getMessage()));
        }
        String file = Terminal.plain(fault.getFile());
        return switch (fault) {
            case AccessDeniedException _ ->
                    file + " may not be read or written. See who owns it: ls -l " + file;
            case NoSuchFileException _ -> file + " is not there.";
            default -> file + ": " + Terminal.plain(String.valueOf(fault.getReason())) + ".";
        };
    }
}
