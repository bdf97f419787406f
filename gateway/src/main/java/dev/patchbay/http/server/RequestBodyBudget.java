package dev.patchbay.http.server;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory for the bodies of all requests in progress. One principal gets at most half of it, so
 * that no client can keep the others from sending.
 */
final class RequestBodyBudget {
    private final long bytesMax;
    private final Map<String, Long> bytesByPrincipal = new HashMap<>();
    private long reservedBytes;

    RequestBodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The reservation of one body; empty at first. */
    Reservation open(String principal) {
        return new Reservation(principal);
    }

    /** The bytes of all bodies in progress. */
    synchronized long reservedBytes() {
        return reservedBytes;
    }

    private synchronized boolean tryReserve(String principal, long bytes) {
        long own = bytesByPrincipal.getOrDefault(principal, 0L) + bytes;
        if (reservedBytes + bytes > bytesMax || own > bytesMax / 2) {
            return false;
        }
        reservedBytes += bytes;
        bytesByPrincipal.put(principal, own);
        return true;
    }

    private synchronized void release(String principal, long bytes) {
        reservedBytes -= bytes;
        bytesByPrincipal.computeIfPresent(
                principal, (_, own) -> own == bytes ? null : Long.valueOf(own - bytes));
    }

    /** The memory of one body. Closing it releases everything; afterwards it cannot grow. */
    final class Reservation implements AutoCloseable {
        private final String principal;
        private long bytes;
        private boolean isClosed;

        private Reservation(String principal) {
            this.principal = principal;
        }

        /** Reserves more; returns false if the budget or the principal's share is used up. */
        synchronized boolean tryGrow(long more) {
            if (isClosed || !tryReserve(principal, more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        @Override
        public synchronized void close() {
            if (!isClosed && bytes > 0) {
                release(principal, bytes);
            }
            isClosed = true;
        }
    }
}
