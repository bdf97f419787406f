package dev.patchbay.testkit;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The standard streams of a {@link ScriptedServer}, with the noise its script wants on them. */
final class ServerWire {
    private static final int READ_BYTES = 64 * 1024;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final TrafficFile traffic;
    private final String before;
    private final String among;
    private final String lineEnd;
    private boolean begun;
    private volatile boolean deaf;

    ServerWire(ServerOptions options, TrafficFile traffic) {
        this.traffic = traffic;
        this.before = options.text("before", "");
        this.among = options.text("among", "");
        this.lineEnd = options.text("line-end", "lf").equals("crlf") ? "\r\n" : "\n";
    }

    /** Hands each line over until the input ends or nobody shall read it any more. */
    void read(Consumer<byte[]> lines) throws IOException {
        var splitter =
                new LineSplitter(
                        line -> {
                            traffic.received(line);
                            lines.accept(line);
                        });
        byte[] buffer = new byte[READ_BYTES];
        int n = in.read(buffer);
        while (n >= 0 && !deaf) {
            splitter.accept(buffer, n);
            n = deaf ? -1 : in.read(buffer);
        }
    }

    /** Stops reading for good. */
    void goDeaf() {
        deaf = true;
    }

    boolean isDeaf() {
        return deaf;
    }

    /** Writes a message as one line, after the noise the script wants. */
    synchronized void line(String json) {
        if (!begun) {
            begun = true;
            bytes(Noise.of(before));
        }
        bytes(Noise.of(among));
        traffic.sent(Text.bytes(json));
        bytes(Text.bytes(json + lineEnd));
    }

    /** Writes bytes as they are; they count as no message. */
    synchronized void bytes(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            ProcessFaults.end(1); // nobody reads: what other servers do, too
        }
    }

    /** Writes a head, a filling of so many letters, and a tail, without building the whole. */
    synchronized void filled(String head, long letters, String tail) {
        bytes(Text.bytes(head));
        byte[] chunk = new byte[CHUNK_BYTES];
        Arrays.fill(chunk, (byte) 'x');
        for (long left = letters; left > 0; left -= chunk.length) {
            bytes(left < chunk.length ? Arrays.copyOf(chunk, (int) left) : chunk);
        }
        bytes(Text.bytes(tail));
    }

    /** Writes one byte, waits, writes the next; nothing else can be written meanwhile. */
    synchronized void drip(byte[] bytes, long pauseMillis) {
        for (byte b : bytes) {
            bytes(new byte[] {b});
            pause(pauseMillis);
        }
    }

    void complain(byte[] bytes) {
        try {
            err.write(bytes);
        } catch (IOException e) {
            // nobody listens, which is the listener's affair
        }
    }

    void closeInput() {
        deaf = true;
        close(in);
    }

    void closeOutput() {
        close(out);
    }

    static void pause(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void close(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
