package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The line between a session's JVM and the server: JSON values, one a line. Answers and what the
 * user's code prints leave in the order in which they came to be. One thread writes, since a socket
 * channel closes under a thread that is interrupted, and the user's threads may be.
 */
public final class KernelChannel {
    public static final String OUT = "out";
    public static final String ERR = "err";
    public static final String STOP = "stop";

    /** The status of a JVM that ended itself because it could not go on. */
    public static final int EXIT_FAULT = 70;

    /** What user code may print between two evaluations. */
    private static final int IDLE_BYTES_MAX = 256 * 1024;

    private static final int REQUEST_BYTES_MAX = 16 * 1024 * 1024;

    /** A piece of what leaves: an answer, or text printed to one stream. */
    private record OutgoingPiece(
            @Nullable Json message, String name, ByteArrayOutputStream bytes) {}

    private final SocketChannel channel;
    private final String secret;
    private final InputStream input;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<OutgoingPiece> pending = new ArrayDeque<>();
    private boolean writing;
    private long bytesAllowed = IDLE_BYTES_MAX;
    private long droppedBytes;

    /** By stream, the first bytes of a character whose others were not printed yet. */
    private final Map<String, byte[]> partialCharacters = new HashMap<>();

    KernelChannel(SocketChannel channel, String secret) {
        this.channel = channel;
        this.secret = secret;
        this.input = new BufferedInputStream(Channels.newInputStream(channel));
        var writer = new Thread(this::write, "wire");
        writer.setDaemon(true);
        writer.start();
    }

    /** Begins a message of a kind. */
    static JsonWriter beginMessage(String kind) {
        return new JsonWriter().beginObject().member("say", kind);
    }

    void send(Json message) {
        lock.lock();
        try {
            pending.add(new OutgoingPiece(message, "", new ByteArrayOutputStream(0)));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void log(String text) {
        send(beginMessage("log").member("text", text).endObject().toJson());
    }

    /** The next request; null when the server has ended the line. */
    @Nullable Json receive() throws IOException, JsonException {
        var line = new ByteArrayOutputStream();
        int next = input.read();
        while (next >= 0 && next != '\n') {
            if (line.size() == REQUEST_BYTES_MAX) {
                throw new IOException("A request is too long");
            }
            line.write(next);
            next = input.read();
        }
        return next < 0 ? null : Json.parse(line.toByteArray());
    }

    CapturingStream stream(String name) {
        return new CapturingStream(name);
    }

    /** Lets the user's code print up to so many bytes from now on. */
    void allowOutput(long bytes) {
        lock.lock();
        try {
            bytesAllowed = Math.max(bytes, IDLE_BYTES_MAX);
            droppedBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes of what was printed since the last allowance were not passed on. */
    long droppedBytes() {
        lock.lock();
        try {
            return droppedBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks the raw descriptors, so that the server knows when it has read all that was printed to
     * them before. The server takes the marks out.
     */
    void writeMarks(long sequence) {
        byte[] mark = markOf(secret, sequence);
        for (FileDescriptor raw : new FileDescriptor[] {FileDescriptor.out, FileDescriptor.err}) {
            try {
                // Not closed: that would close the descriptor for the user's code.
                new FileOutputStream(raw).write(mark);
            } catch (IOException e) {
                // The user's code closed it; the server waits for the mark once and no more.
            }
        }
    }

    /** The bytes of a mark, alike on both sides. */
    public static byte[] markOf(String secret, long sequence) {
        return ("\0" + secret + ":" + sequence + "\0").getBytes(StandardCharsets.US_ASCII);
    }

    /** Waits until everything was written. */
    void awaitWritten(long millisMax) {
        long left = TimeUnit.MILLISECONDS.toNanos(millisMax);
        lock.lock();
        try {
            while ((writing || !pending.isEmpty()) && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        try {
            while (true) {
                Json message = message(takeNext());
                var line = ByteBuffer.allocate(message.length() + 1);
                line.put(message.toBytes()).put((byte) '\n').flip();
                while (line.hasRemaining()) {
                    channel.write(line);
                }
            }
        } catch (IOException | InterruptedException e) {
            Runtime.getRuntime().halt(0);
        }
    }

    private OutgoingPiece takeNext() throws InterruptedException {
        lock.lock();
        try {
            writing = false;
            changed.signalAll();
            while (pending.isEmpty()) {
                changed.await();
            }
            writing = true;
            return pending.remove();
        } finally {
            lock.unlock();
        }
    }

    private Json message(OutgoingPiece piece) {
        Json message = piece.message();
        if (message != null) {
            return message;
        }
        byte[] bytes = piece.bytes().toByteArray();
        int whole = wholeCharacters(bytes);
        if (whole < bytes.length) {
            keepPartialCharacter(piece.name(), Arrays.copyOfRange(bytes, whole, bytes.length));
        }
        String text = new String(bytes, 0, whole, StandardCharsets.UTF_8);
        return beginMessage(piece.name()).member("text", text).endObject().toJson();
    }

    /** The length of the bytes without the beginning of a character at their end. */
    private static int wholeCharacters(byte[] bytes) {
        for (int back = 1; back <= 3 && back <= bytes.length; back++) {
            int lead = bytes[bytes.length - back] & 0xFF;
            if (lead >= 0xC0) {
                int needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
                return needed > back ? bytes.length - back : bytes.length;
            }
            if (lead < 0x80) {
                break;
            }
        }
        return bytes.length;
    }

    private void keepPartialCharacter(String name, byte[] bytes) {
        lock.lock();
        try {
            OutgoingPiece first = pending.peekFirst();
            if (first != null && first.name().equals(name)) {
                byte[] rest = first.bytes().toByteArray();
                first.bytes().reset();
                first.bytes().writeBytes(bytes);
                first.bytes().writeBytes(rest);
            } else {
                partialCharacters.put(name, bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Where one standard stream of the user's code goes. Printing never waits. */
    final class CapturingStream extends OutputStream {
        private final String name;

        private CapturingStream(String name) {
            this.name = name;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] source, int from, int length) {
            lock.lock();
            try {
                int taken = (int) Math.min(length, bytesAllowed);
                bytesAllowed -= taken;
                if (taken > 0) {
                    currentBytes().write(source, from, taken);
                }
                droppedBytes += length - taken;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private ByteArrayOutputStream currentBytes() {
            OutgoingPiece last = pending.peekLast();
            if (last == null || !last.name().equals(name)) {
                last = new OutgoingPiece(null, name, new ByteArrayOutputStream());
                last.bytes().writeBytes(partialCharacters.getOrDefault(name, new byte[0]));
                partialCharacters.remove(name);
                pending.add(last);
            }
            return last.bytes();
        }
    }
}
