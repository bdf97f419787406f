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
 * Writes lines whole and in order, whoever sends them. Many lines that wait go out in one write.
 * The queue is bounded in bytes: a peer that does not read makes its senders wait.
 *
 * <p>Who writes is chosen once. By the sender: whoever finds nobody writing writes for all, which
 * spares a lone line the way over another thread. By a thread of its own, begun when it is first
 * needed: a sender then never meets a pipe that blocks, and writes itself only what the pipe is
 * known to take, since the peer has shown by its answers how much it has read.
 */
public final class LineWriter {
    private static final int BATCH_BYTES_MAX = CoalescingOutputStream.WRITE_BYTES;

    /** What a pipe takes beyond what was read from it, however small the pipe is. */
    private static final int PIPE_BYTES_MIN = 4 * 1024;

    private static final Duration FOREVER = Duration.ofDays(365);

    private final OutputStream out;
    private final CoalescingOutputStream buffered;
    private final int queueBytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomAvailable = lock.newCondition();
    private final Condition workAvailable = lock.newCondition();

    /** The name of the thread that writes; null if senders do. */
    private final @Nullable String threadName;

    private ArrayDeque<EncodedJson> queue = new ArrayDeque<>();

    /** What is being written. It takes turns with the queue, which needs no memory. */
    private ArrayDeque<EncodedJson> inProgress = new ArrayDeque<>();

    private long queuedBytes;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();

    /** The number of the last write by a sender, while it is under way; else 0. */
    private long activeSenderWrite;

    private long senderWrites;
    private boolean threadStarted;
    private boolean writing;
    private boolean closed;
    private @Nullable IOException failure;

    private LineWriter(OutputStream out, int queueBytesMax, @Nullable String threadName) {
        this.out = out;
        this.buffered = new CoalescingOutputStream(out);
        this.queueBytesMax = queueBytesMax;
        this.threadName = threadName;
    }

    /** A writer in which senders write themselves. */
    public static LineWriter withSenderWrites(OutputStream out, int queueBytesMax) {
        return new LineWriter(out, queueBytesMax, null);
    }

    /** A writer with a platform thread of its own, of the given name. */
    public static LineWriter withWriterThread(OutputStream out, int queueBytesMax, String name) {
        return new LineWriter(out, queueBytesMax, name);
    }

    /** Sends a line, waiting for room as long as it takes. */
    public void send(EncodedJson line) throws IOException {
        if (!trySend(line, FOREVER)) {
            throw new InterruptedIOException("The peer has not read for a year");
        }
    }

    /** Sends a line; false if there is no room for it in time. */
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
                return true; // whoever writes goes on until nothing waits
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

    /** How many bytes were sent so far, written or waiting. */
    public long sentBytes() {
        return sentBytes.get();
    }

    /** The peer has read at least so many of the bytes sent. */
    public void acknowledgeRead(long bytes) {
        if (bytes > readBytes.get()) {
            long _ = readBytes.accumulateAndGet(bytes, Math::max);
        }
    }

    /** A number for the write that a sender has under way; 0 if none has. */
    long activeSenderWrite() {
        lock.lock();
        try {
            return activeSenderWrite;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the sender is to write; otherwise the thread is told to. */
    private boolean tryBecomeWriter() {
        if (mayBlock()) {
            wakeThread();
            return false;
        }
        writing = true;
        return true;
    }

    private boolean mayBlock() {
        return threadName != null && sentBytes.get() - readBytes.get() > PIPE_BYTES_MIN;
    }

    /** Has the thread of its own write. */
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

    /** Writes for all, and leaves to the thread what might block. */
    private void writeAsSender() {
        for (var batch = nextBatch(true); !batch.isEmpty(); batch = nextBatch(true)) {
            write(batch);
        }
    }

    /** What whoever writes has to write next. With nothing the pen is laid down. */
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
        } catch (RuntimeException | Error e) { // how much of a line is out, nobody knows
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
            // There is nobody left to tell.
        }
    }
}
