package dev.patchbay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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
        assertThat(watch.activeTime()).isGreaterThan(Duration.ofMillis(100));
    }
}
