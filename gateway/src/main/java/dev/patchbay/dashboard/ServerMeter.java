package dev.patchbay.dashboard;

import dev.patchbay.gateway.CallObserver.EndedCall;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.history.OutcomeLabel;
import dev.patchbay.mcp.TraceContext.SpanIds;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counters of one server's calls. They need no lock. */
final class ServerMeter {
    /** The upper bounds of the latency buckets in microseconds; one more bucket is above them. */
    static final List<Long> BUCKET_BOUNDS_MICROS =
            List.of(
                    500L,
                    1_000L,
                    2_500L,
                    5_000L,
                    10_000L,
                    25_000L,
                    50_000L,
                    100_000L,
                    250_000L,
                    500_000L,
                    1_000_000L,
                    2_500_000L,
                    5_000_000L,
                    10_000_000L,
                    30_000_000L,
                    60_000_000L);

    private static final long[] BUCKET_BOUNDS_NANOS =
            BUCKET_BOUNDS_MICROS.stream().mapToLong(micros -> micros * 1_000).toArray();

    private final LongAdder[] outcomeCounters = adders(OutcomeLabel.ALL.size());
    private final LongAdder[] latencyBuckets = adders(BUCKET_BOUNDS_NANOS.length + 1);
    private final AtomicReferenceArray<@Nullable Exemplar> exemplars =
            new AtomicReferenceArray<>(BUCKET_BOUNDS_NANOS.length + 1);
    private final LongAdder timedNanos = new LongAdder();
    private final AtomicLong restarts = new AtomicLong();
    private volatile long answeredNanos;
    private volatile boolean hasAnswered;

    /** The counters at one moment. */
    record Snapshot(long calls, long errors, long timed, long timedNanos) {
        static final Snapshot ZERO = new Snapshot(0, 0, 0, 0);

        Snapshot minus(Snapshot earlier) {
            return new Snapshot(
                    calls - earlier.calls,
                    errors - earlier.errors,
                    timed - earlier.timed,
                    timedNanos - earlier.timedNanos);
        }

        /** The mean latency in microseconds; null without a measured call. */
        @Nullable Long meanMicros() {
            return timed <= 0 ? null : timedNanos / timed / 1_000;
        }
    }

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    /**
     * A call that stands for others of its latency bucket. Times are of {@link System#nanoTime}.
     */
    record Exemplar(SpanIds span, long nanos, long endedNanos) {}

    void count(OutcomeLabel ending, EndedCall call) {
        CallResult reply = call.result();
        long nanos = call.endedNanos() - call.startedNanos();
        outcomeCounters[ending.index()].increment();
        if (OutcomeLabel.isLatencyMeasured(reply)) {
            int bucket = bucketIndex(nanos);
            latencyBuckets[bucket].increment();
            timedNanos.add(nanos);
            if (call.span() != null) {
                exemplars.set(bucket, new Exemplar(call.span(), nanos, call.endedNanos()));
            }
        }
        if (OutcomeLabel.isAnswered(reply)) {
            answeredNanos = call.endedNanos();
            hasAnswered = true;
        }
    }

    private static int bucketIndex(long nanos) {
        int at = 0;
        while (at < BUCKET_BOUNDS_NANOS.length && nanos > BUCKET_BOUNDS_NANOS[at]) {
            at++;
        }
        return at;
    }

    void countRestart() {
        restarts.incrementAndGet();
    }

    /** How often the server was connected again after the first time. */
    long restarts() {
        return restarts.get();
    }

    long count(OutcomeLabel ending) {
        return outcomeCounters[ending.index()].sum();
    }

    /** The number of calls in each latency bucket. */
    long[] bucketCounts() {
        return Stream.of(latencyBuckets).mapToLong(LongAdder::sum).toArray();
    }

    /** The last traced call of a latency bucket; null if there is none. */
    @Nullable Exemplar exemplar(int bucket) {
        return exemplars.get(bucket);
    }

    /** When the server last answered a call, by {@link System#nanoTime}; null if it never did. */
    @Nullable Long answeredNanos() {
        return hasAnswered ? answeredNanos : null;
    }

    Snapshot snapshot() {
        long calls = 0;
        long errors = 0;
        for (OutcomeLabel ending : OutcomeLabel.ALL) {
            long count = count(ending);
            calls += count;
            errors += ending.isError() ? count : 0;
        }
        long timed = 0;
        for (LongAdder latency : latencyBuckets) {
            timed += latency.sum();
        }
        return new Snapshot(calls, errors, timed, timedNanos.sum());
    }
}
