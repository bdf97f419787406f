package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a server, for one exchange after the other. It is read through a buffer of its
 * own. An interrupt of the thread that reads or writes closes it.
 */
final class WireSocket implements AutoCloseable {
    private static final int BUFFER_BYTES = 8 * 1024;

    /** A connection that rested no longer is taken to be there, where a look takes time. */
    private static final long TRUSTED_NANOS = Duration.ofMillis(50).toNanos();

    /** What the clock may be set forward by, as clocks are, without a meaning. */
    private static final long TICK_MILLIS = 1_000;

    private final Socket socket;

    /** The channel below, if nothing lies between; a look at it takes no time. */
    private final @Nullable SocketChannel plain;

    private final InstantSource clock;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long restingSince;
    private long restingSinceMillis;
    private long restNanosMax;

    WireSocket(Socket socket, @Nullable SocketChannel plain) throws IOException {
        this(socket, plain, InstantSource.system());
    }

    /** The clock goes on while the machine sleeps, where the count of nanoseconds may not. */
    WireSocket(Socket socket, @Nullable SocketChannel plain, InstantSource clock)
            throws IOException {
        this.socket = socket;
        this.plain = plain;
        this.clock = clock;
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next byte; negative at the end. */
    int read() throws IOException {
        return at < end || fill() ? buffer[at++] & 0xFF : -1;
    }

    /** Reads at least one byte; how many, negative at the end. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (at == end && length >= BUFFER_BYTES) {
            return in.read(target, offset, length);
        }
        if (at == end && !fill()) {
            return -1;
        }
        int count = Math.min(length, end - at);
        System.arraycopy(buffer, at, target, offset, count);
        at += count;
        return count;
    }

    /**
     * Reads a line without its end, which may be CR LF or LF alone.
     *
     * @throws EOFException if the connection ends before
     */
    String line(int bytesMax) throws IOException {
        var longer = new StringBuilder();
        while (true) {
            int start = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            if (longer.length() + at - start > bytesMax) {
                throw new IOException("The head of its answer is too long");
            }
            String part = new String(buffer, start, at - start, StandardCharsets.ISO_8859_1);
            if (at < end) {
                at++;
                String line = longer.isEmpty() ? part : longer.append(part).toString();
                return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            }
            longer.append(part);
            if (!fill()) {
                throw new EOFException("It closed the connection within its answer");
            }
        }
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        at = 0;
        end = Math.max(0, count);
        return count > 0;
    }

    /** Notes that it is not used for now, and for how long it may be used again. */
    void rest(Duration atMost) {
        restingSince = System.nanoTime();
        restingSinceMillis = clock.millis();
        restNanosMax = atMost.toNanos();
    }

    boolean isRestedTooLong() {
        long slept = clock.millis() - restingSinceMillis;
        return System.nanoTime() - restingSince > restNanosMax
                || slept - TICK_MILLIS > TimeUnit.NANOSECONDS.toMillis(restNanosMax);
    }

    /** Whether it can be used again: the server has neither hung up nor said anything meanwhile. */
    boolean isUsable() {
        if (at < end || isRestedTooLong()) {
            return false;
        }
        try {
            return plain == null ? isQuietForAMoment() : isQuiet(plain);
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean isQuiet(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        int count = channel.read(ByteBuffer.allocate(1));
        channel.configureBlocking(true);
        return count == 0;
    }

    private boolean isQuietForAMoment() throws IOException {
        if (System.nanoTime() - restingSince < TRUSTED_NANOS) {
            return true;
        }
        try {
            patience(1);
            int _ = in.read(); // it hung up, or said something that nobody asked for
            return false;
        } catch (SocketTimeoutException _) {
            patience(0);
            return true;
        }
    }

    /** How long a read waits; zero for as long as it takes. */
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // It was to be given up anyway.
        }
    }
}
