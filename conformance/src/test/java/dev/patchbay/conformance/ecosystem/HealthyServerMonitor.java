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
 * Calls the healthy server while another one fails, and checks the reported states. Closing it
 * asserts that no call failed, that none took more than twice the baseline, or a second on a busy
 * machine, and that no report was false.
 */
final class HealthyServerMonitor implements AutoCloseable {
    private static final Duration CALL_MAX = Duration.ofSeconds(1);
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final TestHost host;
    private final Duration latencyMax;
    private final List<Duration> callDurations = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final ReportedStateCheck stateCheck;
    private final List<String> falseReports = new CopyOnWriteArrayList<>();
    private final Thread callThread;
    private final Thread checkThread;
    private final AtomicInteger checkCount = new AtomicInteger();
    private volatile boolean isStopped;

    HealthyServerMonitor(TestHost host, Duration baseline, ReportedStateCheck truth) {
        this.host = host;
        this.stateCheck = truth;
        Duration twice = baseline.multipliedBy(2);
        this.latencyMax = twice.compareTo(CALL_MAX) > 0 ? twice : CALL_MAX;
        this.callThread = Thread.ofPlatform().daemon().name("monitor").start(this::callRepeatedly);
        this.checkThread = Thread.ofPlatform().daemon().name("look").start(this::checkReports);
    }

    private void checkReports() {
        while (!isStopped) {
            try {
                falseReports.addAll(stateCheck.falseReports());
            } catch (AssertionError e) {
                falseReports.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            checkCount.incrementAndGet();
            LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
        }
    }

    private void callRepeatedly() {
        for (int i = 0; !isStopped; i++) {
            String arguments = "{\"call\":" + i + "}";
            var stopwatch = Stopwatch.start();
            try {
                if (!host.callForText("calm.echo", arguments).equals(arguments)) {
                    failures.add("Another answer than that to call " + i);
                }
            } catch (AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            callDurations.add(stopwatch.activeTime());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void awaitCalls(int count) {
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> callDurations.size() >= count)).isTrue();
    }

    Duration slowestCall() {
        return Collections.max(callDurations);
    }

    @Override
    public void close() {
        awaitCalls(3);
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> checkCount.get() > 0)).isTrue();
        isStopped = true;
        assertThat(
                        TestHost.await(
                                TestHost.TIMEOUT,
                                () -> !callThread.isAlive() && !checkThread.isAlive()))
                .isTrue();
        assertThat(failures).isEmpty();
        assertThat(falseReports).as("false reports").isEmpty();
        assertThat(slowestCall()).as("of %d calls", callDurations.size()).isLessThan(latencyMax);
    }
}
