package dev.patchbay.stdio;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The standard input and output of the process, removed from {@link System}: stray prints go to
 * standard error, and stray reads find the end of input.
 */
public record StandardStreams(InputStream in, OutputStream out) {
    /** Takes over the streams. Must be called before anything else runs. */
    public static StandardStreams takeOver() {
        var streams =
                new StandardStreams(
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out));
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        return streams;
    }
}
