package dev.patchbay.stdio;

import dev.patchbay.json.JsonText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes lines whole and in order, whoever sends them. Many lines that wait go out in one write.
 * The queue is bounded in bytes: a peer that does not read makes its senders wait.
 *
 * <p>Who writes is chosen once. By the sender: whoever finds nobody writing writes for all, which
 * spares a lone line the way over another thread. By a thread of its own, begun when it is first
 * needed: a sender then never meets a pipe that blocks.
 */
public final class LineWriter {
    private static final int GATHER_BYTES = PieceOutput.WRITE_BYTES;
    private static final Duration FOREVER = Duration.ofDays(365);

    private final OutputStream out;
    private final PieceOutput pieces;
    private final int queueBytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Condition work = lock.newCondition();

    /** The name of the thread that writes; null if senders do. */
    private final @Nullable String threadName;

    private ArrayDeque<JsonText> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean threadBegun;
    private boolean writing;
    private boolean closed;
    private @Nullable IOException failure;

    private LineWriter(OutputStream out, int queueBytesMax, @Nullable String threadName) {
        this.out = out;
        this.pieces = new PieceOutput(out);
        this.queueBytesMax = queueBytesMax;
        this.threadName = threadName;
    }

    /** A writer in which senders write themselves. */
    public static LineWriter bySender(OutputStream out, int queueBytesMax) {
        return new LineWriter(out, queueBytesMax, null);
    }

    /** A writer with a platform thread of its own, of the given name. */
    public static LineWriter byThread(OutputStream out, int queueBytesMax, String name) {
        return new LineWriter(out, queueBytesMax, name);
    }

    /** Sends a line, waiting for room as long as it takes. */
    public void send(JsonText line) throws IOException {
        if (!trySend(line, FOREVER)) {
            throw new InterruptedIOException("The peer has not read for a year");
        }
    }

    /** Sends a line; false if there is no room for it in time. */
    public boolean trySend(JsonText line, Duration patience) throws IOException {
        if (line.length() > GATHER_BYTES) {
            release(); // a long line must not wait for lines that this thread holds back
        }
        lock.lock();
        try {
            if (!awaitRoom(line.length(), patience.toNanos())) {
                return false;
            }
            queue.add(line);
            queuedBytes += line.length() + 1L;
            if (writing) {
                return true; // whoever writes goes on until nothing waits
            }
            Gathering gathering = Gathering.current();
            if (gathering != null && queuedBytes <= GATHER_BYTES) {
                gathering.hold(this);
                return true;
            }
            if (wakeThread()) {
                return true;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        writeAll();
        return true;
    }

    /** Has the thread of its own write, if there is to be one. */
    private boolean wakeThread() {
        if (threadName == null) {
            return false;
        }
        if (threadBegun) {
            work.signal();
        } else {
            threadBegun = true;
            Thread.ofPlatform().daemon().name(threadName).start(this::writeUntilClosed);
        }
        return true;
    }

    /**
     * Sends a line on this thread if nobody writes and nothing waits, else as {@link #trySend} does
     * without patience. The write blocks if the peer does not read: the caller must know better.
     */
    public boolean sendNow(JsonText line) throws IOException {
        if (!takePen(line)) {
            return trySend(line, Duration.ZERO);
        }
        write(List.of(line));
        lock.lock();
        try {
            writing = false;
            if (!queue.isEmpty() || closed || failure != null) {
                boolean _ = wakeThread();
            }
            if (failure != null) {
                throw new IOException("The peer is gone", failure);
            }
        } finally {
            lock.unlock();
        }
        return true;
    }

    private boolean takePen(JsonText line) {
        lock.lock();
        try {
            if (threadName == null || writing || !queue.isEmpty() || closed || failure != null) {
                return false;
            }
            writing = true;
            queuedBytes += line.length() + 1L;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what a {@link Gathering} held back. */
    void release() {
        lock.lock();
        try {
            if (writing || queue.isEmpty()) {
                return;
            }
            if (wakeThread()) {
                return;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        writeAll();
    }

    /** Writes what waits, then closes the stream. Later lines are refused. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
            work.signalAll();
            boolean held = !queue.isEmpty() && wakeThread();
            if (held || writing || threadBegun) {
                return; // whoever writes closes the stream behind the last line
            }
        } finally {
            lock.unlock();
        }
        closeStream();
    }

    /** Waits for room even when interrupted: half the lines of a cancelled request help nobody. */
    private boolean awaitRoom(int bytes, long patienceNanos) throws IOException {
        long left = patienceNanos;
        boolean interrupted = false;
        try {
            while (true) {
                if (failure != null) {
                    throw new IOException("The peer is gone", failure);
                }
                if (closed) {
                    throw new IOException("The channel is closed");
                }
                if (queuedBytes == 0 || queuedBytes + bytes <= queueBytesMax) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
                try {
                    left = room.awaitNanos(left);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void writeUntilClosed() {
        while (true) {
            lock.lock();
            try {
                while (writing || (queue.isEmpty() && !closed && failure == null)) {
                    work.awaitUninterruptibly();
                }
                if (failure != null || queue.isEmpty()) {
                    break;
                }
                writing = true;
            } finally {
                lock.unlock();
            }
            writeAll();
        }
        closeStream();
    }

    /** Writes until nothing waits. Only one thread at a time is in here. */
    private void writeAll() {
        while (true) {
            List<JsonText> batch;
            lock.lock();
            try {
                if (queue.isEmpty() || failure != null) {
                    writing = false;
                    if (closed && threadName == null) {
                        closeStream();
                    }
                    return;
                }
                batch = new ArrayList<>(queue);
                queue.clear();
            } finally {
                lock.unlock();
            }
            write(batch);
        }
    }

    private void write(List<JsonText> batch) {
        IOException thrown = null;
        long bytes = 0;
        try {
            for (JsonText line : batch) {
                bytes += line.length() + 1L;
                line.writeTo(pieces);
                pieces.write('\n');
            }
            pieces.flush();
        } catch (IOException e) {
            thrown = e;
        }
        lock.lock();
        try {
            queuedBytes -= bytes;
            if (thrown != null) {
                failure = thrown;
                queue.clear();
                queuedBytes = 0;
            }
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void closeStream() {
        try {
            out.close();
        } catch (IOException _) {
            // There is nobody left to tell.
        }
    }
}
