package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.JsonReader;

import jdk.net.ExtendedSocketOptions;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.UserPrincipal;

/**
 * A connection between a relay and the daemon of the same user. Each side checks who the other one
 * is. The first line in each direction is read here; what follows belongs to the caller.
 */
final class DaemonSocket implements AutoCloseable {
    private static final int LINE_BYTES_MAX = 4 << 20;
    private static final int READ_BYTES = 8 * 1024;

    /** The JDK keeps buffers of the size of the largest transfer. */
    private static final int TRANSFER_BYTES = 64 * 1024;

    /** Large enough that a few short lines never block their sender. */
    private static final int BUFFER_BYTES = 1 << 20;

    private final SocketChannel channel;
    private final InputStream input = new SocketInput();
    private final OutputStream output = new SocketOutput();

    /** What was read beyond the last line. */
    private ByteBuffer unread = ByteBuffer.allocate(0);

    private DaemonSocket(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects to the daemon; null if none listens. */
    static @Nullable DaemonSocket connect(DaemonFiles files) throws IOException {
        if (!Files.exists(files.socket())) {
            return null;
        }
        UserPrincipal user = files.requirePrivate();
        var address = UnixDomainSocketAddress.of(files.socket());
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(address);
            return of(channel, user);
        } catch (ConnectException _) {
            channel.close();
            return null; // the socket of a daemon that was killed
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** A connection whose other side is a process of the user. */
    static DaemonSocket of(SocketChannel channel, UserPrincipal user) throws IOException {
        UserPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(user)) {
            throw new IOException("The process on the other side belongs to " + peer.getName());
        }
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
        return new DaemonSocket(channel);
    }

    /** What the other side sends after the lines that were read. */
    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    void writeLine(Json line) throws IOException {
        output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Ends the reading, as if the other side had sent its last line. */
    void endInput() {
        try {
            channel.shutdownInput();
        } catch (IOException _) {
            // The other side is gone.
        }
    }

    /** Says that nothing more follows. The other side can still send. */
    void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException _) {
            // The other side is gone.
        }
    }

    /** Reads a line; null if the other side closes the connection or sends no JSON. */
    @Nullable Json readLine() throws IOException {
        var text = new ByteArrayOutputStream();
        byte[] buffer = new byte[READ_BYTES];
        while (text.size() <= LINE_BYTES_MAX) {
            int length = input.read(buffer, 0, buffer.length);
            if (length < 0) {
                return null;
            }
            int end = 0;
            while (end < length && buffer[end] != '\n') {
                end++;
            }
            text.write(buffer, 0, end);
            if (end < length) {
                unread = ByteBuffer.wrap(buffer, end + 1, length - end - 1);
                return parse(text.toByteArray());
            }
        }
        return null;
    }

    private static @Nullable Json parse(byte[] line) {
        try {
            return new JsonReader(JsonLimits.DEFAULTS).read(line, 0, line.length);
        } catch (JsonException _) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // It is closed for both sides all the same.
        }
    }

    /** Reads from the socket, without the locks and buffers of the JDK's adapter. */
    private final class SocketInput extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (unread.hasRemaining()) {
                int count = Math.min(length, unread.remaining());
                unread.get(bytes, from, count);
                return count;
            }
            return channel.read(ByteBuffer.wrap(bytes, from, Math.min(length, TRANSFER_BYTES)));
        }
    }

    /** Writes to the socket. */
    private final class SocketOutput extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int at = from;
            int end = from + length;
            while (at < end) {
                int part = Math.min(end - at, TRANSFER_BYTES);
                try {
                    at += channel.write(ByteBuffer.wrap(bytes, at, part));
                } catch (IOException e) {
                    throw new PartialWriteException(at - from, e);
                }
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** A write that failed after some bytes. */
    static final class PartialWriteException extends IOException {
        private final int writtenBytes;

        PartialWriteException(int writtenBytes, IOException cause) {
            super(cause);
            this.writtenBytes = writtenBytes;
        }

        int writtenBytes() {
            return writtenBytes;
        }
    }
}
