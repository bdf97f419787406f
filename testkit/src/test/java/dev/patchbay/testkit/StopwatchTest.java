package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

class StopwatchTest {
    /** Stops the program that started it for half a second, as a busy machine does. */
    private static final String STOP = "kill -STOP $PPID; sleep 0.5; kill -CONT $PPID";

    @Test
    void stalledTimeIsNotCounted() throws Exception {
        var watch = Stopwatch.start();
        Process stop = new ProcessBuilder("sh", "-c", STOP).start();
        assertThat(stop.waitFor()).isZero();
        Duration net = watch.activeTime();
        assertThat(watch.elapsed()).isGreaterThan(Duration.ofMillis(500));
        assertThat(watch.stalledTime()).isGreaterThan(Duration.ofMillis(400));
        assertThat(net.plusMillis(400)).isLessThan(watch.elapsed());
    }

    /** Else a program that is slow would be excused. */
    @Test
    void waitingTimeIsCounted() throws Exception {
        var watch = Stopwatch.start();
        assertThat(new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(watch.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(watch.activeTime().plus(watch.stalledTime()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(watch.activeTime()).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    /** A program that is not given a processor is slow without being at fault. */
    @Test
    void timeOfABusyMachineIsNotCounted() {
        assumeTrue(CpuPressure.isKnown());
        var stop = new AtomicBoolean();
        var watch = Stopwatch.start();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            Thread.ofPlatform().daemon().start(() -> spinUntil(stop));
        }
        assertThat(Await.becomesTrue(() -> watch.stalledTime().toMillis() > 100)).isTrue();
        stop.set(true);
        assertThat(watch.activeTime()).isLessThan(watch.elapsed());
    }

    private static void spinUntil(AtomicBoolean stop) {
        while (!stop.get()) {
            Thread.onSpinWait();
        }
    }
}
