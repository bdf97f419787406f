package dev.patchbay.stdio;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The process's own standard input and output, taken away from everybody else: a stray print then
 * goes to standard error, and a stray read finds the end.
 */
public record StandardStreams(InputStream in, OutputStream out) {
    /** Takes the streams. To be called before anything else runs. */
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
