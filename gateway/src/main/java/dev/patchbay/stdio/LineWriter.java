package dev.patchbay.stdio;

import dev.patchbay.json.EncodedJson;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes whole lines in order, from any thread. Waiting lines are combined into one write. The
 * queue is bounded in bytes: if the peer does not read, senders wait.
 *
 * <p>There are two modes. With sender writes, a sender that finds the writer idle writes for all
 * senders, which avoids a thread switch. With a writer thread, a sender never blocks on the pipe:
 * it writes only as much as the pipe is known to take, because the peer's responses show how much
 * it has read.
 */
public final class LineWriter {
    private static final int BATCH_BYTES_MAX = CoalescingOutputStream.WRITE_BYTES;

    /** What every pipe takes in addition to what was read from it. */
    private static final int PIPE_BYTES_MIN = 4 * 1024;

    private static final Duration FOREVER = Duration.ofDays(365);

    private final OutputStream out;
    private final CoalescingOutputStream buffered;
    private final int queueBytesMax;
    private final int unreadBytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomAvailable = lock.newCondition();
    private final Condition workAvailable = lock.newCondition();

    /** The name of the writer thread; null if senders write. */
    private final @Nullable String threadName;

    private ArrayDeque<EncodedJson> queue = new ArrayDeque<>();

    /** The lines being written. It is swapped with the queue, which needs no allocation. */
    private ArrayDeque<EncodedJson> inProgress = new ArrayDeque<>();

    private long queuedBytes;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();

    /** The number of the current write by a sender; 0 if there is none. */
    private long activeSenderWrite;

    private long senderWrites;
    private boolean threadStarted;
    private boolean writing;
    private boolean closed;
    private @Nullable IOException failure;

    private LineWriter(
            OutputStream out, int queueBytesMax, @Nullable String threadName, int unreadBytesMax) {
        this.unreadBytesMax = unreadBytesMax;
        this.out = out;
        this.buffered = new CoalescingOutputStream(out);
        this.queueBytesMax = queueBytesMax;
        this.threadName = threadName;
    }

    /** A writer in which senders write. */
    public static LineWriter withSenderWrites(OutputStream out, int queueBytesMax) {
        return new LineWriter(out, queueBytesMax, null, PIPE_BYTES_MIN);
    }

    /** A writer with its own platform thread. */
    public static LineWriter withWriterThread(OutputStream out, int queueBytesMax, String name) {
        return new LineWriter(out, queueBytesMax, name, PIPE_BYTES_MIN);
    }

    /**
     * A writer with its own platform thread.
     *
     * @param unreadBytesMax how many bytes the peer surely takes in addition to what it has read
     */
    public static LineWriter withWriterThread(
            OutputStream out, int queueBytesMax, String name, int unreadBytesMax) {
        return new LineWriter(out, queueBytesMax, name, unreadBytesMax);
    }

    /** Sends a line; waits for room without a limit. */
    public void send(EncodedJson line) throws IOException {
        if (!trySend(line, FOREVER)) {
            throw new InterruptedIOException("The peer has not read for a year");
        }
    }

    /** Sends a line; returns false if there is no room in time. */
    public boolean trySend(EncodedJson line, Duration patience) throws IOException {
        if (line.length() > BATCH_BYTES_MAX) {
            flushHeld(); // a long line must not wait for lines that this thread holds back
        }
        lock.lock();
        try {
            if (!awaitRoom(line.length(), patience.toNanos())) {
                return false;
            }
            queue.add(line);
            queuedBytes += line.length() + 1L;
            long _ = sentBytes.addAndGet(line.length() + 1L);
            if (writing) {
                return true; // the current writer continues until the queue is empty
            }
            WriteBatch gathering = WriteBatch.current();
            if (gathering != null && queuedBytes <= BATCH_BYTES_MAX) {
                gathering.add(this);
                return true;
            }
            if (!tryBecomeWriter()) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        writeAsSender();
        return true;
    }

    /** The number of bytes sent so far, written or waiting. */
    public long sentBytes() {
        return sentBytes.get();
    }

    /** The peer has read at least this many of the sent bytes. */
    public void acknowledgeRead(long bytes) {
        if (bytes > readBytes.get()) {
            long _ = readBytes.accumulateAndGet(bytes, Math::max);
        }
    }

    /** A number that identifies the current write by a sender; 0 if there is none. */
    long activeSenderWrite() {
        lock.lock();
        try {
            return activeSenderWrite;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the sender should write; otherwise the thread is woken. */
    private boolean tryBecomeWriter() {
        if (mayBlock()) {
            wakeThread();
            return false;
        }
        writing = true;
        return true;
    }

    private boolean mayBlock() {
        return threadName != null && sentBytes.get() - readBytes.get() > unreadBytesMax;
    }

    /** Wakes the writer thread, and starts it if needed. */
    private void wakeThread() {
        if (threadStarted) {
            workAvailable.signal();
        } else if (threadName != null) {
            threadStarted = true;
            Thread.ofPlatform().daemon().name(threadName).start(this::writeUntilClosed);
        }
    }

    /** Writes what a {@link WriteBatch} held back. */
    void flushHeld() {
        lock.lock();
        try {
            if (writing || queue.isEmpty() || !tryBecomeWriter()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        writeAsSender();
    }

    /** Writes what waits, then closes the stream. Later lines are refused. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            roomAvailable.signalAll();
            workAvailable.signalAll();
            if (!queue.isEmpty()) {
                wakeThread();
            }
            if (writing || threadStarted) {
                return; // the current writer closes the stream after the last line
            }
        } finally {
            lock.unlock();
        }
        closeStream();
    }

    /** Waits for room, even when interrupted: a part of a cancelled request's lines is useless. */
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
                    left = roomAvailable.awaitNanos(left);
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
                    workAvailable.awaitUninterruptibly();
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

    private void writeAll() {
        for (var batch = nextBatch(false); !batch.isEmpty(); batch = nextBatch(false)) {
            write(batch);
        }
    }

    /** Writes for all senders, and leaves what might block to the thread. */
    private void writeAsSender() {
        for (var batch = nextBatch(true); !batch.isEmpty(); batch = nextBatch(true)) {
            write(batch);
        }
    }

    /** The next lines to write; if there are none, the writer stops. */
    private Collection<EncodedJson> nextBatch(boolean isSender) {
        lock.lock();
        try {
            inProgress.clear();
            boolean over = queue.isEmpty() || failure != null;
            if (!over && !(isSender && mayBlock())) {
                ArrayDeque<EncodedJson> batch = queue;
                queue = inProgress;
                inProgress = batch;
                activeSenderWrite = isSender ? ++senderWrites : 0;
                return batch;
            }
            writing = false;
            activeSenderWrite = 0;
            if (isSender && threadName != null && (!over || closed || failure != null)) {
                wakeThread();
            } else if (closed && threadName == null) {
                closeStream();
            }
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private void write(Collection<EncodedJson> batch) {
        IOException thrown = null;
        long bytes = 0;
        try {
            for (EncodedJson line : batch) {
                bytes += line.length() + 1L;
                line.writeTo(buffered);
                buffered.write('\n');
            }
            buffered.flush();
        } catch (IOException e) {
            thrown = e;
        } catch (RuntimeException | Error e) { // it is unknown how much of a line was written
            thrown = new IOException("Writing failed", e);
        }
        lock.lock();
        try {
            queuedBytes -= bytes;
            if (thrown != null) {
                failure = thrown;
                queue.clear();
                queuedBytes = 0;
            }
            roomAvailable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void closeStream() {
        try {
            out.close();
        } catch (IOException _) {
            // No one is left to inform.
        }
    }
}
