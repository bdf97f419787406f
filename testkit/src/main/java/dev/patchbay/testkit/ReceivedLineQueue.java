package dev.patchbay.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** The lines a client received and nobody has taken yet. Several threads may wait for their own. */
final class ReceivedLineQueue {
    /** When so many lines lie untaken, the reader waits and the pipe fills up. */
    private static final int LINES_MAX = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TreeMap<Long, Line> lines = new TreeMap<>();
    private long nextNumber;
    private boolean ended;

    /** A received line and its value, which is absent if the line is not strict JSON. */
    static final class Line {
        private final byte[] bytes;
        private final Optional<JsonTree> tree;

        Line(byte[] bytes, Optional<JsonTree> tree) {
            this.bytes = bytes;
            this.tree = tree;
        }

        byte[] bytes() {
            return bytes;
        }

        Optional<JsonTree> tree() {
            return tree;
        }
    }

    void put(Line line) {
        lock.lock();
        try {
            while (lines.size() >= LINES_MAX && !ended) {
                changed.awaitUninterruptibly();
            }
            lines.put(nextNumber++, line);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return lines.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the first line that fits; nothing if none came in time or before the output ended. */
    Optional<Line> take(Predicate<Line> fits, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            long seen = 0;
            while (true) {
                for (var entry : lines.tailMap(seen).entrySet()) {
                    // Taken out first: removing from a TreeMap may refill the entry at hand.
                    Line line = entry.getValue();
                    if (fits.test(line)) {
                        lines.remove(entry.getKey());
                        changed.signalAll();
                        return Optional.of(line);
                    }
                }
                seen = nextNumber;
                long left = deadline - System.nanoTime();
                if (ended || left <= 0) {
                    return Optional.empty();
                }
                var _ = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the output ended. */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return ended;
        } finally {
            lock.unlock();
        }
    }
}
