package dev.patchbay.http.server;

import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection of a client. It adds to Jetty's what a gateway must know: whether the client hung
 * up while its request is at work, and how long a request takes to arrive.
 *
 * <p>Jetty reads nothing while a request is at work. To notice a hang-up, {@link #isDisconnected}
 * reads in its place. What it finds, the start of a next request, is kept and handed over by {@link
 * #fill}.
 */
final class ClientEndPoint extends SocketChannelEndPoint implements ConnectionAdmission.Place {
    private static final int READ_AHEAD_BYTES_MAX = 4 * 1024;

    private final ReentrantLock readLock = new ReentrantLock();
    private final ManagedSelector selector;

    /** Data that was read ahead. */
    private @Nullable ByteBuffer readAhead;

    private boolean isEndOfStream;
    private boolean wasLastFillEmpty;

    /** When the first byte of the incoming request was read; zero if there is none. */
    private volatile long receivingSinceNanos;

    private volatile @Nullable HttpExchange exchange;
    private volatile @Nullable String principal;
    private final String remoteAddress;

    ClientEndPoint(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler) {
        super(channel, selector, key, scheduler);
        this.selector = selector;
        this.remoteAddress = address(channel);
    }

    private static String address(SocketChannel channel) {
        InetAddress address = channel.socket().getInetAddress();
        return address == null ? "" : address.getHostAddress();
    }

    @Override
    public @Nullable String principal() {
        return principal;
    }

    void setPrincipal(String authenticated) {
        principal = authenticated;
    }

    @Override
    public String remoteAddress() {
        return remoteAddress;
    }

    @Override
    public long createdMillis() {
        return getCreatedTimeStamp();
    }

    @Override
    public boolean isBusy() {
        return exchange != null;
    }

    @Override
    public long idleMillis() {
        return getIdleFor();
    }

    /**
     * Lets the connection look for its next request on the selector thread, which often finds it
     * there and need not be woken.
     */
    void resumeOnSelector(Runnable connection) {
        selector.submit(_ -> connection.run());
    }

    /** The current request, if there is one. */
    @Nullable HttpExchange exchange() {
        return exchange;
    }

    void beginExchange(HttpExchange begun) {
        receivingSinceNanos = 0;
        exchange = begun;
    }

    void endExchange() {
        exchange = null;
    }

    /** Whether a request has been arriving for longer than this. */
    boolean isReceivingLongerThan(long nanos) {
        long since = receivingSinceNanos;
        return since != 0 && System.nanoTime() - since > nanos;
    }

    /**
     * Whether the client has disconnected. For use while a request is being processed and its body
     * has been read.
     */
    boolean isDisconnected() {
        if (!isOpen()) {
            return true;
        }
        readLock.lock();
        try {
            if (isEndOfStream) {
                return true;
            }
            if (readAhead != null || getFillInterest().isInterested()) {
                return false; // there is a next request, or Jetty itself waits for one
            }
            var buffer = ByteBuffer.allocate(READ_AHEAD_BYTES_MAX);
            int count = getChannel().read(buffer);
            if (count > 0) {
                readAhead = buffer.flip();
            }
            isEndOfStream = count < 0;
            return isEndOfStream;
        } catch (IOException _) {
            isEndOfStream = true;
            return true;
        } finally {
            readLock.unlock();
        }
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        readLock.lock();
        try {
            int count = readAhead == null ? fillFromSocket(buffer) : fillFromReadAhead(buffer);
            if (count > 0 && exchange == null && receivingSinceNanos == 0) {
                receivingSinceNanos = System.nanoTime() | 1;
            }
            return count;
        } finally {
            readLock.unlock();
        }
    }

    /**
     * Jetty reads twice if nothing is available; the second read is answered without a system call.
     */
    private int fillFromSocket(ByteBuffer buffer) throws IOException {
        if (wasLastFillEmpty) {
            wasLastFillEmpty = false;
            return 0;
        }
        int count = super.fill(buffer);
        wasLastFillEmpty = count == 0;
        return count;
    }

    private int fillFromReadAhead(ByteBuffer buffer) {
        ByteBuffer source = Objects.requireNonNull(readAhead);
        int position = BufferUtil.flipToFill(buffer);
        int count = BufferUtil.put(source, buffer);
        BufferUtil.flipToFlush(buffer, position);
        if (!source.hasRemaining()) {
            readAhead = null;
        }
        return count;
    }

    @Override
    public void fillInterested(Callback callback) {
        readLock.lock();
        try {
            if (readAhead == null) {
                super.fillInterested(callback);
                return;
            }
        } finally {
            readLock.unlock();
        }
        Thread.startVirtualThread(callback::succeeded);
    }

    @Override
    public boolean tryFillInterested(Callback callback) {
        readLock.lock();
        try {
            if (readAhead == null) {
                return super.tryFillInterested(callback);
            }
        } finally {
            readLock.unlock();
        }
        Thread.startVirtualThread(callback::succeeded);
        return true;
    }
}
