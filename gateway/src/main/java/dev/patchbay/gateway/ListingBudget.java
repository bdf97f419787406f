package dev.patchbay.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The bytes that the lists of all servers may take together. If they take more, the largest are
 * reduced to one common size, so that a server with small lists never loses an entry to a server
 * with large ones. The lock guards sizes only, never lists.
 */
final class ListingBudget {
    static final long TOTAL_BYTES_MAX = 16L * 1024 * 1024;
    static final long SERVER_BYTES_MAX = 8L * 1024 * 1024;

    /** The lists of one server. */
    interface Holder {
        /** Reduces the lists to so many bytes. */
        void limit(long bytesMax);
    }

    private final long totalBytesMax;
    private final long serverBytesMax;

    /** Weak keys: a query may still end after its server was removed. */
    private final Map<Holder, Long> sizes = new WeakHashMap<>();

    ListingBudget() {
        this(TOTAL_BYTES_MAX, SERVER_BYTES_MAX);
    }

    ListingBudget(long totalBytesMax, long serverBytesMax) {
        this.totalBytesMax = totalBytesMax;
        this.serverBytesMax = serverBytesMax;
    }

    /**
     * Records the size of a server's lists, and limits the lists of others that are too large now.
     *
     * @return the most that these lists may take
     */
    long claim(Holder holder, long bytes) {
        long limit;
        var tooLarge = new ArrayList<Holder>();
        synchronized (this) {
            sizes.put(holder, Math.min(bytes, serverBytesMax));
            limit = limit();
            for (Map.Entry<Holder, Long> it : sizes.entrySet()) {
                if (it.getValue() > limit && !it.getKey().equals(holder)) {
                    it.setValue(limit);
                    tooLarge.add(it.getKey());
                }
            }
            sizes.put(holder, Math.min(bytes, limit));
        }
        tooLarge.forEach(it -> it.limit(limit));
        return limit;
    }

    /** The most that the lists of one server may take now. */
    synchronized long limit() {
        long[] sorted = sizes.values().stream().mapToLong(it -> it).sorted().toArray();
        long left = totalBytesMax;
        for (int i = 0; i < sorted.length; i++) {
            long share = left / (sorted.length - i);
            if (sorted[i] > share) {
                return Math.min(share, serverBytesMax);
            }
            left -= sorted[i];
        }
        return serverBytesMax;
    }

    synchronized void release(Holder holder) {
        sizes.remove(holder);
    }

    /** The recorded sizes, for tests. */
    synchronized List<Long> sizes() {
        return sizes.values().stream().sorted().toList();
    }
}
