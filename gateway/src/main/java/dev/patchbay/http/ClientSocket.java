package dev.patchbay.http;

import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection of a client. It adds to Jetty's what a gateway must know: whether the client hung
 * up while its request is at work, and how long a request takes to arrive.
 *
 * <p>Jetty reads nothing while a request is at work. To notice a hang-up, {@link #isGone} reads in
 * its place. What it finds, the start of a next request, is kept and handed over by {@link #fill}.
 */
final class ClientSocket extends SocketChannelEndPoint {
    private static final int AHEAD_BYTES_MAX = 4 * 1024;

    private final ReentrantLock reading = new ReentrantLock();
    private final ManagedSelector selector;

    /** What was read ahead; ready to be taken out. */
    private @Nullable ByteBuffer ahead;

    private boolean ended;
    private boolean wasEmpty;

    /** When the first byte of the request that arrives was read; zero while none arrives. */
    private volatile long arrivingSince;

    private volatile @Nullable Visit visit;

    ClientSocket(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler) {
        super(channel, selector, key, scheduler);
        this.selector = selector;
    }

    /**
     * Has the connection look for its next request, on the thread of the selector. That one then
     * finds most next requests arrived, and need not be woken for each.
     */
    void resume(Runnable connection) {
        selector.submit(_ -> connection.run());
    }

    /** The request at work, if there is one. */
    @Nullable Visit visit() {
        return visit;
    }

    void enter(Visit begun) {
        arrivingSince = 0;
        visit = begun;
    }

    void leave() {
        visit = null;
    }

    /** Whether a request has been arriving for longer than this. */
    boolean isSlowerThan(long nanos) {
        long since = arrivingSince;
        return since != 0 && System.nanoTime() - since > nanos;
    }

    /** Whether the client hung up. For use while a request is at work and its body is read. */
    boolean isGone() {
        if (!isOpen()) {
            return true;
        }
        reading.lock();
        try {
            if (ended) {
                return true;
            }
            if (ahead != null || getFillInterest().isInterested()) {
                return false; // there is a next request, or Jetty itself waits for one
            }
            var buffer = ByteBuffer.allocate(AHEAD_BYTES_MAX);
            int count = getChannel().read(buffer);
            if (count > 0) {
                ahead = buffer.flip();
            }
            ended = count < 0;
            return ended;
        } catch (IOException _) {
            ended = true;
            return true;
        } finally {
            reading.unlock();
        }
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        reading.lock();
        try {
            int count = ahead == null ? fillAnew(buffer) : takeAhead(buffer);
            if (count > 0 && visit == null && arrivingSince == 0) {
                arrivingSince = System.nanoTime() | 1;
            }
            return count;
        } finally {
            reading.unlock();
        }
    }

    /** Jetty asks twice where nothing is there; the second time is answered without a look. */
    private int fillAnew(ByteBuffer buffer) throws IOException {
        if (wasEmpty) {
            wasEmpty = false;
            return 0;
        }
        int count = super.fill(buffer);
        wasEmpty = count == 0;
        return count;
    }

    private int takeAhead(ByteBuffer buffer) {
        ByteBuffer source = Objects.requireNonNull(ahead);
        int position = BufferUtil.flipToFill(buffer);
        int count = BufferUtil.put(source, buffer);
        BufferUtil.flipToFlush(buffer, position);
        if (!source.hasRemaining()) {
            ahead = null;
        }
        return count;
    }

    @Override
    public void fillInterested(Callback callback) {
        reading.lock();
        try {
            if (ahead == null) {
                super.fillInterested(callback);
                return;
            }
        } finally {
            reading.unlock();
        }
        Thread.startVirtualThread(callback::succeeded);
    }

    @Override
    public boolean tryFillInterested(Callback callback) {
        reading.lock();
        try {
            if (ahead == null) {
                return super.tryFillInterested(callback);
            }
        } finally {
            reading.unlock();
        }
        Thread.startVirtualThread(callback::succeeded);
        return true;
    }
}
