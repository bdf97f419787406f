package dev.patchbay.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all kept events of a server together may take. */
final class EventBudget {
    static final long KEPT_BYTES_MAX = 64L * 1024 * 1024;

    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    EventBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes room for so many bytes; false if there is none. */
    boolean take(int bytes) {
        if (taken.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    void give(int bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
