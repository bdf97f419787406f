package dev.patchbay.http.server;

import java.util.concurrent.atomic.AtomicLong;

/** The memory for the stored events of all streams. */
final class ReplayMemoryBudget {
    static final long STORED_BYTES_MAX = 64L * 1024 * 1024;

    private final long bytesMax;
    private final AtomicLong reservedBytes = new AtomicLong();

    ReplayMemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Reserves bytes; returns false if there is no room. */
    boolean tryReserve(int bytes) {
        if (reservedBytes.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        reservedBytes.addAndGet(-bytes);
        return false;
    }

    void release(int bytes) {
        reservedBytes.addAndGet(-bytes);
    }

    long reservedBytes() {
        return reservedBytes.get();
    }
}
