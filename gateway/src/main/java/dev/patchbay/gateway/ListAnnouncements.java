package dev.patchbay.gateway;

import dev.patchbay.time.Ticker;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The lists that a server has announced as changed. Clients are told even if the lists turn out to
 * be the same, as they would be without the gateway. A server that announces changes all the time
 * is not believed: then only differences count.
 */
final class ListAnnouncements {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final int ANNOUNCEMENTS_PER_PERIOD_MAX = 10;

    private final Ticker ticker;
    private final Set<String> pending = new HashSet<>();
    private long periodStartNanos;
    private int countInPeriod;

    ListAnnouncements(Ticker ticker) {
        this.ticker = ticker;
        this.periodStartNanos = ticker.nanoTime();
    }

    synchronized void add(String list) {
        if (ticker.nanoTime() - periodStartNanos > PERIOD.toNanos()) {
            periodStartNanos = ticker.nanoTime();
            countInPeriod = 0;
        }
        countInPeriod++;
        if (countInPeriod <= ANNOUNCEMENTS_PER_PERIOD_MAX) {
            pending.add(list);
        } else {
            pending.clear();
        }
    }

    /** The lists that were announced since the last time. */
    synchronized Set<String> take() {
        Set<String> taken = Set.copyOf(pending);
        pending.clear();
        return taken;
    }
}
