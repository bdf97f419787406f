package dev.patchbay.http.client.wire;

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
 * One connection to a server, for consecutive exchanges, with its own read buffer. Interrupting the
 * thread that reads or writes closes it.
 */
final class HttpConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 8 * 1024;

    /** A connection that was idle for less time is assumed to be alive, if a check takes time. */
    private static final long ASSUMED_ALIVE_NANOS = Duration.ofMillis(50).toNanos();

    /** The tolerance for adjustments of the clock. */
    private static final long CLOCK_TOLERANCE_MILLIS = 1_000;

    private final Socket socket;

    /** The plain channel, if there is no TLS; checking it takes no time. */
    private final @Nullable SocketChannel plainChannel;

    private final InstantSource clock;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int end;
    private long idleSinceNanos;
    private long idleSinceMillis;
    private long idleNanosMax;

    HttpConnection(Socket socket, @Nullable SocketChannel plain) throws IOException {
        this(socket, plain, InstantSource.system());
    }

    /** The clock continues while the machine sleeps; {@link System#nanoTime} may not. */
    HttpConnection(Socket socket, @Nullable SocketChannel plain, InstantSource clock)
            throws IOException {
        this.socket = socket;
        this.plainChannel = plain;
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
        return position < end || fill() ? buffer[position++] & 0xFF : -1;
    }

    /** Reads at least one byte; returns the number, negative at the end. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (position == end && length >= BUFFER_BYTES) {
            return in.read(target, offset, length);
        }
        if (position == end && !fill()) {
            return -1;
        }
        int count = Math.min(length, end - position);
        System.arraycopy(buffer, position, target, offset, count);
        position += count;
        return count;
    }

    /**
     * Reads a line without its end, which may be CR LF or LF alone.
     *
     * @throws EOFException if the connection ends before
     */
    String readLine(int bytesMax) throws IOException {
        var longer = new StringBuilder();
        while (true) {
            int start = position;
            while (position < end && buffer[position] != '\n') {
                position++;
            }
            if (longer.length() + position - start > bytesMax) {
                throw new IOException("the header of the response is too long");
            }
            String part = new String(buffer, start, position - start, StandardCharsets.ISO_8859_1);
            if (position < end) {
                position++;
                String line = longer.isEmpty() ? part : longer.append(part).toString();
                return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            }
            longer.append(part);
            if (!fill()) {
                throw new EOFException("the connection was closed in the middle of the response");
            }
        }
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        position = 0;
        end = Math.max(0, count);
        return count > 0;
    }

    /** Marks the connection as idle, and how long it may be reused. */
    void markIdle(Duration atMost) {
        idleSinceNanos = System.nanoTime();
        idleSinceMillis = clock.millis();
        idleNanosMax = atMost.toNanos();
    }

    boolean isExpired() {
        long slept = clock.millis() - idleSinceMillis;
        return System.nanoTime() - idleSinceNanos > idleNanosMax
                || slept - CLOCK_TOLERANCE_MILLIS > TimeUnit.NANOSECONDS.toMillis(idleNanosMax);
    }

    /** Whether the connection can be reused: the server has neither closed it nor sent anything. */
    boolean isReusable() {
        if (position < end || isExpired()) {
            return false;
        }
        try {
            return plainChannel == null ? hasNoInputWithinMillisecond() : hasNoInput(plainChannel);
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean hasNoInput(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        int count = channel.read(ByteBuffer.allocate(1));
        channel.configureBlocking(true);
        return count == 0;
    }

    private boolean hasNoInputWithinMillisecond() throws IOException {
        if (System.nanoTime() - idleSinceNanos < ASSUMED_ALIVE_NANOS) {
            return true;
        }
        try {
            setReadTimeout(1);
            int _ = in.read(); // closed, or unexpected data
            return false;
        } catch (SocketTimeoutException _) {
            setReadTimeout(0);
            return true;
        }
    }

    /** The read timeout; zero for none. */
    void setReadTimeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // It was to be closed anyway.
        }
    }
}
