package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Stopwatch;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls the healthy server all the time while another fails, and looks whether what is said of all
 * servers is so. Its closing asserts that no call failed, that none took more than twice as long as
 * before, or than a second on a busy machine, and that nothing untrue was said.
 */
final class Watch implements AutoCloseable {
    private static final Duration CALL_MAX = Duration.ofSeconds(1);
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long LOOK_NANOS = 100_000_000;

    private final Host host;
    private final Duration max;
    private final List<Duration> calls = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Truth truth;
    private final List<String> lies = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final Thread looking;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean over;

    Watch(Host host, Duration baseline, Truth truth) {
        this.host = host;
        this.truth = truth;
        Duration twice = baseline.multipliedBy(2);
        this.max = twice.compareTo(CALL_MAX) > 0 ? twice : CALL_MAX;
        this.thread = Thread.ofPlatform().daemon().name("watch").start(this::run);
        this.looking = Thread.ofPlatform().daemon().name("look").start(this::look);
    }

    private void look() {
        while (!over) {
            try {
                lies.addAll(truth.lies());
            } catch (AssertionError e) {
                lies.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            looks.incrementAndGet();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void run() {
        for (int i = 0; !over; i++) {
            String arguments = "{\"call\":" + i + "}";
            var watch = Stopwatch.start();
            try {
                if (!host.text("calm.echo", arguments).equals(arguments)) {
                    failures.add("Another answer than that to call " + i);
                }
            } catch (AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            calls.add(watch.net());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void awaitCalls(int count) {
        assertThat(Host.await(Host.PATIENCE, () -> calls.size() >= count)).isTrue();
    }

    Duration slowest() {
        return Collections.max(calls);
    }

    @Override
    public void close() {
        awaitCalls(3);
        assertThat(Host.await(Host.PATIENCE, () -> looks.get() > 0)).isTrue();
        over = true;
        assertThat(Host.await(Host.PATIENCE, () -> !thread.isAlive() && !looking.isAlive()))
                .isTrue();
        assertThat(failures).isEmpty();
        assertThat(lies).as("said and not so").isEmpty();
        assertThat(slowest()).as("of %d calls", calls.size()).isLessThan(max);
    }
}
