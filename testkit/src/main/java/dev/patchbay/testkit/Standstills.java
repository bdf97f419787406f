package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * When this machine, or this program, stood still: a few threads do nothing but wake up all the
 * time, and where one of them woke much too late, nobody can be expected to have been in time.
 */
final class Standstills {
    static final Standstills OF_THE_MACHINE = new Standstills();

    private static final long TICK_NANOS = 5_000_000;
    private static final long LATE_NANOS = 30_000_000;
    private static final int SPANS_MAX = 10_000;

    /** A span in which a ticker should have woken and did not. */
    private record Span(long from, long to) {}

    private final ConcurrentLinkedDeque<Span> spans = new ConcurrentLinkedDeque<>();
    private final List<Ticker> tickers = new ArrayList<>();

    private Standstills() {
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            var ticker = new Ticker();
            tickers.add(ticker);
            Thread.ofPlatform().daemon().name("tick").start(ticker);
        }
    }

    private final class Ticker implements Runnable {
        private volatile long last = System.nanoTime();

        @Override
        public void run() {
            while (true) {
                long before = last;
                LockSupport.parkNanos(TICK_NANOS);
                long now = System.nanoTime();
                if (now - before > LATE_NANOS) {
                    spans.add(new Span(before + TICK_NANOS, now));
                    if (spans.size() > SPANS_MAX) {
                        spans.poll();
                    }
                }
                last = now;
            }
        }
    }

    /** Has the tickers run before anything is measured. */
    void begin() {
        tickers.forEach(ticker -> awaitTick(ticker, System.nanoTime() - LATE_NANOS));
    }

    /** For how long, in these nanoseconds, the machine stood still. */
    long between(long from, long to) {
        tickers.forEach(ticker -> awaitTick(ticker, to));
        long still = 0;
        long counted = from;
        for (Span span : spans.stream().sorted(Standstills::byBegin).toList()) {
            long begin = Math.max(span.from, counted);
            long end = Math.min(span.to, to);
            if (end - begin > 0) {
                still += end - begin;
                counted = end;
            }
        }
        return still;
    }

    private static int byBegin(Span one, Span other) {
        return Long.compare(one.from - other.from, 0);
    }

    /** What a ticker slept through is known only when it is awake again. */
    private static void awaitTick(Ticker ticker, long after) {
        while (ticker.last - after < 0) {
            LockSupport.parkNanos(TICK_NANOS / 5);
        }
    }
}
