package dev.patchbay.daemon;

import dev.patchbay.files.PrivateFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * A log of bounded size: a full file is renamed, and replaces the one that was renamed before. What
 * cannot be written, such as on a full disk, is dropped.
 */
public final class RotatingLog extends OutputStream {
    private final Path file;
    private final long bytesMax;
    private @Nullable FileChannel channel;
    private long length;

    /**
     * @param bytesMax the size of one file; there are two at most
     */
    public RotatingLog(Path file, long bytesMax) {
        this.file = file;
        this.bytesMax = bytesMax;
    }

    /** The file with older lines. */
    public static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        try {
            FileChannel open = channel;
            if (open == null || length + count > bytesMax) {
                open = reopen(count);
            }
            PrivateFile.write(open, Arrays.copyOfRange(bytes, from, from + count));
            length += count;
        } catch (IOException _) {
            close(); // tried again with the next line
        }
    }

    private FileChannel reopen(int count) throws IOException {
        close();
        if (Files.exists(file) && Files.size(file) + count > bytesMax) {
            Files.move(file, older(file), StandardCopyOption.REPLACE_EXISTING);
        }
        FileChannel open = PrivateFile.open(file);
        length = open.size();
        open.position(length);
        channel = open;
        return open;
    }

    @Override
    public synchronized void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // Nothing more is written to it.
            }
        }
    }
}
