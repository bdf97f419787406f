package dev.patchbay.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class BackgroundLoopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(
            classes = {
                OutOfMemoryError.class,
                StackOverflowError.class,
                IllegalStateException.class,
                NoClassDefFoundError.class,
                InterruptedException.class
            })
    void loopSurvivesAnyThrowable(Class<? extends Throwable> kind) throws Exception {
        var runs = new AtomicInteger();
        var survived = new CountDownLatch(1);
        Throwable failure = kind.getDeclaredConstructor().newInstance();
        BackgroundLoop.Step step =
                () -> {
                    if (runs.incrementAndGet() <= 2) {
                        throwUnchecked(failure);
                    }
                    survived.countDown();
                    new CountDownLatch(1).await();
                    return true;
                };
        var loop = BackgroundLoop.start("test", step);
        assertThat(survived.await(30, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(loop.awaitEnd(PATIENCE)).isTrue();
    }

    @Test
    void loopEndsWhenItsStepSaysSo() throws Exception {
        var runs = new AtomicInteger();
        try (var loop = BackgroundLoop.start("test", () -> runs.incrementAndGet() < 3)) {
            assertThat(loop.awaitEnd(PATIENCE)).isTrue();
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void closeInterruptsStepThatWaits() throws Exception {
        var waiting = new CountDownLatch(1);
        var loop =
                BackgroundLoop.start(
                        "test",
                        () -> {
                            waiting.countDown();
                            new CountDownLatch(1).await();
                            return true;
                        });
        assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(loop.awaitEnd(PATIENCE)).isTrue();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
        throw (T) failure;
    }
}
