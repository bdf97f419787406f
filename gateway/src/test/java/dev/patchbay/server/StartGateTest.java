package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

class StartGateTest {
    @Test
    void lastsNoPlaceForOneThatWorksForEver() throws Exception {
        var gate = new StartGate(1);
        long before = System.nanoTime();
        gate.enter().holdWhile(() -> true);
        gate.enter().close();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(3_000));
    }

    @Test
    void givesThePlaceOfASilentOneToTheNextAtOnce() throws Exception {
        var gate = new StartGate(1);
        long before = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            gate.enter().holdWhile(() -> false);
        }
        gate.enter().close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void letsNobodyInWhileAllPlacesAreTaken() throws Exception {
        var gate = new StartGate(2);
        var first = gate.enter();
        gate.enter();
        try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<StartGate.Pass> third = others.submit(gate::enter);
            assertThat(hasPassed(third, 100)).isFalse();
            first.close();
            first.close();
            assertThat(hasPassed(third, 5_000)).isTrue();
            assertThat(gate.free()).isZero();
        }
    }

    private static boolean hasPassed(Future<?> entry, long patienceMs) throws Exception {
        try {
            entry.get(patienceMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        }
    }
}
