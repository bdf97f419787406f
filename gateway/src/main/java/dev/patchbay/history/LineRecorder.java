package dev.patchbay.history;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.json.Json;
import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes records to a {@link LineStore} on a thread of its own. Whoever adds a record never waits:
 * if there are too many, or the disk is full, records are lost, counted, and the count is written.
 *
 * <p>The thread writes at most {@link #RECORDS_MAX} records in each {@link #PAUSE}, so that a flood
 * of calls is not slowed down by its own history.
 *
 * @param <T> what is recorded
 */
final class LineRecorder<T> implements AutoCloseable {
    static final int RECORDS_MAX = 512;
    static final Duration PAUSE = Duration.ofMillis(250);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

    private final LineStore store;
    private final Format<T> format;
    private final Ticker ticker;
    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final LongAdder lost = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final BackgroundLoop loop;

    /** Whether the thread waits for a record. */
    private volatile boolean isWaiting;

    private volatile boolean isClosed;

    /** Whether the last write failed; used by the thread only. */
    private boolean hasFailed;

    /** How records are written. Used by the thread of the recorder only. */
    interface Format<T> {
        Json line(T record);

        /** The line that tells of records that were not written. */
        Json gap(long count);
    }

    LineRecorder(String name, LineStore store, Format<T> format, Ticker ticker) {
        this.store = store;
        this.format = format;
        this.ticker = ticker;
        this.loop = BackgroundLoop.start(name, this::writeNext);
    }

    /** Whether a record may be added; if not, it counts as lost. */
    boolean hasRoom() {
        if (queued.get() < RECORDS_MAX) {
            return true;
        }
        lost.increment();
        return false;
    }

    /** Adds a record, after {@link #hasRoom}. */
    void add(T record) {
        queued.incrementAndGet();
        queue.add(record);
        if (isWaiting) {
            wake();
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean writeNext() throws InterruptedException {
        awaitRecord();
        write(takeAll());
        awaitPause();
        return !isClosed || !queue.isEmpty();
    }

    private void awaitRecord() throws InterruptedException {
        lock.lock();
        try {
            isWaiting = true;
            while (queue.isEmpty() && !isClosed) {
                changed.await();
            }
        } finally {
            isWaiting = false;
            lock.unlock();
        }
    }

    private void awaitPause() throws InterruptedException {
        lock.lock();
        try {
            long left = PAUSE.toNanos();
            while (left > 0 && !isClosed) {
                left = ticker.awaitNanos(changed, left);
            }
        } finally {
            lock.unlock();
        }
    }

    private List<T> takeAll() {
        var records = new ArrayList<T>();
        while (records.size() < RECORDS_MAX) {
            T record = queue.poll();
            if (record == null) {
                break;
            }
            records.add(record);
        }
        queued.addAndGet(-records.size());
        return records;
    }

    private void write(List<T> records) {
        long gap = lost.sum();
        if (records.isEmpty() && gap == 0) {
            return;
        }
        try {
            store.append(lines(records, gap));
            lost.add(-gap);
            hasFailed = false;
        } catch (IOException e) {
            lost.add(records.size());
            reportOnce(e);
        }
    }

    private byte[] lines(List<T> records, long gap) {
        var lines = new ByteArrayOutputStream();
        if (gap > 0) {
            addLine(lines, format.gap(gap));
        }
        records.forEach(record -> addLine(lines, format.line(record)));
        return lines.toByteArray();
    }

    private static void addLine(ByteArrayOutputStream lines, Json line) {
        lines.writeBytes(line.toBytes());
        lines.write('\n');
    }

    private void reportOnce(IOException e) {
        if (!hasFailed) {
            hasFailed = true;
            System.getLogger(LineRecorder.class.getName())
                    .log(
                            WARNING,
                            "Cannot write to "
                                    + store.folder()
                                    + ": "
                                    + reason(e)
                                    + ". Calls are not affected, but not recorded.");
        }
    }

    private static String reason(IOException e) {
        String reason =
                e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null
                ? "check its permissions and the free space"
                : DisplayText.oneLine(reason);
    }

    /** Writes what was added, and waits for it a moment. */
    @Override
    public void close() {
        isClosed = true;
        wake();
        try {
            boolean _ = loop.awaitEnd(CLOSE_MAX);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        loop.close();
    }
}
