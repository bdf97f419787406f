package dev.patchbay.repl;

import dev.patchbay.repl.OutputListener.StandardStream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One raw descriptor of a session's JVM: what native code, child processes and the JVM itself
 * print. The kernel marks it behind each request; the marks are taken out here, and tell that all
 * before them was read.
 */
final class RawOutputReader {
    private static final int CHUNK_BYTES = 8 * 1024;

    private final InputStream input;
    private final StandardStream stream;
    private final OutputListener listener;
    private final byte[] markStart;
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition marked = lock.newCondition();
    private long lastMark;
    private boolean ended;

    /** Bytes read but not passed on: the start of a mark, or of a character. */
    private byte[] pending = new byte[0];

    RawOutputReader(InputStream input, StandardStream target, OutputListener sink, String secret) {
        this.input = input;
        this.stream = target;
        this.listener = sink;
        this.markStart = ("\0" + secret + ":").getBytes(StandardCharsets.US_ASCII);
    }

    void start() {
        var thread = new Thread(this::read, "repl raw " + stream);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until a mark was read; false if it did not come in time. */
    boolean awaitMark(long sequence, Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (lastMark < sequence && !ended && left > 0) {
                left = marked.awaitNanos(left);
            }
            return lastMark >= sequence || ended;
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        var chunk = new byte[CHUNK_BYTES];
        try {
            for (int count = input.read(chunk); count >= 0; count = input.read(chunk)) {
                byte[] all = Arrays.copyOf(pending, pending.length + count);
                System.arraycopy(chunk, 0, all, pending.length, count);
                process(all);
            }
        } catch (IOException e) {
            // The process is gone, which its owner notices by itself.
        }
        emit(pending, 0, pending.length);
        lock.lock();
        try {
            ended = true;
            marked.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Passes text on and takes marks out; what may be the start of a mark is held back. */
    private void process(byte[] bytes) {
        int from = 0;
        int at = 0;
        while (at < bytes.length) {
            if (bytes[at] != 0 || !mayBeMark(bytes, at)) {
                at++;
                continue;
            }
            int end = indexOfZero(bytes, at + 1);
            if (end < 0) {
                break;
            }
            emit(bytes, from, at);
            mark(new String(bytes, at, end - at, StandardCharsets.US_ASCII));
            at = end + 1;
            from = at;
        }
        int rest = emit(bytes, from, at);
        pending = Arrays.copyOfRange(bytes, rest, bytes.length);
    }

    /** Whether the bytes go on like a mark, as far as they go. */
    private boolean mayBeMark(byte[] bytes, int at) {
        int length = Math.min(markStart.length, bytes.length - at);
        return Arrays.equals(bytes, at, at + length, markStart, 0, length);
    }

    private static int indexOfZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        return -1;
    }

    private void mark(String text) {
        lock.lock();
        try {
            lastMark = Long.parseLong(text.substring(markStart.length));
            marked.signalAll();
        } catch (NumberFormatException e) {
            // Written by code that read the secret: it fools only itself.
        } finally {
            lock.unlock();
        }
    }

    /** Passes bytes on as text; where the bytes end that made whole characters. */
    private int emit(byte[] bytes, int from, int to) {
        if (from >= to) {
            return from;
        }
        var source = ByteBuffer.wrap(bytes, from, to - from);
        var text = CharBuffer.allocate(to - from + 1);
        decoder.reset().decode(source, text, false);
        if (text.flip().hasRemaining()) {
            listener.onOutput(stream, text.toString());
        }
        return source.position();
    }
}
